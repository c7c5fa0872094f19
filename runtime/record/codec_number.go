package record

import (
	"encoding/binary"
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// fixed8 is the codec of 8-bit integers.
type fixed8 struct{}

func (fixed8) size(_ ptr, total int64, _ int) int64 { return total + 1 }

func (fixed8) put(dst []byte, i int, p ptr, _ int) (int, error) {
	if len(dst)-i < 1 {
		return i, wire.ErrShort
	}
	dst[i] = *(*uint8)(p)
	return i + 1, nil
}

func (fixed8) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	if len(src)-i < 1 {
		return i, wire.ErrTruncated
	}
	*(*uint8)(p) = src[i]
	return i + 1, nil
}

// boolCodec is the codec of bools that are no struct fields.
type boolCodec struct{}

func (boolCodec) size(_ ptr, total int64, _ int) int64 { return total + 1 }

func (boolCodec) put(dst []byte, i int, p ptr, _ int) (int, error) {
	if len(dst)-i < 1 {
		return i, wire.ErrShort
	}
	dst[i] = 0
	if *(*bool)(p) {
		dst[i] = 1
	}
	return i + 1, nil
}

func (boolCodec) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	if len(src)-i < 1 {
		return i, wire.ErrTruncated
	}
	if src[i] > 1 {
		return i, fmt.Errorf("byte %d for a bool: %w", src[i], wire.ErrCorrupt)
	}
	*(*bool)(p) = src[i] == 1
	return i + 1, nil
}

// fixed16 is the codec of 16-bit integers.
type fixed16 struct{}

func (fixed16) size(_ ptr, total int64, _ int) int64 { return total + 2 }

func (fixed16) put(dst []byte, i int, p ptr, _ int) (int, error) {
	if len(dst)-i < 2 {
		return i, wire.ErrShort
	}
	binary.LittleEndian.PutUint16(dst[i:], *(*uint16)(p))
	return i + 2, nil
}

func (fixed16) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	if len(src)-i < 2 {
		return i, wire.ErrTruncated
	}
	*(*uint16)(p) = binary.LittleEndian.Uint16(src[i:])
	return i + 2, nil
}

// fixed32 is the codec of 32-bit integers, and of float32 by its bits.
type fixed32 struct{}

func (fixed32) size(_ ptr, total int64, _ int) int64 { return total + 4 }

func (fixed32) put(dst []byte, i int, p ptr, _ int) (int, error) {
	if len(dst)-i < 4 {
		return i, wire.ErrShort
	}
	binary.LittleEndian.PutUint32(dst[i:], *(*uint32)(p))
	return i + 4, nil
}

func (fixed32) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	if len(src)-i < 4 {
		return i, wire.ErrTruncated
	}
	*(*uint32)(p) = binary.LittleEndian.Uint32(src[i:])
	return i + 4, nil
}

// fixed64 is the codec of 64-bit integers, and of float64 by its bits.
type fixed64 struct{}

func (fixed64) size(_ ptr, total int64, _ int) int64 { return total + 8 }

func (fixed64) put(dst []byte, i int, p ptr, _ int) (int, error) {
	if len(dst)-i < 8 {
		return i, wire.ErrShort
	}
	binary.LittleEndian.PutUint64(dst[i:], *(*uint64)(p))
	return i + 8, nil
}

func (fixed64) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	if len(src)-i < 8 {
		return i, wire.ErrTruncated
	}
	*(*uint64)(p) = binary.LittleEndian.Uint64(src[i:])
	return i + 8, nil
}

// word is the codec of T = int, uint or uintptr: 8 bytes, whatever the machine.
type word[T int | uint | uintptr] struct{}

func (word[T]) size(_ ptr, total int64, _ int) int64 { return total + 8 }

func (word[T]) put(dst []byte, i int, p ptr, _ int) (int, error) {
	if len(dst)-i < 8 {
		return i, wire.ErrShort
	}
	binary.LittleEndian.PutUint64(dst[i:], uint64(*(*T)(p))) // sign-extends an int
	return i + 8, nil
}

func (word[T]) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	if len(src)-i < 8 {
		return i, wire.ErrTruncated
	}
	u := binary.LittleEndian.Uint64(src[i:])
	v := T(u)
	if uint64(v) != u {
		return i, fmt.Errorf("integer %#x: %w", u, wire.ErrOverflow)
	}
	*(*T)(p) = v
	return i + 8, nil
}

// complexCodec is the codec of complex numbers: two floats of width bytes each.
type complexCodec struct {
	half  codec
	width int
}

func (c complexCodec) size(_ ptr, total int64, _ int) int64 { return total + 2*int64(c.width) }

func (c complexCodec) put(dst []byte, i int, p ptr, depth int) (int, error) {
	j, err := c.half.put(dst, i, p, depth)
	if err != nil {
		return i, err
	}
	return c.half.put(dst, j, at(p, uintptr(c.width)), depth)
}

func (c complexCodec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	j, err := c.half.get(src, i, p, b)
	if err != nil {
		return i, err
	}
	return c.half.get(src, j, at(p, uintptr(c.width)), b)
}
