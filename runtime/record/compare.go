package record

import (
	"cmp"
	"fmt"
)

// Incompatibility is a reason why a reader cannot read the data of a writer with another schema.
type Incompatibility struct {
	// Path leads from the record to the place, in the names of the reader's schema where it has them: Order.Lines[].Sku, with [] for elements and map
	// values, [key] for map keys and (Circle) for a member of a union.
	Path   string
	What   string // what is different: "i64 became i32"
	Why    string // why that cannot be read
	Remedy string // what to do instead
}

// String returns all of it on one line.
func (i Incompatibility) String() string {
	return fmt.Sprintf("%s: %s: %s; %s", i.Path, i.What, i.Why, i.Remedy)
}

// Compare returns why a reader of the record type reader cannot read what was written under the record type writer, in the order of the reader's fields;
// nil if it can. Both are structs as [NewSchema] takes them; the reader's has the aliases and defaults of its tags, the writer's may come from
// [ParseSchema].
//
// Fields are matched by their names, those that the writer has under no such name by an alias. A field that only the reader has gets its default or the zero
// value; one that only the writer has is skipped; their order is of no account. A field may become wider: a larger integer, an unsigned one a
// larger signed one, int and i64 for each other, uint and u64 as well, f32 to f64, fixed to varint and back, string and bytes for each other, time
// and unixnano for each other, a value the pointer to it. A union may have more members in the reader, and others in another order: members are matched by their names. Types with
// an encoding of their own must keep its name, and cannot be those of fields that only the reader has, unless behind a pointer: nobody but the type knows the bytes of its zero
// value. Other names of types within records are of no account.
//
// A record of another name is another record, whatever its fields are, unless the name is one of the reader's [Type.Aliases]. If one of the two has no name, as only records that are made by
// reflection may, it is enough that they have a field in common. A difference in a struct or union that is there several times is reported once.
//
// [Resolve] is less strict about members that the reader lacks, because most records may do without.
func Compare(writer, reader *Type) []Incompatibility {
	c := schemaComparison{members: true}
	return c.records(writer, reader)
}

// schemaComparison is one comparison: pairs of types that are being compared, or were, are not compared again.
type schemaComparison struct {
	members bool // report members that the reader lacks
	unknown bool // report fields that the reader lacks
	found   []Incompatibility
	seen    map[[2]*Type]bool
}

func (c *schemaComparison) records(w, r *Type) []Incompatibility {
	wname, rname := w.InstanceName(), r.InstanceName()
	path := cmp.Or(rname, "record")
	switch {
	case wname != "" && rname != "":
		if wname != rname && !r.HadName(wname) {
			c.fail(path, "the writer's is "+wname, "it is another record", "connect writers and readers of one record; if it was renamed, name "+wname+" as an alias of the reader's")
			return c.found
		}
	case len(w.Fields) > 0 && len(r.Fields) > 0 && wname != rname && !common(w, r):
		c.fail(path, cmp.Or(wname, "the writer's")+" has no field of it", "it is another record", "connect writers and readers of one record, or keep one field")
		return c.found
	}
	c.types(path, w, r)
	return c.found
}

// common reports whether two structs have a field in common.
func common(w, r *Type) bool {
	for _, from := range sources(w, r) {
		if from >= 0 {
			return true
		}
	}
	return false
}

// sources returns, for each field of the reader's struct, the index of the field of the writer's that it is read from, -1 for none.
func sources(w, r *Type) []int {
	byName := make(map[string]int, len(w.Fields))
	for i := range w.Fields {
		byName[w.Fields[i].Name] = i
	}
	own := make(map[string]bool, len(r.Fields))
	for _, f := range r.Fields {
		own[f.Name] = true
	}
	from := make([]int, len(r.Fields))
	for i, f := range r.Fields {
		at, ok := byName[f.Name]
		for _, alias := range f.Aliases {
			if !ok && !own[alias] {
				at, ok = byName[alias]
			}
		}
		if !ok {
			at = -1
		}
		from[i] = at
	}
	return from
}

func (c *schemaComparison) fail(path, what, why, remedy string) {
	c.found = append(c.found, Incompatibility{path, what, why, remedy})
}

// types compares what a value is.
func (c *schemaComparison) types(path string, w, r *Type) {
	pair := [2]*Type{w, r}
	if w == r || c.seen[pair] {
		return
	}
	switch {
	case w.Kind == KindPointer && r.Kind == KindPointer:
		c.types(path, w.Elem, r.Elem)
	case r.Kind == KindPointer:
		c.types(path, w, r.Elem) // a value became optional
	case w.Kind == KindPointer:
		c.fail(path, describeType(w)+" became "+describeType(r), "the writer may have sent nil", "keep the pointer")
	case w.Kind != r.Kind:
		c.kinds(path, w, r)
	case w.Kind == KindStruct:
		c.remember(pair)
		c.structs(path, w, r)
	case w.Kind == KindUnion:
		c.remember(pair)
		c.unions(path, w, r)
	case w.Kind == KindSlice:
		c.types(path+"[]", w.Elem, r.Elem)
	case w.Kind == KindArray:
		if w.Len != r.Len {
			c.fail(path, describeType(w)+" became "+describeType(r), "the lengths of arrays are fixed", "keep the length, or add a field and leave this one")
			return
		}
		c.types(path+"[]", w.Elem, r.Elem)
	case w.Kind == KindMap:
		c.types(path+"[key]", w.Key, r.Key)
		c.types(path+"[]", w.Elem, r.Elem)
	case w.Kind == KindCodec:
		if w.Codec != r.Codec {
			c.fail(path, w.Codec+" became "+r.Codec, "only the type's own code knows its bytes", "keep the type and its encoding, or add a field and leave this one")
		}
	}
}

