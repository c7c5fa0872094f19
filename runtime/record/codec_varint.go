package record

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// varintSigned is the codec of fields of T tagged rw:"varint".
type varintSigned[T int16 | int32 | int64 | int] struct{}

func (varintSigned[T]) size(p ptr, total int64, _ int) int64 {
	return total + int64(wire.UvarintLen(wire.Zigzag(int64(*(*T)(p)))))
}

func (varintSigned[T]) put(dst []byte, i int, p ptr, _ int) (int, error) {
	return putUvarint(dst, i, wire.Zigzag(int64(*(*T)(p))))
}

func (varintSigned[T]) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	u, j, err := getUvarint(src, i)
	if err != nil {
		return i, err
	}
	v := wire.Unzigzag(u)
	if int64(T(v)) != v {
		return i, rangeError(v, T(0))
	}
	*(*T)(p) = T(v)
	return j, nil
}

// varintUnsigned is the codec of fields of T tagged rw:"varint".
type varintUnsigned[T uint16 | uint32 | uint64 | uint | uintptr] struct{}

func (varintUnsigned[T]) size(p ptr, total int64, _ int) int64 {
	return total + int64(wire.UvarintLen(uint64(*(*T)(p))))
}

func (varintUnsigned[T]) put(dst []byte, i int, p ptr, _ int) (int, error) {
	return putUvarint(dst, i, uint64(*(*T)(p)))
}

func (varintUnsigned[T]) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	v, j, err := getUvarint(src, i)
	if err != nil {
		return i, err
	}
	if uint64(T(v)) != v {
		return i, rangeError(v, T(0))
	}
	*(*T)(p) = T(v)
	return j, nil
}

// rangeError is the error for a varint v beyond the type of like. Only for a word is that a matter of the machine.
func rangeError[V int64 | uint64](v V, like any) error {
	switch like.(type) {
	case int, uint, uintptr:
		return fmt.Errorf("integer %d: %w", v, wire.ErrOverflow)
	}
	return fmt.Errorf("%d is beyond %T: %w", v, like, wire.ErrCorrupt)
}

func putUvarint(dst []byte, i int, v uint64) (int, error) {
	n := wire.PutUvarint(dst[i:], v)
	if n == 0 {
		return i, wire.ErrShort
	}
	return i + n, nil
}

func getUvarint(src []byte, i int) (v uint64, j int, err error) {
	v, n := wire.Uvarint(src[i:])
	if n <= 0 {
		return 0, i, wire.UvarintError(n)
	}
	return v, i + n, nil
}
