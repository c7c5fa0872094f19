package gosrc

import (
	"go/types"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/record"
)

// fillStruct adds the fields of st, the underlying type of t, to out. It goes on after a field that fails, so that all are reported.
func (b *builder) fillStruct(out *ir.Type, st *types.Struct, t types.Type, p place) bool {
	hidden := b.hidden(st)
	if len(hidden) > 0 {
		b.fail(p, diag.Field, leaveOut, "%s has fields that package %s does not export%s",
			b.typeString(t), hidden[0].Pkg().Name(), b.list(hidden))
		if !b.u.editable[hidden[0].Pkg().Path()] {
			return false
		}
	}
	ok := len(hidden) == 0
	for i := range st.NumFields() {
		v := st.Field(i)
		f := &ir.Field{Name: v.Name(), Embedded: v.Embedded(), Pos: b.u.position(v.Pos()), Doc: b.u.fieldDoc(v.Pos())}
		out.Fields = append(out.Fields, f)
		if v.Name() == "_" {
			f.Skip = true
			continue
		}
		at := place{path: p.path + "." + v.Name(), pos: p.pos, field: p.field, foreign: true}
		if b.u.editable[v.Pkg().Path()] {
			at.pos, at.field, at.foreign = v.Pos(), v.Name(), false
		}
		tag, hint, err := parseTag(st.Tag(i))
		if err != nil {
			b.fail(at, diag.Tag, hint, "%v", err)
			ok = false
			continue
		}
		if tag.Skip {
			f.Skip = true
			continue
		}
		if slices.Contains(hidden, v) {
			continue
		}
		f.Type = b.build(v.Type(), at)
		if f.Type == nil {
			ok = false
			continue
		}
		if f.Varint = tag.Varint; f.Varint && !varintKind(f.Type.Kind) {
			b.fail(at, diag.Tag, "remove it",
				`the tag rw:"varint" is for integers of 16 and more bits, not for %s`, b.typeString(v.Type()))
			ok = false
		}
	}
	return ok
}

// hidden returns the fields that code of the package cannot reach, other than those that are no part of the format.
func (b *builder) hidden(st *types.Struct) []*types.Var {
	var fields []*types.Var
	for i := range st.NumFields() {
		v := st.Field(i)
		if v.Exported() || v.Name() == "_" || v.Pkg().Path() == b.u.pkg.PkgPath {
			continue
		}
		if tag, err := record.ParseTag(st.Tag(i)); err == nil && tag.Skip {
			continue
		}
		fields = append(fields, v)
	}
	return fields
}

// list names fields that the user could export or leave out; those of packages that are not the user's are none of their business.
func (b *builder) list(fields []*types.Var) string {
	if !b.u.editable[fields[0].Pkg().Path()] {
		return ""
	}
	names := make([]string, len(fields))
	for i, v := range fields {
		names[i] = v.Name()
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// partial reports whether values of a type differ in more than their encoding shows, by fields that are left out. What is behind a
// pointer does not count, and neither do blank fields: Go does not compare them.
func partial(t types.Type) bool {
	return holds(t, false, func(t types.Type) bool {
		st, ok := t.Underlying().(*types.Struct)
		for i := 0; ok && i < st.NumFields(); i++ {
			if tag, _ := record.ParseTag(st.Tag(i)); tag.Skip && st.Field(i).Name() != "_" {
				return true
			}
		}
		return false
	})
}

// holds reports whether hit is true of t or of a type that stands in its values as an element of an array or as a field;
// blank fields are looked at as well if blank is set.
func holds(t types.Type, blank bool, hit func(types.Type) bool) bool {
	seen := make(map[types.Type]bool) // many fields may have one type
	var walk func(types.Type) bool
	walk = func(t types.Type) bool {
		t = types.Unalias(t)
		if seen[t] {
			return false
		}
		seen[t] = true
		if hit(t) {
			return true
		}
		if isTime(t) { // its fields are no concern of anybody
			return false
		}
		switch u := t.Underlying().(type) {
		case *types.Array:
			return walk(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				if (blank || f.Name() != "_") && walk(f.Type()) {
					return true
				}
			}
		}
		return false
	}
	return walk(t)
}

// isLock reports whether t is what the copylocks check of go vet takes for a lock: pointers to it can be locked and unlocked, values cannot.
func isLock(t types.Type) bool {
	has := func(t types.Type, method string) bool {
		m, _, _ := types.LookupFieldOrMethod(t, false, nil, method)
		f, ok := m.(*types.Func)
		return ok && f.Signature().Params().Len() == 0 && f.Signature().Results().Len() == 0
	}
	if types.IsInterface(t) {
		return false
	}
	pointer := types.NewPointer(t)
	return has(pointer, "Lock") && has(pointer, "Unlock") && !(has(t, "Lock") && has(t, "Unlock"))
}

// isTime reports whether t is time.Time, the struct with an encoding of its own.
func isTime(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Time"
}

func varintKind(k ir.Kind) bool {
	switch k {
	case ir.Int16, ir.Int32, ir.Int64, ir.Int, ir.Uint16, ir.Uint32, ir.Uint64, ir.Uint, ir.Uintptr:
		return true
	}
	return false
}
