// Package selector decides which channel a record goes to.
//
// It has two faces. Generated writers call the functions: [Scale] over a hash such as [HashString], a [Cursor], a
// [Random], a [TwoChoices]. Generic code, and generated writers whose selector is an option, use a [Selector] made by one of the
// constructors: [Key], [FlinkKey], [KafkaKey], [KeyChoices], [RoundRobin], [Rescale], [Shuffle], [LeastLoaded], [Global], [Forward],
// [Broadcast], [Func], [TryFunc]. Both choose the same channels. GUIDE.md says which to use when.
//
// Keyed selection is fixed for all time (FORMAT.md, section 6): the same key goes to the same one of n channels on every
// machine and in every release. By default each channel owns one contiguous range of hashes; [Flink] and [Kafka] choose the channels that
// those systems choose.
//
//	channel := selector.Scale(selector.HashString(flight.Origin), 4)
//
// The functions are safe for concurrent use. A Selector, a Cursor, a Random and a TwoChoices have state and belong to one writer, which is
// used by one goroutine at a time.
package selector
