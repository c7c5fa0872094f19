package record

// form is a type as it stands in a place: a direct field may say more than its type.
type form struct {
	*Type
	varint, nano bool
}

func formOf(f *Field) form { return form{f.Type, f.Varint, f.UnixNano} }

// sameness knows of which pairs of types the reader takes the writer's bytes as they are.
type sameness struct {
	differs map[typePair]bool       // every pair that was met
	users   map[[2]*Type][]typePair // what differs if the pair does
}

// typePair is a type of the writer and one of the reader.
type typePair = [2]*Type

// newSameness looks at the pairs that two records are made of. A pair is the same unless it differs itself or holds one that differs: so cycles are the same.
func newSameness(w, r *Type) *sameness {
	s := &sameness{differs: map[typePair]bool{}, users: map[typePair][]typePair{}}
	root := typePair{w, r}
	s.differs[root] = false
	var bad []typePair
	for queue := []typePair{root}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		differs := s.look(p, func(part typePair) {
			if _, met := s.differs[part]; !met {
				s.differs[part] = false
				queue = append(queue, part)
			}
			s.users[part] = append(s.users[part], p)
		})
		if differs {
			bad = append(bad, p)
		}
	}
	for ; len(bad) > 0; bad = bad[1:] {
		if p := bad[0]; !s.differs[p] {
			s.differs[p] = true
			bad = append(bad, s.users[p]...)
		}
	}
	return s
}

// forms reports whether the reader takes the bytes of a value as they are.
func (s *sameness) forms(w, r form) bool {
	switch {
	case w.nano != r.nano || w.varint != r.varint:
		return false
	case w.varint:
		return sameVarint(w.Type, r.Type)
	}
	differs, met := s.differs[typePair{w.Type, r.Type}]
	return met && !differs
}

// sameVarint: the width of an integer does not show in a varint, its sign does.
func sameVarint(w, r *Type) bool {
	_, ws := integer(w.Kind)
	_, rs := integer(r.Kind)
	return ws == rs
}

// look reports whether a pair differs itself, and gives its parts to use.
func (s *sameness) look(p typePair, use func(typePair)) bool {
	w, r := p[0], p[1]
	wb, ws := integer(w.Kind)
	rb, rs := integer(r.Kind)
	if wb > 0 && rb > 0 {
		return wb != rb || ws != rs
	}
	if w.Kind != r.Kind {
		if r.Kind == KindPointer && w.Kind != KindPointer {
			use(typePair{w, r.Elem}) // for who looks for the bytes behind the pointer
		}
		return true
	}
	switch w.Kind {
	case KindPointer, KindSlice, KindArray:
		use(typePair{w.Elem, r.Elem})
		return w.Len != r.Len
	case KindMap:
		use(typePair{w.Key, r.Key})
		use(typePair{w.Elem, r.Elem})
	case KindStruct:
		return s.structs(w, r, use)
	case KindUnion:
		differs := false
		for i, to := range memberTags(w, r) {
			differs = differs || to != i
			if to >= 0 {
				use(typePair{w.Members[i], r.Members[to]})
			}
		}
		return differs
	case KindCodec:
		return w.Codec != r.Codec
	}
	return false
}

func (s *sameness) structs(w, r *Type, use func(typePair)) bool {
	differs := len(w.Fields) != len(r.Fields)
	for i, from := range sources(w, r) {
		if from < 0 {
			differs = true
			continue
		}
		wf, rf := &w.Fields[from], &r.Fields[i]
		differs = differs || from != i || wf.UnixNano != rf.UnixNano || wf.Varint != rf.Varint
		if wf.Varint && rf.Varint {
			differs = differs || !sameVarint(wf.Type, rf.Type)
			continue
		}
		use(typePair{wf.Type, rf.Type})
	}
	return differs
}
