package record

import (
	"reflect"
	"slices"

	"github.com/rwgen/rwgen/runtime/wire"
)

// mapCodec is the codec of maps.
type mapCodec struct {
	rt        reflect.Type
	key, elem *plan
	compare   func(a, b reflect.Value) int // the order to write keys in, nil for any
}

func (c *mapCodec) size(p ptr, total int64, depth int) int64 {
	m := variable(c.rt, p)
	if m.IsNil() {
		return total + 1
	}
	total += int64(wire.UvarintLen(uint64(m.Len()) + 1))
	if c.key.fixed && c.elem.fixed {
		return total + int64(m.Len())*int64(c.key.min+c.elem.min)
	}
	k, v := c.scratch()
	for iter := m.MapRange(); !ended(total) && iter.Next(); {
		k.SetIterKey(iter)
		v.SetIterValue(iter)
		if total = c.key.size(addr(k), total, depth); !ended(total) {
			total = c.elem.size(addr(v), total, depth)
		}
	}
	return total
}

func (c *mapCodec) put(dst []byte, i int, p ptr, depth int) (int, error) {
	m := variable(c.rt, p)
	if m.IsNil() {
		return putUvarint(dst, i, 0)
	}
	i, err := putUvarint(dst, i, uint64(m.Len())+1)
	if err != nil || m.Len() == 0 {
		return i, err
	}
	if c.compare != nil {
		return c.putSorted(dst, i, m, depth)
	}
	k, v := c.scratch()
	n := 0
	for iter := m.MapRange(); iter.Next(); n++ {
		k.SetIterKey(iter)
		v.SetIterValue(iter)
		j, err := c.key.put(dst, i, addr(k), depth)
		if err == nil {
			j, err = c.elem.put(dst, j, addr(v), depth)
		}
		if err != nil {
			return i, indexError(n, j, err)
		}
		i = j
	}
	return i, nil
}

// putSorted writes the entries of m in the order of their keys.
func (c *mapCodec) putSorted(dst []byte, i int, m reflect.Value, depth int) (int, error) {
	keys := m.MapKeys()
	slices.SortFunc(keys, c.compare)
	k, v := c.scratch()
	for n, key := range keys {
		k.Set(key)
		v.Set(m.MapIndex(key))
		j, err := c.key.put(dst, i, addr(k), depth)
		if err == nil {
			j, err = c.elem.put(dst, j, addr(v), depth)
		}
		if err != nil {
			return i, indexError(n, j, err)
		}
		i = j
	}
	return i, nil
}

func (c *mapCodec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	n1, j, err := getUvarint(src, i)
	if err != nil {
		return i, err
	}
	m := variable(c.rt, p)
	if n1 == 0 {
		m.SetZero()
		return j, nil
	}
	n, err := wire.Count(n1, c.key.min+c.elem.min, len(src)-j)
	if err != nil {
		return i, err
	}
	if err := b.Charge(uint64(n), 2*(c.key.memory+c.elem.memory)); err != nil {
		return i, err
	}
	if m.IsNil() {
		room := n
		if c.key.empty() {
			room = min(n, 1) // there is only one key: do not make room for as many as the bytes claim
		}
		m.Set(reflect.MakeMapWithSize(c.rt, room))
	} else {
		m.Clear()
	}
	if n == 0 {
		return j, nil
	}
	i = j
	k, v := c.scratch()
	for e := range n {
		// What the last entry refers to belongs to the map now.
		k.SetZero()
		v.SetZero()
		j, err := c.key.get(src, i, addr(k), b)
		if err != nil {
			return i, indexError(e, j, err)
		}
		j, err = c.elem.get(src, j, addr(v), b)
		if err != nil {
			return i, indexError(e, j, err)
		}
		m.SetMapIndex(k, v)
		if m.Len() == e {
			return i, indexError(e, i, wire.ErrDuplicateKey)
		}
		i = j
	}
	return i, nil
}

// scratch returns variables for one key and one value.
func (c *mapCodec) scratch() (key, elem reflect.Value) {
	return reflect.New(c.key.rt).Elem(), reflect.New(c.elem.rt).Elem()
}

// addr returns the address of a variable made by scratch.
func addr(v reflect.Value) ptr { return v.Addr().UnsafePointer() }
