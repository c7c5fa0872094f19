package record

import (
	"fmt"
	"reflect"

	"github.com/rwgen/rwgen/runtime/wire"
)

// pointerCodec is the codec of pointers that are no struct fields: a byte that says whether a value follows.
type pointerCodec struct{ elem *plan }

func (c *pointerCodec) size(p ptr, total int64, depth int) int64 {
	total++
	if q := *(*ptr)(p); q != nil && !ended(total) {
		return c.elem.size(q, total, depth)
	}
	return total
}

func (c *pointerCodec) put(dst []byte, i int, p ptr, depth int) (int, error) {
	if len(dst)-i < 1 {
		return i, wire.ErrShort
	}
	q := *(*ptr)(p)
	if q == nil {
		dst[i] = 0
		return i + 1, nil
	}
	dst[i] = 1
	return c.elem.put(dst, i+1, q, depth)
}

func (c *pointerCodec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	if len(src)-i < 1 {
		return i, wire.ErrTruncated
	}
	switch src[i] {
	case 0:
		*(*ptr)(p) = nil
		return i + 1, nil
	case 1:
		return getPointed(c.elem, src, i+1, p, b)
	}
	return i, fmt.Errorf("byte %d for a pointer: %w", src[i], wire.ErrCorrupt)
}

// getPointed reads a value from src[i:] into a fresh variable and stores its address at p. Variables are never reused: the old one may
// have become part of something else.
func getPointed(elem *plan, src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	if len(src)-i < elem.min {
		return i, wire.ErrTruncated
	}
	if err := b.Charge(1, elem.memory); err != nil {
		return i, err
	}
	q := reflect.New(elem.rt).UnsafePointer()
	j, err := elem.get(src, i, q, b)
	if err != nil {
		return j, err
	}
	*(*ptr)(p) = q
	return j, nil
}
