package record

import "github.com/rwgen/rwgen/runtime/wire"

// widths knows the least sizes of the types of one schema: bytes on the wire, and in the memory of a 64-bit machine.
type widths struct {
	wire   map[*Type]width
	memory map[*Type]int64
}

// width is the least size of a value, cut at maxSize, and whether all have it.
type width struct {
	min   int
	fixed bool
}

func newWidths() *widths { return &widths{map[*Type]width{}, map[*Type]int64{}} }

// of returns the width of a value. REQUIRES: not endless.
func (l *widths) of(f form) width {
	t := f.Type
	switch {
	case f.varint:
		return width{1, false}
	case f.nano:
		return width{wire.UnixNanoLen, true}
	}
	if bits, _ := integer(t.Kind); bits > 0 {
		return width{bits / 8, true}
	}
	switch t.Kind {
	case KindBool:
		return width{1, true}
	case KindFloat32:
		return width{4, true}
	case KindFloat64, KindComplex64:
		return width{8, true}
	case KindComplex128:
		return width{16, true}
	case KindTime:
		return width{wire.TimeLen, true}
	case KindArray:
		if t.Len == 0 {
			return width{0, true}
		}
		e := l.of(form{Type: t.Elem})
		return width{times(e.min, int(min(t.Len, maxSize))), e.fixed}
	case KindStruct:
		w, ok := l.wire[t]
		if !ok {
			w = l.fields(t)
			l.wire[t] = w
		}
		return w
	}
	return width{1, false}
}

func (l *widths) fields(t *Type) width {
	w := width{fixed: true}
	bits := 0
	for i := range t.Fields {
		switch f := &t.Fields[i]; f.Type.Kind {
		case KindPointer:
			w.fixed = false
			bits++
		case KindBool:
			bits++
		default:
			part := l.of(formOf(f))
			w.min = plus(w.min, part.min)
			w.fixed = w.fixed && part.fixed
		}
	}
	w.min = plus(w.min, (bits+7)/8)
	return w
}

// bytes returns a number of bytes that a value of t takes in memory at least: that of its parts, without gaps and without what is not in the schema.
func (l *widths) bytes(t *Type) int64 {
	switch t.Kind {
	case KindString, KindComplex128, KindUnion:
		return 16
	case KindBytes, KindSlice, KindTime:
		return 24
	case KindPointer, KindMap:
		return 8
	case KindCodec:
		return 0
	case KindArray:
		e := l.bytes(t.Elem)
		if e > 0 && t.Len > maxSize/e {
			return maxSize
		}
		return e * t.Len
	case KindStruct:
		n, ok := l.memory[t]
		if !ok {
			for _, f := range t.Fields {
				n = min(n+l.bytes(f.Type), maxSize)
			}
			l.memory[t] = n
		}
		return n
	}
	return int64(l.of(form{Type: t}).min)
}

// recursiveStructs returns the structs that can contain themselves, as [contains] has it, of all types that t is made of.
func recursiveStructs(t *Type) map[*Type]bool {
	type place struct{ index, low int }
	var (
		found = map[*Type]bool{}
		seen  = map[*Type]*place{}
		stack []*Type
		open  = map[*Type]bool{}
		visit func(*Type) *place
	)
	// The components of types that contain each other, after Tarjan.
	visit = func(t *Type) *place {
		p := &place{len(seen), len(seen)}
		seen[t] = p
		stack = append(stack, t)
		open[t] = true
		self := false
		for part := range t.parts() {
			self = self || part == t
			if q, ok := seen[part]; !ok {
				p.low = min(p.low, visit(part).low)
			} else if open[part] {
				p.low = min(p.low, q.index)
			}
		}
		if p.low < p.index {
			return p
		}
		for first := true; ; first = false {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			delete(open, last)
			found[last] = last.Kind == KindStruct && (!first || last != t || self)
			if last == t {
				return p
			}
		}
	}
	visit(t)
	return found
}
