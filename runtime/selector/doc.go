// Package selector decides which channel a record goes to.
//
// It has two faces. Generated writers call the functions: [Scale] over a hash such as [HashString], a [Cursor], a
// [Random]. Generic code, and generated writers whose selector is an option, use a [Selector] made by one of the
// constructors: [Key], [RoundRobin], [Rescale], [Shuffle], [Global], [Forward], [Broadcast], [Func]. Both choose the same
// channels.
//
// Keyed selection is fixed for all time (FORMAT.md, section 6): the same key goes to the same one of n channels on every
// machine and in every release, and each channel owns one contiguous range of hashes.
//
//	channel := selector.Scale(selector.HashString(flight.Origin), 4)
//
// The functions are safe for concurrent use. A Selector, a Cursor and a Random have state and belong to one writer, which is
// used by one goroutine at a time.
package selector
