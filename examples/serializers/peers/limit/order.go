package limit

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
)

// An order is a head, a head for each line with the lengths of its tags, two lengths for each attribute, three for an address, and all texts.
const (
	orderHead     = 8 + 8 + 4 + 4 + 4 + 4 + 1 // ID, Created, the length of the customer, numbers of lines, attributes and tags, whether there is an address
	lineHead      = 8 + 4 + 4 + 4             // Price, Qty, the length of the SKU, the number of tags
	attributeHead = 4 + 4
	addressHead   = 3 * 4
)

// put32 and put64 write to a place of which it is known that it is there.
func put32(dst []byte, at, v int) { binary.LittleEndian.PutUint32(dst[at:], uint32(v)) }

func putOrder(dst []byte, v *order.Record) ([]byte, error) {
	tags := 0
	for i := range v.Lines {
		tags += len(v.Lines[i].Tags)
	}
	t := orderHead + lineHead*len(v.Lines) + 4*tags + attributeHead*len(v.Attributes) // where texts begin
	if v.Address != nil {
		t += addressHead
	}
	if len(dst) < t+len(v.Customer) {
		return nil, errShort
	}
	head := (*[orderHead]byte)(dst)
	binary.LittleEndian.PutUint64(head[:], v.ID)
	binary.LittleEndian.PutUint64(head[8:], uint64(v.Created))
	binary.LittleEndian.PutUint32(head[16:], uint32(len(v.Customer)))
	binary.LittleEndian.PutUint32(head[20:], uint32(len(v.Lines)))
	binary.LittleEndian.PutUint32(head[24:], uint32(len(v.Attributes)))
	binary.LittleEndian.PutUint32(head[28:], uint32(tags))
	head[32] = 0
	t += Move(dst[t:], v.Customer)
	h := orderHead
	for i := range v.Lines {
		l := &v.Lines[i]
		if len(dst)-t < len(l.SKU) {
			return nil, errShort
		}
		line := (*[lineHead]byte)(dst[h:])
		binary.LittleEndian.PutUint64(line[:], math.Float64bits(l.Price))
		binary.LittleEndian.PutUint32(line[8:], uint32(l.Qty))
		binary.LittleEndian.PutUint32(line[12:], uint32(len(l.SKU)))
		binary.LittleEndian.PutUint32(line[16:], uint32(len(l.Tags)))
		h += lineHead
		t += Move(dst[t:], l.SKU)
		for _, tag := range l.Tags {
			if len(dst)-t < len(tag) {
				return nil, errShort
			}
			put32(dst, h, len(tag))
			h += 4
			t += Move(dst[t:], tag)
		}
	}
	for key, value := range v.Attributes {
		if len(dst)-t < len(key)+len(value) {
			return nil, errShort
		}
		put32(dst, h, len(key))
		put32(dst, h+4, len(value))
		h += attributeHead
		t += Move(dst[t:], key)
		t += Move(dst[t:], value)
	}
	if a := v.Address; a != nil {
		if len(dst)-t < len(a.Street)+len(a.City)+len(a.Country) {
			return nil, errShort
		}
		head[32] = 1
		put32(dst, h, len(a.Street))
		put32(dst, h+4, len(a.City))
		put32(dst, h+8, len(a.Country))
		t += Move(dst[t:], a.Street)
		t += Move(dst[t:], a.City)
		t += Move(dst[t:], a.Country)
	}
	return dst[:t], nil
}

func getOrder(src []byte, v *order.Record, view bool) error {
	if len(src) < orderHead {
		return errCorrupt
	}
	head := (*[orderHead]byte)(src)
	lines, attributes := uint64(binary.LittleEndian.Uint32(head[20:])), uint64(binary.LittleEndian.Uint32(head[24:]))
	tags := uint64(binary.LittleEndian.Uint32(head[28:]))
	// Numbers of 32 bits: the sum cannot overflow.
	heads := orderHead + lineHead*lines + 4*tags + attributeHead*attributes + addressHead*uint64(head[32])
	if head[32] > 1 || heads > uint64(len(src)) {
		return errCorrupt
	}
	v.ID = binary.LittleEndian.Uint64(head[:])
	v.Created = int64(binary.LittleEndian.Uint64(head[8:]))
	t := textsOf(src[heads:], view)
	v.Customer = t.take(binary.LittleEndian.Uint32(head[16:]))
	rest := src[orderHead:heads]
	v.Lines = slices.Grow(v.Lines[:0], int(lines))[:lines]
	for i := range v.Lines {
		l := &v.Lines[i]
		line := (*[lineHead]byte)(rest) // there is room for all of them, if their tags are not too many
		n := uint64(binary.LittleEndian.Uint32(line[16:]))
		if n > tags {
			return errCorrupt
		}
		tags -= n
		l.Price = math.Float64frombits(binary.LittleEndian.Uint64(line[:]))
		l.Qty = int32(binary.LittleEndian.Uint32(line[8:]))
		l.SKU = t.take(binary.LittleEndian.Uint32(line[12:]))
		rest = rest[lineHead:]
		l.Tags = slices.Grow(l.Tags[:0], int(n))[:n]
		for j := range l.Tags {
			l.Tags[j] = t.take(binary.LittleEndian.Uint32(rest))
			rest = rest[4:]
		}
	}
	if tags > 0 {
		return errCorrupt
	}
	if v.Attributes == nil && attributes > 0 {
		v.Attributes = make(map[string]string, attributes)
	}
	clear(v.Attributes)
	for range attributes {
		key := t.take(binary.LittleEndian.Uint32(rest))
		v.Attributes[key] = t.take(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[attributeHead:]
	}
	if head[32] == 0 {
		v.Address = nil
		return t.end()
	}
	if v.Address == nil {
		v.Address = new(order.Address)
	}
	a := v.Address
	a.Street = t.take(binary.LittleEndian.Uint32(rest))
	a.City = t.take(binary.LittleEndian.Uint32(rest[4:]))
	a.Country = t.take(binary.LittleEndian.Uint32(rest[8:]))
	return t.end()
}
