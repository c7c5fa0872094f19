// Command serializers compares the generated serializers of rwgen, without the exchange, with those that Go programmers use otherwise.
//
// There is a table for each of four shapes, with a pool of 1,024 different records each, the same in every run:
//
//	small   two strings of 16 and 10 bytes, an int64, an int, a bool, a float64
//	sensor  two uint64, two int32, six float64, a bool, a uint8
//	order   a customer of 24 bytes, 1 to 8 lines with 0 to 3 tags each, a map of 0 to 4 entries, an optional address of three strings
//	text    a string of 1 KiB, 200 bytes, an int64
//
// Records are encoded into a reused buffer, and decoded into a reused value; a round trip is both. Each peer keeps the records in its own types, and
// the time for conversions is not counted. The rows are
//
//   - limit by hand: what one can write with unsafe for one record each, safe on any bytes (package limit). All ratios are to it;
//   - by hand, our bytes: the same for the bytes of rwgen and with all that its generated code promises (package byhand). What it takes more than the limit is what the format and
//     the promises cost; what generated code takes more than it is what the generator costs;
//   - rwgen: generated code; the same for records whose strings are tagged rw:"view"; generated code behind the interface record.Serializer,
//     which is the generic path; and record.Reflect, which works by reflection and needs no generator;
//   - mus-go, with numbers of fixed width, and its package unsafe;
//   - msgp, with maps as by default, and with tuples;
//   - vtprotobuf with its pools, copying and UnmarshalVTUnsafe, and the official protobuf;
//   - flatbuffers, all of whose fields are read into a struct, with strings copied or part of the buffer;
//   - twmb/avro, copying and with AliasInput, and hamba/avro;
//   - encoding/gob, as a stream whose type was sent before, and encoding/json.
//
// Versions are those of go.mod. What is generated is committed; the commands that make it are go:generate lines, and need nothing but Go:
//
//	go generate ./examples/serializers/...
//
// bebop, benc and gencode are not here, because the module proxy does not have them. What they took elsewhere, in multiples of the limit, is a goal of its own.
//
// Compare rows of one class. Those that copy own what they decoded, as records do that are kept or sent on while the input is reused. Those with
// views return strings and bytes that are part of the input: they allocate nothing, and are wrong as soon as the input changes. Only
// rows without strings are the same in both. What a row does is in its line and in a test, which overwrites the input and looks for the difference.
// Some decoders leave data of the record before in a reused value: maps are merged, and what is missing in the input
// keeps its old contents. Those rows reset the value, as their users must, and the time for it counts. That is in the line, and tested, too.
// Two decoders save allocations at the price of memory: twmb/avro and hamba/avro cut short strings out of blocks that many records
// share, so that one string which is kept keeps a whole block.
//
// Orders without tags or attributes have empty slices and maps, not nil ones: rwgen tells them apart, and decodes nil as nil, which gives up the
// memory of a reused value, where most others know only empty ones.
//
// The command measures all rows of an operation in turn, several rounds over, and prints medians with the ratio of each to the limit of its
// class, the encoded size, and allocations of a decoded record; and at the end how rwgen stands to its goals: within 1.05 of the fastest peer of each class in
// each cell, and within 1.3 of the limit. RESULTS.md says why cells miss that. All tables take about a minute and a half:
//
//	go run ./examples/serializers
//	go run ./examples/serializers -rounds 15 -time 100ms -markdown
//	go run ./examples/serializers -shapes 'small|order' -rows 'limit|rwgen|mus'
//	go run ./examples/serializers -cpu
//
// The last one measures the processor time of the process in place of the time, for machines that have other work, too.
//
// The same cells are Go benchmarks, for profiles and benchstat:
//
//	go test -run '^$' -bench '/order/^unmarshal/^rwgen$' ./examples/serializers
//
// Compare rows of one run, never figures of two machines or two runs.
package main
