package record

import "github.com/rwgen/rwgen/runtime/wire"

// arrayCodec is the codec of arrays of n elements, each stride bytes of memory.
type arrayCodec struct {
	elem   *plan
	n      int
	stride uintptr
}

func (c *arrayCodec) size(p ptr, total int64, depth int) int64 {
	if c.elem.fixed {
		return total + int64(c.n)*int64(c.elem.min)
	}
	for k := 0; k < c.n && !ended(total); k++ {
		total = c.elem.size(elemAt(p, k, c.stride), total, depth)
	}
	return total
}

func (c *arrayCodec) put(dst []byte, i int, p ptr, depth int) (int, error) {
	if c.elem.empty() {
		return i, nil
	}
	for k := range c.n {
		j, err := c.elem.put(dst, i, elemAt(p, k, c.stride), depth)
		if err != nil {
			return i, indexError(k, j, err)
		}
		i = j
	}
	return i, nil
}

func (c *arrayCodec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	if c.elem.empty() {
		return i, nil
	}
	for k := range c.n {
		j, err := c.elem.get(src, i, elemAt(p, k, c.stride), b)
		if err != nil {
			return i, indexError(k, j, err)
		}
		i = j
	}
	return i, nil
}
