// Package wire holds the byte primitives of the native record format and the errors of reading it. FORMAT.md in this
// directory is the format; this package is the part of it that generated and reflective serializers share.
//
// Functions that write take a destination and never write beyond it; functions that read take bytes that may hold
// anything, check every length before it is used, and only ever return errors. All functions are safe for concurrent use;
// a [Budget], a [Text] and an [Interner] belong to one goroutine.
//
//	buf := make([]byte, 16)
//	n := wire.PutUvarint(buf, 300)
//	v, m := wire.Uvarint(buf[:n])
//	if m <= 0 {
//		return wire.UvarintError(m)
//	}
package wire
