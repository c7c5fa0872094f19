// Package values has what generated methods Equal, Clone, Reset and Hash call:
//
//	h := uint64(values.Seed)
//	h = values.HashString(h, v.Origin)
//	h = values.HashWord(h, uint64(v.Seats))
//
// The hash is that of FORMAT.md, section 7. It is the same on every machine and in every release, and it is no defence against whoever chooses the
// values so that their hashes meet.
//
// None of the functions keeps its arguments, and all may be called by several goroutines at the same time.
package values
