package record

import (
	"cmp"
	"reflect"
)

// field returns the plan of a field that is no bool and no pointer, with what its tag says.
func (c *compiler) field(rt reflect.Type, t *Type, tag Tag) *plan {
	switch {
	case tag.Varint:
		return varint(rt, t.Kind)
	case tag.UnixNano:
		return &plan{rt: rt, codec: unixNanoCodec{}, min: 8, fixed: true, memory: c.layouts.of(rt).size}
	}
	base := c.plan(rt)
	var inner codec = base // not base.codec, which base may not have yet
	switch {
	case tag.Intern:
		inner = internCodec{}
	case tag.View && t.Kind == KindString:
		inner = viewCodec{}
	case tag.View:
		inner = viewBytesCodec{}
	case tag.Sorted:
		inner = &mapCodec{rt: rt, key: c.plan(rt.Key()), elem: c.plan(rt.Elem()), compare: comparison(c.types[rt.Key()].Kind)}
	}
	if tag.UTF8 {
		inner = utf8Codec{inner}
	}
	if tag.Max > 0 {
		inner = c.bounded(inner, rt, t.Kind, tag.Max)
	}
	if inner == codec(base) {
		return base
	}
	return &plan{rt: rt, codec: inner, min: base.min, memory: base.memory}
}

func (c *compiler) bounded(of codec, rt reflect.Type, kind Kind, most int) codec {
	switch kind {
	case KindString:
		return &maxCodec{of, most, func(p ptr) int { return len(*(*string)(p)) }, 0}
	case KindMap:
		return &maxCodec{of, most, func(p ptr) int { return variable(rt, p).Len() }, 1}
	}
	return &maxCodec{of, most, func(p ptr) int { return (*sliceHeader)(p).len }, 1}
}

// comparison returns the order of map keys of this kind.
func comparison(kind Kind) func(a, b reflect.Value) int {
	switch {
	case kind == KindString:
		return func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) }
	case kind == KindBool:
		return func(a, b reflect.Value) int {
			switch {
			case a.Bool() == b.Bool():
				return 0
			case b.Bool():
				return -1
			}
			return 1
		}
	}
	if _, signed := integer(kind); signed {
		return func(a, b reflect.Value) int { return cmp.Compare(a.Int(), b.Int()) }
	}
	return func(a, b reflect.Value) int { return cmp.Compare(a.Uint(), b.Uint()) }
}
