// Command benchmarks compares the in-process exchange of rwgen with what Go programmers build by hand from channels.
//
// One producer generates sixteen-byte records and spreads them over P partitions by the hash of their ID, the hash that generated
// writers use; consumers add up what arrives. The cells of the comparison are P = 1 and 4 with a consumer goroutine for each partition,
// and P = 100 and 1000 both with one shared consumer for all partitions and with a consumer each. The rows are
//
//   - floor: generate, hash and sum in one goroutine, nothing handed over;
//   - chan T: a channel of records, capacity 1024, for each partition;
//   - chan []T, 128 and 1024: batches, reused through a free list;
//   - blocks, 4 KiB and 32 KiB: records encoded into blocks of bytes without any framing, reused through a free list;
//   - rwgen: a generated writer and reader over an exchange, with the default policy, under which a record is readable as soon as its
//     reader is idle, as with chan T, and one under which only full blocks are, as in the other rows.
//
// Only rwgen keeps within a budget of memory: the channels hold up to their capacity in every partition, so that what the hand-made rows
// use grows with P (at 1000 partitions of 32 KiB blocks, to about 100 MB). A shared consumer of channels reads one channel
// that all partitions send to, which is the fastest form: no select over P channels, and for chan T not even the partition
// is known to the consumer. Every run checks the number of the records that arrived and a sum over their fields; a test
// checks that each record arrived in its own partition.
//
// The command measures all rows of a cell in turn, several rounds over, and prints medians as Markdown:
//
//	go run ./examples/benchmarks
//	go run ./examples/benchmarks -rounds 9 -time 1s -cells 'P=4' -rows 'chan|rwgen'
//
// With -latency it measures how long single records take to one consumer at three rates, with chan T and with rwgen's default policy:
//
//	go run ./examples/benchmarks -latency
//
// The same cells are Go benchmarks, for profiles and benchstat:
//
//	go test -bench '/P=4$' ./examples/benchmarks
//
// Compare rows of one run, never figures of two machines or two runs.
package main
