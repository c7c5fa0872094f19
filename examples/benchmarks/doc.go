// Command benchmarks compares the in-process exchange of rwgen with what Go programmers build by hand from channels, and what they build over TCP
// with each other.
//
// Producers generate records and spread them over P partitions by the hash of their key, the hash that generated writers use; consumers add
// up what arrives. There is a table for each shape of records and scenario:
//
//	16B            an ID and a value; key ID
//	100B           an ID and two strings of 32 and 58 bytes; key ID
//	100B-view      the same, decoded as views of the memory that it is decoded from
//	1KiB           an ID and an array of 1,016 bytes; key ID
//	flight         the record of examples/flights with 1,024 of its flights; key Origin, as unevenly busy as in the data
//	order          a customer of 24 bytes, 1 to 8 lines with 0 to 3 tags each, a map of 0 to 4 entries, an optional address; key Customer
//	16B-skew       one record for each of 100 channels, then all to channel 0: by keys that hash to it, through the same writers
//	16B-broadcast  each record to all of 100 channels, where the throughput counts it once
//	16B-fanin      four writers and one consumer
//
// Contents repeat after 1,024 records, so that generation costs little, while IDs are all different. In the first four tables
// P is 1 and 4 with a consumer goroutine for each partition, and 100 and 1000 both with one shared consumer for all partitions and with a consumer each.
// The rows are
//
//   - floor: generate, hash and sum in the producers, nothing handed over;
//   - chan T: a channel of records, capacity 1024, for each partition;
//   - chan []T, 128 and 1024: batches, reused through a free list (for 1KiB, batches of 16 and 128 and a capacity of 128);
//   - blocks, 4 KiB and 32 KiB: records encoded into blocks of bytes, reused through a free list; those of 16 bytes by hand without any
//     framing, all others by the generated serializer behind a length of four bytes;
//   - rwgen: a generated writer and reader over an exchange, with the default policy, under which a record is readable as soon as its
//     reader is idle, as with chan T, and one under which only full blocks are, as in the other rows;
//   - rwgen EmitBatch: the default policy, records handed to the writer by 128.
//
// chan T and chan []T move Go values within one address space and encode nothing: of a string they hand over the pointer, and whoever
// receives it shares the memory with the producer. Blocks and rwgen encode every record, and their consumers decode it into memory of its own,
// which for records with strings is an allocation each or more, unless these are views. So compare rwgen with all rows where no strings are copied, in the tables of 16B, 100B-view and 1KiB, and with blocks in the others.
//
// Only rwgen keeps within a budget of memory: the channels hold up to their capacity in every partition, so that what the hand-made rows
// use grows with P (at 1000 partitions, to 100 MB and more). A shared consumer of channels reads one channel
// that all partitions send to, which is the fastest form: no select over P channels, and for chan T not even the partition
// is known to the consumer. Broadcasts by hand fill or encode one buffer, send it to all channels, and reuse it when a
// count of its readers comes to zero. Every run checks the number of the records that arrived and a sum over their fields; a
// test checks that each record arrived in its own partition.
//
// The command measures all rows of a cell in turn, several rounds over, and prints medians as Markdown, a table each, with the ratio of each
// row to chan T and to the best hand-made row of its cell. All tables take some eight minutes:
//
//	go run ./examples/benchmarks
//	go run ./examples/benchmarks -shapes '^16B$'
//	go run ./examples/benchmarks -shapes 'flight|order' -rounds 9 -time 1s
//	go run ./examples/benchmarks -shapes 'skew|broadcast|fanin' -rows 'chan|rwgen'
//	go run ./examples/benchmarks -cells 'P=4$' -rows 'chan|rwgen'
//
// With -latency it prints one table of how long single records take to one consumer at three rates under each flush policy and by chan
// T, and the throughput that each keeps at P=4, which takes three minutes. Without a deadline, the latency of full blocks is the time that a
// block takes to fill:
//
//	go run ./examples/benchmarks -latency
//	go run ./examples/benchmarks -latency -rows 'chan T|idle' -rounds 9
//
// # Over TCP
//
// With -tcp the records of the first four tables go over the loopback interface, both ends in this process, from one producer by the hash of the key to 4, 100 and
// 1000 partitions, with a consumer each or one for all. Hash, serializer and framing are those of the blocks in process. The rows are
//
//   - TCP itself: as many bytes as the records take, from one buffer to a consumer that counts them, in writes of 32 KiB and of 16 such blocks by writev;
//   - one connection, 32 KiB blocks: by hand, a block for each partition behind eight bytes of header, each full block in a write of its own;
//   - one connection, 4 KiB blocks by 16: by hand, sixteen full blocks in one writev. A shared consumer of these two rows decodes what it reads from the connection
//     where it is; a consumer each is handed its blocks by a goroutine that reads the connection;
//   - connection per partition: each with a bufio.Writer and a bufio.Reader of 32 KiB;
//   - yamux: a stream for each partition over one connection, with the same buffers;
//   - gRPC: a stream for each partition over one connection, with a protobuf message (protoc-gen-go) for each record, one for 256, or blocks of 32 KiB
//     by a codec that adds and copies nothing;
//   - rwgen: a generated writer and reader over an exchange of two processes, as configured by default. Over a network records are readable as soon as the reader is idle, too.
//
// The command prints what each row keeps beside moving records: whether a slow consumer stops the others, whether anything is acknowledged, whether a break of the
// connection can be survived. All rows keep order and, but for the hand-made ones, credit for each partition; only rwgen acknowledges and resumes. What a
// connection for each partition, yamux and gRPC need a goroutine for each partition for is done by a goroutine each with a shared consumer too, whose figures are added up.
//
// Throughput is given in MB of records, of 10⁶ bytes, without headers and lengths, and compared with the best of the two that are made by hand for one connection and with
// the better row of the connection itself. Blocks of 32 KiB for a thousand partitions hold two million small records before the first is full: do not make -time shorter
// than its default there.
//
// With -tls the same goes over TLS as crypto/tls negotiates it, without the last three kinds of rows; sixteen small blocks are copied into one write, since there is no
// writev. With -latency, single records go to one consumer at 10,000 a second:
//
//	go run ./examples/benchmarks -tcp
//	go run ./examples/benchmarks -tcp -shapes '^16B$' -cells 'P=4$' -rows 'one connection|gRPC'
//	go run ./examples/benchmarks -tcp -tls
//	go run ./examples/benchmarks -tcp -latency
//	go run ./examples/benchmarks -tcp -tls -latency
//
// # Profiles
//
// The same cells are Go benchmarks, for profiles and benchstat:
//
//	go test -run '^$' -bench 'Exchange/^16B$/^P=4$' ./examples/benchmarks
//	go test -run '^$' -bench Policies ./examples/benchmarks
//	go test -run '^$' -bench 'TCP/^16B$/^P=4$' ./examples/benchmarks
//
// Compare rows of one run, never figures of two machines or two runs.
//
// The loops that are measured are in the packages below records, one for each shape: rows.go and tcp.go of package sample are the originals, and go
// generate copies them to the others, for which the comment of package harness has the reason.
package main
