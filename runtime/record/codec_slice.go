package record

import (
	"reflect"

	"github.com/rwgen/rwgen/runtime/wire"
)

// sliceCodec is the codec of slices other than those of 8-bit unsigned types.
type sliceCodec struct {
	rt     reflect.Type
	elem   *plan
	stride uintptr
}

func (c *sliceCodec) size(p ptr, total int64, depth int) int64 {
	h := (*sliceHeader)(p)
	if h.data == nil {
		return total + 1
	}
	total += int64(wire.UvarintLen(uint64(h.len) + 1))
	if c.elem.fixed {
		return total + int64(h.len)*int64(c.elem.min)
	}
	for k := 0; k < h.len && !ended(total); k++ {
		total = c.elem.size(elemAt(h.data, k, c.stride), total, depth)
	}
	return total
}

func (c *sliceCodec) put(dst []byte, i int, p ptr, depth int) (int, error) {
	h := (*sliceHeader)(p)
	if h.data == nil {
		return putUvarint(dst, i, 0)
	}
	if c.elem.empty() {
		if _, err := wire.Count(uint64(h.len)+1, 0, 0); err != nil {
			return i, err // no reader would take it
		}
	}
	i, err := putUvarint(dst, i, uint64(h.len)+1)
	if err != nil || c.elem.empty() {
		return i, err
	}
	if c.elem.image {
		n := h.len * c.elem.min
		if len(dst)-i < n {
			return i, wire.ErrShort
		}
		return i + copy(dst[i:], memory(h.data, n)), nil
	}
	for k := range h.len {
		j, err := c.elem.put(dst, i, elemAt(h.data, k, c.stride), depth)
		if err != nil {
			return i, indexError(k, j, err)
		}
		i = j
	}
	return i, nil
}

func (c *sliceCodec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	n1, j, err := getUvarint(src, i)
	if err != nil {
		return i, err
	}
	if n1 == 0 {
		*(*sliceHeader)(p) = sliceHeader{}
		return j, nil
	}
	n, err := wire.Count(n1, c.elem.min, len(src)-j)
	if err != nil {
		return i, err
	}
	// Also what is reused is charged: whether a record is accepted depends on its bytes alone.
	if err := b.Charge(uint64(n), c.elem.memory); err != nil {
		return i, err
	}
	c.resize(p, n)
	i = j
	data := (*sliceHeader)(p).data
	switch {
	case c.elem.empty():
		return i, nil
	case c.elem.image:
		return i + copy(memory(data, n*c.elem.min), src[i:]), nil
	}
	for k := range n {
		j, err := c.elem.get(src, i, elemAt(data, k, c.stride), b)
		if err != nil {
			return i, indexError(k, j, err)
		}
		i = j
	}
	return i, nil
}

// resize gives the slice at p n elements, in the memory it has if that is enough. Elements beyond the old length are zeroed:
// what they hold may still belong to others, as after elements were moved down to delete one. So are those behind the new length, which would
// hold memory for no record. Those within both keep their slices and maps for reuse, unless they hold something that reading does not set.
func (c *sliceCodec) resize(p ptr, n int) {
	h := (*sliceHeader)(p)
	v := variable(c.rt, p)
	if h.data == nil || h.cap < n {
		v.Set(reflect.MakeSlice(c.rt, n, n))
		return
	}
	old := h.len
	keep := min(old, n)
	if c.elem.partial {
		keep = 0
	}
	v.SetLen(n)
	if !c.elem.image && keep < max(old, n) {
		v.Slice(keep, max(old, n)).Clear()
	}
}