func (c *schemaComparison) remember(pair [2]*Type) {
	if c.seen == nil {
		c.seen = map[[2]*Type]bool{}
	}
	c.seen[pair] = true
}

// kinds compares types of different kinds.
func (c *schemaComparison) kinds(path string, w, r *Type) {
	if widens(w.Kind, r.Kind) {
		return
	}
	what := describeType(w) + " became " + describeType(r)
	switch {
	case widens(r.Kind, w.Kind):
		c.fail(path, what, "values of the writer may be beyond the reader's", "keep the wider type")
	case w.Kind == KindCodec || r.Kind == KindCodec:
		c.fail(path, what, "only the type's own code knows its bytes", "keep the type and its encoding, or add a field and leave this one")
	default:
		c.fail(path, what, "the one cannot be read as the other", "add a field of another name and leave this one")
	}
}

// widens reports whether every value of kind w is one of kind r.
func widens(w, r Kind) bool {
	wb, ws := integer(w)
	rb, rs := integer(r)
	switch {
	case w == KindUintptr || r == KindUintptr: // an address is a number to nobody else
		return false
	case wb > 0 && rb > 0:
		return ws == rs && wb <= rb || !ws && rs && wb < rb
	case w == KindFloat32 && r == KindFloat64, w == KindString && r == KindBytes, w == KindBytes && r == KindString:
		return true
	}
	return false
}

func (c *schemaComparison) structs(path string, w, r *Type) {
	used := make([]bool, len(w.Fields))
	for i, from := range sources(w, r) {
		f := &r.Fields[i]
		if from >= 0 {
			used[from] = true
			c.types(path+"."+f.Name, w.Fields[from].Type, f.Type)
		} else if own := standing(f.Type); own != nil {
			c.fail(path+"."+f.Name, "a field of "+own.Codec+" was added", "only the type's own code knows the bytes of its zero value", "add a pointer to it")
		}
	}
	for i, f := range w.Fields {
		if c.unknown && !used[i] {
			c.fail(path+"."+f.Name, "the field is unknown", "the reader refuses fields that it does not know", "add it to the reader, or let it skip them")
		}
	}
}

// standing returns a type with an encoding of its own of which every value of t holds one, nil if there is none.
func standing(t *Type) *Type {
	seen := map[*Type]bool{}
	var find func(*Type) *Type
	find = func(t *Type) *Type {
		switch {
		case t.Kind == KindCodec:
			return t
		case t.Kind == KindArray && t.Len > 0:
			return find(t.Elem)
		case t.Kind == KindStruct && !seen[t]:
			seen[t] = true
			for _, f := range t.Fields {
				if own := find(f.Type); own != nil {
					return own
				}
			}
		}
		return nil
	}
	return find(t)
}

func (c *schemaComparison) unions(path string, w, r *Type) {
	for i, to := range memberTags(w, r) {
		m := w.Members[i]
		switch {
		case to >= 0:
			c.types(path+"("+memberName(m)+")", m, r.Members[to])
		case c.members:
			c.fail(path, "member "+memberName(m)+" was removed", "the writer may have sent one", "keep the member")
		}
	}
}

// memberTags returns, for each member of the writer's union, the index of the reader's that it is read as, -1 for none. Types of several packages may share a name: the first is
// matched with the first, and so on.
func memberTags(w, r *Type) []int {
	byName := map[string][]int{}
	for i, m := range r.Members {
		byName[memberName(m)] = append(byName[memberName(m)], i)
	}
	to := make([]int, len(w.Members))
	for i, m := range w.Members {
		to[i] = -1
		if same := byName[memberName(m)]; len(same) > 0 {
			to[i] = same[0]
			byName[memberName(m)] = same[1:]
		}
	}
	return to
}

// memberName returns what tells a member of a union apart.
func memberName(t *Type) string {
	switch {
	case t == nil || t.Kind == KindTime:
		return describeType(t)
	case t.Name != "":
		return t.InstanceName()
	case t.Kind == KindCodec:
		return t.Codec
	}
	return describeType(t)
}

// describeType returns a type in words of the schema text, named types by their names.
func describeType(t *Type) string {
	switch {
	case t == nil:
		return KindInvalid.String()
	case t.Kind == KindStruct && t.Name == "":
		return "{…}"
	case t.Kind == KindStruct || t.Kind == KindUnion:
		return t.InstanceName()
	case t.Kind == KindCodec:
		return t.Codec
	}
	switch t.Kind {
	case KindPointer:
		return "*" + describeType(t.Elem)
	case KindSlice:
		return "[]" + describeType(t.Elem)
	case KindArray:
		return fmt.Sprintf("[%d]%s", t.Len, describeType(t.Elem))
	case KindMap:
		return "map[" + describeType(t.Key) + "]" + describeType(t.Elem)
	}
	return t.Kind.String()
}
