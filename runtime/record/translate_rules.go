package record

import "slices"

// skip returns the rules that pass over a value of the writer. There are none for one without bytes.
func (c *translator) skip(f form) []skip {
	if w := c.writer.of(f); w.fixed {
		if w.min == 0 {
			return nil
		}
		return []skip{{op: skipFixed, n: w.min}}
	}
	if f.varint {
		return []skip{{op: skipVarint}}
	}
	switch f.Kind {
	case KindBytes:
		return []skip{{op: skipBytes}}
	case KindPointer:
		return []skip{{op: skipPointer, elem: c.skip(form{Type: f.Elem})}}
	case KindSlice:
		w := c.writer.of(form{Type: f.Elem})
		return []skip{{op: skipSlice, min: w.min, fixed: w.fixed, elem: c.skip(form{Type: f.Elem})}}
	case KindMap:
		k, e := c.writer.of(form{Type: f.Key}), c.writer.of(form{Type: f.Elem})
		entry := thenSkip(c.skip(form{Type: f.Key}), c.skip(form{Type: f.Elem})...)
		return []skip{{op: skipSlice, min: plus(k.min, e.min), fixed: k.fixed && e.fixed, elem: entry}}
	case KindArray:
		return []skip{{op: skipArray, count: f.Len, elem: c.skip(form{Type: f.Elem})}}
	case KindUnion:
		s := skip{op: skipUnion}
		for _, m := range f.Members {
			s.union = append(s.union, c.skip(form{Type: m}))
		}
		return []skip{s}
	case KindStruct:
		return c.skipFields(f.Type)
	}
	return []skip{{op: skipString}} // a codec as well
}

// skipFields returns the rules of a struct: those of its fields if there are few and no bits to look at, else that of a block.
func (c *translator) skipFields(t *Type) []skip {
	b, ok := c.skips[t]
	if !ok {
		b = &skipBlock{bits: countBits(t), recursive: c.recursive[t]}
		b.presence = (b.bits + 7) / 8
		c.skips[t] = b
		b.rules = c.body(t, 0, len(t.Fields), bitsOf(t))
	}
	if b.bits == 0 && !b.recursive && len(b.rules) <= maxInPlace {
		return cloneSkips(b.rules)
	}
	return []skip{{op: skipStruct, block: b}}
}

// body returns the rules for the fields of a writer's struct from one up to another, behind the presence bits.
func (c *translator) body(t *Type, from, to int, bits []int) []skip {
	var rules []skip
	for k := from; k < to; k++ {
		f := &t.Fields[k]
		switch f.Type.Kind {
		case KindBool:
		case KindPointer:
			if elem := c.skip(form{Type: f.Type.Elem}); len(elem) > 0 {
				rules = thenSkip(rules, skip{op: skipIf, name: f.Name, n: bits[k], elem: elem})
			}
		default:
			rules = thenSkip(rules, inSkips(f.Name, c.skip(formOf(f)))...)
		}
	}
	return rules
}

func cloneSkips(rules []skip) []skip {
	rules = slices.Clone(rules)
	for i := range rules {
		rules[i].runs = slices.Clone(rules[i].runs)
	}
	return rules
}

// thenSkip adds rules, and makes one of two fixed widths. Both are the caller's to change.
func thenSkip(rules []skip, more ...skip) []skip {
	for _, s := range more {
		if len(rules) > 0 && s.op == skipFixed {
			if last := &rules[len(rules)-1]; last.op == skipFixed {
				last.runs = append(runsOf(last), runsOf(&s)...)
				last.n = plus(last.n, s.n)
				continue
			}
		}
		rules = append(rules, s)
	}
	return rules
}

func runsOf(s *skip) []named {
	if len(s.runs) > 0 {
		return s.runs
	}
	return []named{{s.name, s.n}}
}

// inSkips returns rules as those of a field.
func inSkips(name string, rules []skip) []skip {
	if len(rules) == 0 {
		return nil
	}
	in := make([]skip, len(rules))
	for i, s := range rules {
		s.name = joinPath(name, s.name)
		runs := make([]named, 0, len(s.runs))
		for _, r := range s.runs {
			runs = append(runs, named{joinPath(name, r.name), r.n})
		}
		s.runs = runs
		in[i] = s
	}
	return in
}
