package selector

import (
	"encoding/binary"
	"time"
)

// The Append functions build the bytes of a composite key, part by part in the order of the fields; [HashBytes] of the
// result is the hash of the key. Each appends to k and returns the extended slice, which the caller reuses for the next
// record. Strings and byte slices are preceded by their length, so that ("ab", "c") and ("a", "bc") are different keys.

// AppendString appends a string to the composite key k.
func AppendString(k []byte, v string) []byte {
	return append(binary.AppendUvarint(k, uint64(len(v))), v...)
}

// AppendBytes appends a []byte to the composite key k. Nil and empty are the same, and the same as an empty string.
func AppendBytes(k, v []byte) []byte {
	return append(binary.AppendUvarint(k, uint64(len(v))), v...)
}

// AppendBool appends a bool to the composite key k.
func AppendBool(k []byte, v bool) []byte {
	if v {
		return append(k, 1)
	}
	return append(k, 0)
}

// Append8 appends an 8-bit integer to the composite key k; signed ones are converted to uint8 first.
func Append8(k []byte, v uint8) []byte { return append(k, v) }

// Append16 appends a 16-bit integer to the composite key k; signed ones are converted to uint16 first.
func Append16(k []byte, v uint16) []byte { return binary.LittleEndian.AppendUint16(k, v) }

// Append32 appends a 32-bit integer to the composite key k; signed ones are converted to uint32 first.
func Append32(k []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(k, v) }

// Append64 appends a 64-bit integer, or an int, uint or uintptr, to the composite key k; signed ones are converted through
// int64 to uint64 first.
func Append64(k []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(k, v) }

// AppendFloat32 appends a float32 to the composite key k. −0 is the same as 0, and all NaN are the same.
func AppendFloat32(k []byte, v float32) []byte { return Append32(k, floatKey32(v)) }

// AppendFloat64 appends a float64 to the composite key k. −0 is the same as 0, and all NaN are the same.
func AppendFloat64(k []byte, v float64) []byte { return Append64(k, floatKey64(v)) }

// AppendTime appends an instant to the composite key k. Equal instants are the same, whatever their location.
func AppendTime(k []byte, v time.Time) []byte {
	return Append32(Append64(k, uint64(v.Unix())), uint32(v.Nanosecond()))
}
