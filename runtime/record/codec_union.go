package record

import (
	"fmt"
	"reflect"

	"github.com/rwgen/rwgen/runtime/wire"
)

// unionCodec is the codec of unions: the number of the member, 0 for nil, and its value.
type unionCodec struct {
	rt      reflect.Type
	members []member
	tags    map[reflect.Type]int // by dynamic type; the first member has the tag 1
}

// member is a member of a union.
type member struct {
	*plan        // of the type, or of what it points to
	pointer bool // values are pointers
}

// look returns tag and address of the value of the interface at p. A value that is no pointer is copied: nobody may see its address.
func (c *unionCodec) look(p ptr) (tag int, q ptr, err error) {
	v := variable(c.rt, p)
	if v.IsNil() {
		return 0, nil, nil
	}
	v = v.Elem()
	tag, ok := c.tags[v.Type()]
	switch {
	case !ok:
		return 0, nil, wire.MemberError(v.Interface())
	case c.members[tag-1].pointer:
		if v.IsNil() {
			return 0, nil, fmt.Errorf("%v: %w", v.Type(), wire.ErrNil)
		}
		return tag, v.UnsafePointer(), nil
	}
	copied := reflect.New(v.Type())
	copied.Elem().Set(v)
	return tag, copied.UnsafePointer(), nil
}

// size leaves errors to put, which meets them in the same place.
func (c *unionCodec) size(p ptr, total int64, depth int) int64 {
	tag, q, err := c.look(p)
	if err != nil || tag == 0 {
		return total + 1
	}
	total += int64(wire.UvarintLen(uint64(tag)))
	if ended(total) {
		return total
	}
	return c.members[tag-1].size(q, total, depth)
}

func (c *unionCodec) put(dst []byte, i int, p ptr, depth int) (int, error) {
	tag, q, err := c.look(p)
	if err != nil {
		return i, err
	}
	j, err := putUvarint(dst, i, uint64(tag))
	if err != nil || tag == 0 {
		return j, err
	}
	return c.members[tag-1].put(dst, j, q, depth)
}

func (c *unionCodec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	tag, j, err := getUvarint(src, i)
	if err != nil {
		return i, err
	}
	v := variable(c.rt, p)
	if tag == 0 {
		v.SetZero()
		return j, nil
	}
	if tag > uint64(len(c.members)) {
		return i, wire.TagError(tag, len(c.members))
	}
	m := c.members[tag-1]
	if len(src)-j < m.min {
		return j, wire.ErrTruncated
	}
	if err := b.Charge(1, m.memory); err != nil {
		return j, err
	}
	made := reflect.New(m.rt)
	if j, err = m.get(src, j, made.UnsafePointer(), b); err != nil {
		return j, err
	}
	if !m.pointer {
		made = made.Elem()
	}
	v.Set(made)
	return j, nil
}
