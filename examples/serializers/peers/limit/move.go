package limit

import (
	"encoding/binary"
	"errors"
	"unsafe"
)

// The errors of this package.
var (
	errShort   = errors.New("limit: no room")
	errCorrupt = errors.New("limit: not a record")
)

// Move copies s to the start of dst, where there is room for it: up to 32 bytes by two or four loads that overlap, without a call.
func Move(dst []byte, s string) int {
	n := len(s)
	src := unsafe.Slice(unsafe.StringData(s), n)
	dst = dst[:n]
	switch {
	case n > 32:
		copy(dst, src)
	case n > 16:
		a, b := binary.NativeEndian.Uint64(src), binary.NativeEndian.Uint64(src[8:])
		c, d := binary.NativeEndian.Uint64(src[n-16:]), binary.NativeEndian.Uint64(src[n-8:])
		binary.NativeEndian.PutUint64(dst, a)
		binary.NativeEndian.PutUint64(dst[8:], b)
		binary.NativeEndian.PutUint64(dst[n-16:], c)
		binary.NativeEndian.PutUint64(dst[n-8:], d)
	case n >= 8:
		a, b := binary.NativeEndian.Uint64(src), binary.NativeEndian.Uint64(src[n-8:])
		binary.NativeEndian.PutUint64(dst, a)
		binary.NativeEndian.PutUint64(dst[n-8:], b)
	case n >= 4:
		a, b := binary.NativeEndian.Uint32(src), binary.NativeEndian.Uint32(src[n-4:])
		binary.NativeEndian.PutUint32(dst, a)
		binary.NativeEndian.PutUint32(dst[n-4:], b)
	case n >= 2:
		a, b := binary.NativeEndian.Uint16(src), binary.NativeEndian.Uint16(src[n-2:])
		binary.NativeEndian.PutUint16(dst, a)
		binary.NativeEndian.PutUint16(dst[n-2:], b)
	case n == 1:
		dst[0] = src[0]
	}
	return n
}

// texts are the texts of a record that are still to be taken, one after the other. With view they are part of the input.
type texts struct {
	rest  string
	short bool // more was to be taken than there was
}

func textsOf(b []byte, view bool) texts {
	if view {
		return texts{rest: unsafe.String(unsafe.SliceData(b), len(b))}
	}
	return texts{rest: string(b)}
}

// take returns the next n bytes, or nothing if there are not so many.
func (t *texts) take(n uint32) string {
	if uint64(n) > uint64(len(t.rest)) {
		t.short = true
		return ""
	}
	s := t.rest[:n]
	t.rest = t.rest[n:]
	return s
}

// end is an error if what was taken is not all that there was.
func (t *texts) end() error {
	if t.short || t.rest != "" {
		return errCorrupt
	}
	return nil
}
