package record

import "reflect"

// compiler makes plans from a described record type, which has no part without encoding.
type compiler struct {
	types    map[reflect.Type]*Type
	tags     map[*Type][]boundField
	codecs   map[reflect.Type]*userCodec
	unions   map[reflect.Type][]reflect.Type
	plans    map[reflect.Type]*plan
	layouts  layouts
	portable bool // use no memory images
}

func (d *description) compile(rt reflect.Type, portable bool) *plan {
	c := compiler{types: d.types, tags: d.fields, codecs: d.codecs, unions: d.options.unions, plans: map[reflect.Type]*plan{}, layouts: layouts{},
		portable: portable || !imageHost()}
	if d.types[rt] == d.root {
		return c.plan(rt)
	}
	pl := &plan{rt: rt}
	c.structType(pl, d.root)
	return pl
}

// plan returns the plan of rt. For a recursive type that is being planned further up, only pl.min of some kinds is set: codecs look at the rest of
// their parts when they run, and there is always a pointer, slice, map or union in between.
func (c *compiler) plan(rt reflect.Type) *plan {
	if pl, ok := c.plans[rt]; ok {
		return pl
	}
	pl := &plan{rt: rt}
	c.plans[rt] = pl
	pl.memory = c.layouts.of(rt).size
	t := c.types[rt]
	switch t.Kind {
	case KindString, KindBytes, KindPointer, KindSlice, KindMap, KindUnion, KindCodec:
		pl.min = 1 // what contains the type and is planned below may ask for it
	}
	switch t.Kind {
	case KindString:
		pl.codec = textCodec{}
	case KindBytes:
		pl.codec = bytesCodec{}
	case KindPointer:
		pl.codec = &pointerCodec{elem: c.plan(rt.Elem())}
	case KindSlice:
		pl.codec = &sliceCodec{rt: rt, elem: c.plan(rt.Elem()), stride: rt.Elem().Size()}
	case KindMap:
		pl.codec = &mapCodec{rt: rt, key: c.plan(rt.Key()), elem: c.plan(rt.Elem())}
	case KindUnion:
		pl.codec = c.union(rt)
	case KindCodec:
		pl.codec = &lengthCodec{c.codecs[rt], rt}
	case KindArray:
		c.array(pl)
	case KindStruct:
		c.structType(pl, t)
	default:
		c.number(pl, t.Kind)
	}
	return pl
}

// number plans the kinds of fixed width.
func (c *compiler) number(pl *plan, kind Kind) {
	pl.fixed, pl.image = true, true
	switch kind {
	case KindBool: // not every byte is a bool
		pl.codec, pl.min, pl.image = boolCodec{}, 1, false
	case KindTime:
		pl.codec, pl.min, pl.image = timeCodec{}, 12, false
	case KindInt8, KindUint8:
		pl.codec, pl.min = fixed8{}, 1
	case KindInt16, KindUint16:
		pl.codec, pl.min = fixed16{}, 2
	case KindInt32, KindUint32, KindFloat32:
		pl.codec, pl.min = fixed32{}, 4
	case KindInt64, KindUint64, KindFloat64:
		pl.codec, pl.min = fixed64{}, 8
	case KindComplex64:
		pl.codec, pl.min = complexCodec{fixed32{}, 4}, 8
	case KindComplex128:
		pl.codec, pl.min = complexCodec{fixed64{}, 8}, 16
	case KindInt:
		pl.codec, pl.min, pl.image = word[int]{}, 8, wideWord()
	case KindUint:
		pl.codec, pl.min, pl.image = word[uint]{}, 8, wideWord()
	case KindUintptr:
		pl.codec, pl.min, pl.image = word[uintptr]{}, 8, wideWord()
	}
	pl.image = pl.image && !c.portable
}

// leaf reports whether the inside of rt is no concern of the format.
func (c *compiler) leaf(rt reflect.Type) bool { return rt == timeType || c.codecs[rt] != nil }

// varint returns the plan of an integer field tagged rw:"varint".
func varint(rt reflect.Type, kind Kind) *plan {
	pl := &plan{rt: rt, min: 1}
	pl.memory = layouts{}.of(rt).size
	switch kind {
	case KindInt16:
		pl.codec = varintSigned[int16]{}
	case KindInt32:
		pl.codec = varintSigned[int32]{}
	case KindInt64:
		pl.codec = varintSigned[int64]{}
	case KindInt:
		pl.codec = varintSigned[int]{}
	case KindUint16:
		pl.codec = varintUnsigned[uint16]{}
	case KindUint32:
		pl.codec = varintUnsigned[uint32]{}
	case KindUint64:
		pl.codec = varintUnsigned[uint64]{}
	case KindUint:
		pl.codec = varintUnsigned[uint]{}
	case KindUintptr:
		pl.codec = varintUnsigned[uintptr]{}
	}
	return pl
}

