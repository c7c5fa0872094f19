// Package eventtime says what time records have, and how far a stream has come in it.
//
// An event time is the time at which what a record tells of has happened. Inside the runtime it is a number of microseconds since the Unix epoch; users see time.Time, of which
// less than a microsecond is cut off downwards.
//
// A watermark W says that no record with an event time of W or before follows. A writer makes watermarks from the times of its records by a generator:
//
//	Monotonic           times never go back
//	Bounded             a record is at most so much older than any before it
//	Punctuated          a function knows it from each record
//
// Generators are small structs without locks that the compiler takes apart; Observe is called for each record, and says rarely that there is a watermark to write: for one record of
// [Every], and for each that came after [Monotonic.Hurry], which writers call when traffic is so low that readers are told of single records.
//
// This package imports nothing of the runtime.
package eventtime
