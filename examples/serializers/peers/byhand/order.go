package byhand

import (
	"encoding/binary"
	"math"

	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/runtime/wire"
)

func putOrder(dst []byte, v *order.Record) ([]byte, error) {
	if len(v.Lines) >= 0x7f || len(v.Attributes) >= 0x7f || len(v.Customer) >= 0x80 || len(dst) < 9+1+len(v.Customer)+8+1 {
		return slowPutOrder(dst, v)
	}
	dst[0] = 0
	if v.Address != nil {
		dst[0] = 1
	}
	binary.LittleEndian.PutUint64(dst[1:], v.ID)
	i := 9 + wire.PutString(dst[9:], v.Customer)
	binary.LittleEndian.PutUint64(dst[i:], uint64(v.Created))
	dst[i+8] = countByte(len(v.Lines), v.Lines == nil)
	i += 9
	for j := range v.Lines {
		l := &v.Lines[j]
		if len(l.SKU) >= 0x80 || len(l.Tags) >= 0x7f || len(dst)-i < 1+len(l.SKU)+4+8+1 {
			return slowPutOrder(dst, v)
		}
		i += wire.PutString(dst[i:], l.SKU)
		binary.LittleEndian.PutUint32(dst[i:], uint32(l.Qty))
		binary.LittleEndian.PutUint64(dst[i+4:], math.Float64bits(l.Price))
		dst[i+12] = countByte(len(l.Tags), l.Tags == nil)
		i += 13
		for _, tag := range l.Tags {
			n := wire.PutString(dst[i:], tag)
			if n == 0 {
				return nil, wire.ErrShort
			}
			i += n
		}
	}
	if i == len(dst) {
		return nil, wire.ErrShort
	}
	dst[i] = countByte(len(v.Attributes), v.Attributes == nil)
	i++
	for key, value := range v.Attributes {
		n := wire.PutString(dst[i:], key)
		if n == 0 {
			return nil, wire.ErrShort
		}
		i += n
		if n = wire.PutString(dst[i:], value); n == 0 {
			return nil, wire.ErrShort
		}
		i += n
	}
	if v.Address == nil {
		return dst[:i], nil
	}
	for _, s := range [...]string{v.Address.Street, v.Address.City, v.Address.Country} {
		n := wire.PutString(dst[i:], s)
		if n == 0 {
			return nil, wire.ErrShort
		}
		i += n
	}
	return dst[:i], nil
}

// countByte is the length on the wire of a slice or map of fewer than 127 elements.
func countByte(n int, isNil bool) byte {
	if isNil {
		return 0
	}
	return byte(n + 1)
}

//go:noinline
func slowPutOrder(dst []byte, v *order.Record) ([]byte, error) {
	n, err := order.RecordSerializer{}.Put(dst, v)
	return dst[:n], err
}

// maxOrder is the size up to which a copy of the whole order is what one string may keep in memory. Its slices cannot take more than the default limit of memory.
const maxOrder = 1 << 10

func getOrder(src []byte, v *order.Record, view bool) error {
	if len(src) > maxOrder || !usualOrder(textOf(src, view), v) {
		return slowOrder(src, v, view)
	}
	return nil
}

// usualOrder reads the order in s, of which its strings are parts, and reports whether s is a usual one.
func usualOrder(s string, v *order.Record) bool {
	if len(s) < 9+1+8+1+1 || s[0] > 1 {
		return false
	}
	v.ID = load64(s, 9)
	i := 0
	if v.Customer, i = cut(s, 9); i == 0 || len(s)-i < 8+1+1 {
		return false
	}
	i += 8
	v.Created = int64(load64(s, i))
	n := count(s, i, 14)
	if n < 0 {
		return false
	}
	i++
	v.Lines = resize(v.Lines, n)
	for j := range v.Lines {
		l := &v.Lines[j]
		if l.SKU, i = cut(s, i); i == 0 || len(s)-i < 4+8+1 {
			return false
		}
		l.Qty, l.Price = int32(load32(s, i+4)), math.Float64frombits(load64(s, i+12))
		i += 12
		if n = count(s, i, 1); n < 0 {
			return false
		}
		i++
		l.Tags = resize(l.Tags, n)
		for k := range l.Tags {
			if l.Tags[k], i = cut(s, i); i == 0 {
				return false
			}
		}
	}
	if n = count(s, i, 2); n < 0 {
		return false
	}
	i++
	switch clear(v.Attributes); {
	case n == 0:
		v.Attributes = nil
	case v.Attributes == nil:
		v.Attributes = make(map[string]string, n-1)
	}
	for j := range n - 1 {
		var key, value string
		if key, i = cut(s, i); i == 0 {
			return false
		}
		if value, i = cut(s, i); i == 0 {
			return false
		}
		if v.Attributes[key] = value; len(v.Attributes) == j {
			return false
		}
	}
	if s[0] == 0 {
		v.Address = nil
		return i == len(s)
	}
	a := new(order.Address)
	if a.Street, i = cut(s, i); i == 0 {
		return false
	}
	if a.City, i = cut(s, i); i == 0 {
		return false
	}
	a.Country, i = cut(s, i)
	v.Address = a
	return i == len(s) && i > 0
}

// resize returns a slice for n-1 elements in the memory of s, or nil for 0. Those that were not within the length of s are zero, and so is what was and is not any more.
func resize[E any](s []E, n int) []E {
	if n--; n < 0 {
		return nil
	}
	if s == nil || n > cap(s) {
		return make([]E, n)
	}
	switch old := len(s); {
	case n > old:
		clear(s[old:n])
	case n < old:
		clear(s[n:])
	}
	return s[:n]
}

//go:noinline
func slowOrder(src []byte, v *order.Record, view bool) error {
	if !view {
		n, err := order.RecordSerializer{}.Consume(src, v)
		return whole(n, err, src)
	}
	var w order.View
	n, err := order.ViewSerializer{}.Consume(src, &w)
	*v = w.Record()
	return whole(n, err, src)
}
