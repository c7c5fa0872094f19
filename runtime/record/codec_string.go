package record

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// textCodec is the codec of strings.
type textCodec struct{}

func (textCodec) size(p ptr, total int64, _ int) int64 {
	n := len(*(*string)(p))
	return total + int64(wire.UvarintLen(uint64(n))) + int64(n)
}

func (textCodec) put(dst []byte, i int, p ptr, _ int) (int, error) {
	s := *(*string)(p)
	j, err := putUvarint(dst, i, uint64(len(s)))
	if err != nil || len(dst)-j < len(s) {
		return i, wire.ErrShort
	}
	return j + copy(dst[j:], s), nil
}

func (textCodec) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	n, j, err := getUvarint(src, i)
	if err != nil {
		return i, err
	}
	if n > uint64(len(src)-j) {
		return i, fmt.Errorf("string of %d bytes, but %d bytes left: %w", n, len(src)-j, wire.ErrTruncated)
	}
	end := j + int(n)
	*(*string)(p) = string(src[j:end])
	return end, nil
}

// bytesCodec is the codec of slices of 8-bit unsigned types.
type bytesCodec struct{}

func (bytesCodec) size(p ptr, total int64, _ int) int64 {
	b := *(*[]byte)(p)
	if b == nil {
		return total + 1
	}
	return total + int64(wire.UvarintLen(uint64(len(b))+1)) + int64(len(b))
}

func (bytesCodec) put(dst []byte, i int, p ptr, _ int) (int, error) {
	b := *(*[]byte)(p)
	if b == nil {
		return putUvarint(dst, i, 0)
	}
	j, err := putUvarint(dst, i, uint64(len(b))+1)
	if err != nil || len(dst)-j < len(b) {
		return i, wire.ErrShort
	}
	return j + copy(dst[j:], b), nil
}

func (bytesCodec) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	n1, j, err := getUvarint(src, i)
	if err != nil {
		return i, err
	}
	b := *(*[]byte)(p)
	if n1 == 0 {
		*(*[]byte)(p) = nil
		return j, nil
	}
	n, err := wire.Count(n1, 1, len(src)-j)
	if err != nil {
		return i, err
	}
	if b == nil || cap(b) < n {
		b = make([]byte, n)
	}
	b = b[:n]
	copy(b, src[j:])
	*(*[]byte)(p) = b
	return j + n, nil
}