func (c *compiler) union(rt reflect.Type) codec {
	u := &unionCodec{rt: rt, tags: map[reflect.Type]int{}}
	for i, m := range c.unions[rt] {
		u.members = append(u.members, member{c.plan(pointed(m)), m != pointed(m)})
		u.tags[m] = i + 1
	}
	return u
}

func (c *compiler) array(pl *plan) {
	elem := c.plan(pl.rt.Elem())
	n := pl.rt.Len()
	pl.codec = &arrayCodec{elem: elem, n: n, stride: pl.rt.Elem().Size()}
	pl.min = times(elem.min, n)
	pl.fixed = elem.fixed || n == 0
	pl.image = elem.image && pl.min < maxSize
	pl.partial = elem.partial
	if pl.image {
		pl.codec = imageCodec{pl.min, pl.codec}
	}
}

func (c *compiler) structType(pl *plan, t *Type) {
	s := &structCodec{recursive: contains(t, t)}
	pl.codec = s
	pl.partial = partial(pl.rt, c.leaf)
	pl.fixed = true
	for i, bound := range c.tags[t] {
		sf, f := pl.rt.Field(bound.index), t.Fields[i]
		p := part{offset: sf.Offset, name: sf.Name, bit: -1}
		switch {
		case f.Type.Kind == KindBool:
			s.bits = append(s.bits, bitField{sf.Offset, true})
			continue
		case f.Type.Kind == KindPointer:
			p.bit = len(s.bits)
			s.bits = append(s.bits, bitField{sf.Offset, false})
			p.plan = c.plan(sf.Type.Elem())
			pl.fixed = false
		default:
			p.plan = c.field(sf.Type, f.Type, bound.tag)
		}
		if p.bit < 0 {
			pl.min = plus(pl.min, p.min)
			pl.fixed = pl.fixed && p.fixed
		}
		s.parts = append(s.parts, p)
	}
	s.presence = (len(s.bits) + 7) / 8
	pl.min = plus(pl.min, s.presence)
	s.parts = mergeRuns(s.parts)
	// A struct that is one run from its first byte to its last is an image itself.
	pl.image = !c.portable && len(s.parts) == 1 && s.presence == 0 && s.parts[0].bit < 0 && s.parts[0].image &&
		uintptr(s.parts[0].min) == pl.rt.Size()
}

// mergeRuns puts one part in the place of neighbouring fields whose memory is their bytes and has no gaps.
func mergeRuns(parts []part) []part {
	var merged []part
	for len(parts) > 0 {
		n := runLength(parts)
		if n < 2 {
			merged = append(merged, parts[0])
			parts = parts[1:]
			continue
		}
		start, size := parts[0].offset, 0
		fields := parts[:n:n]
		for k := range fields {
			fields[k].offset -= start
			size += fields[k].min
		}
		merged = append(merged, part{
			plan:   &plan{codec: imageCodec{size, &structCodec{parts: fields}}, min: size, fixed: true, image: true},
			offset: start,
			bit:    -1,
		})
		parts = parts[n:]
	}
	return merged
}

// runLength returns how many parts from the first on lie in memory as they do on the wire.
func runLength(parts []part) int {
	end, size := parts[0].offset, 0
	for n, p := range parts {
		if size = plus(size, p.min); p.bit >= 0 || !p.image || p.offset != end || size == maxSize {
			return n
		}
		end += uintptr(p.min)
	}
	return len(parts)
}

// contains reports whether a value of type t can hold a value of the struct type want, in fields of any depth.
func contains(t, want *Type) bool {
	seen := map[*Type]bool{}
	var within func(*Type) bool
	within = func(t *Type) bool {
		if t == nil || seen[t] {
			return false
		}
		seen[t] = true
		parts := []*Type{t.Elem, t.Key}
		for _, f := range t.Fields {
			parts = append(parts, f.Type)
		}
		parts = append(parts, t.Members...)
		for _, p := range parts {
			if p == want || within(p) {
				return true
			}
		}
		return false
	}
	return within(t)
}

// plus and times add and multiply sizes that are cut at maxSize.
func plus(a, b int) int { return int(min(int64(a)+int64(b), maxSize)) }

func times(a, n int) int {
	if n > 0 && int64(a) > maxSize/int64(n) {
		return maxSize
	}
	return a * n
}
