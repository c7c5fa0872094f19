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
		hint := leaveOut
		if n, ok := t.(*types.Named); ok && !holds(t, true, isTime, isLock) && p.field != "" {
			hint = prefix + "codec " + b.typeString(n) + " on a type with the methods Append and Consume, or " + leaveOut
		}
		b.fail(p, diag.Field, hint, "%s has fields that package %s does not export%s",
			b.typeString(t), hidden[0].Pkg().Name(), b.list(hidden))
		if !b.u.editable[hidden[0].Pkg().Path()] {
			return false
		}
	}
	ok := len(hidden) == 0
	places := make(map[*ir.Field]place)
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
		places[f] = at
		tag, faults := parseTag(st.Tag(i))
		ok = b.faults(at, faults) && ok
		if tag.Skip {
			f.Skip = true
			continue
		}
		if slices.Contains(hidden, v) {
			continue
		}
		if f.Type = b.build(v.Type(), at); f.Type == nil {
			ok = false
			continue
		}
		ok = b.faults(at, applyTag(f, tag, b.typeString(v.Type()))) && ok
	}
	return b.checkNames(out, places) && ok
}

// faults reports what is wrong with the tag of a field, and returns whether it is nothing.
func (b *builder) faults(at place, faults []tagFault) bool {
	for _, f := range faults {
		b.fail(at, diag.Tag, f.hint, "%s", f.message)
	}
	return len(faults) == 0
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

// partial reports whether a struct type has fields that are left out, other than blank ones, which Go does not compare.
func partial(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < st.NumFields(); i++ {
		if tag, _ := record.ParseTag(st.Tag(i)); tag.Skip && st.Field(i).Name() != "_" {
			return true
		}
	}
	return false
}

// inKey reports whether hit is true of a part of the map key t. What is behind a pointer does not count, nor do the parts of types with an
// encoding of their own.
func (b *builder) inKey(t types.Type, hit func(types.Type) bool) bool {
	return holds(t, false, func(t types.Type) bool {
		done := b.named[typeKey(t)]
		return isTime(t) || done != nil && done.Kind == ir.Codec
	}, hit)
}

// holds reports whether hit is true of t or of a type that stands in its values as an element of an array or as a field;
// blank fields are looked at as well if blank is set. It does not look into types for which end is true.
func holds(t types.Type, blank bool, end, hit func(types.Type) bool) bool {
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
		if end(t) {
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
