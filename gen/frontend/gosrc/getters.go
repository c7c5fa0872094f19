package gosrc

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/spec"
	"github.com/rwgen/rwgen/gen/ir"
)

// path follows a dotted path from the record, whose Go type is t, to a field, where the IR has no fields. It returns nil for what has been reported.
func (b *builder) path(use spec.Use, r *ir.Record, t types.Type, decl *typeDecl, name string, report spec.Reporter) ir.Path {
	if r.Type == nil {
		return nil // something is wrong with it
	}
	s := steps{builder: b, use: use, r: r, pos: decl.spec.Name.Pos(), report: report, whole: name}
	var path ir.Path
	where := r.Name
	for elem := range strings.SplitSeq(name, ".") {
		if elem == "" {
			use.Unnamed(report)
			return nil
		}
		f, next := s.step(t, elem, where, path)
		if f == nil {
			return nil
		}
		path, where, t = append(path, f), where+"."+elem, next
	}
	return s.end(path, t)
}

// steps finds the way to a field of a record whose fields have no encoding. In messages it goes by getters where there are any: what stands behind a pointer that may be nil, in a oneof, or in a field that is not
// exported has a value then, too, which is that of the default.
type steps struct {
	*builder
	use    spec.Use
	r      *ir.Record
	pos    token.Pos // of the record
	report spec.Reporter
	whole  string // the path as it was given
}

// step returns one step of a path, without its type, and the Go type that it leads to. It is nil if there is no such field, which is reported.
func (s *steps) step(t types.Type, elem, where string, before ir.Path) (*ir.Field, types.Type) {
	base := types.Unalias(t)
	ptr, isPtr := base.(*types.Pointer)
	if isPtr {
		base = types.Unalias(ptr.Elem())
	}
	st, ok := base.Underlying().(*types.Struct)
	if !ok {
		s.report(s.use.Category, "", "%s is no struct and has no field %s", where, elem)
		return nil, nil
	}
	if s.r.Format == ir.Protobuf {
		if m := getter(base, elem); m != nil {
			return &ir.Field{Name: elem, Methods: []string{"Get" + elem}, Pos: s.u.position(m.Pos())}, m.Signature().Results().At(0).Type()
		}
	}
	var names []string
	for f := range st.Fields() {
		if f.Name() == "_" || !f.Exported() && f.Pkg().Path() != s.u.pkg.PkgPath {
			continue
		}
		if f.Name() == elem {
			if isPtr {
				s.report(s.use.Category, "", "%s is behind the pointer %s, but %s", s.whole, where, s.use.Always)
				return nil, nil
			}
			return &ir.Field{Name: elem, Embedded: f.Embedded(), Pos: s.u.position(f.Pos())}, f.Type()
		}
		if f.Exported() {
			names = append(names, f.Name())
		}
	}
	s.report(s.use.Category, s.suggest(base, names, elem, before), "%s has no field %s", where, elem)
	return nil, nil
}

// suggest returns the option that was probably meant by elem.
func (s *steps) suggest(t types.Type, names []string, elem string, before ir.Path) string {
	names = s.getters(t, names)
	lead := s.use.Option
	if len(before) > 0 {
		lead += before.String() + "."
	}
	if near := diag.Nearest(elem, names); near != "" {
		return lead + strings.Join(append([]string{near}, s.follow(t, near, strings.Split(s.whole, ".")[len(before)+1:])...), ".")
	}
	if len(names) > 8 {
		names = append(names[:8], "…")
	}
	return "one of " + strings.Join(names, ", ")
}

// getters adds the fields of a message that have getters to names, and returns them sorted, each once.
func (s *steps) getters(t types.Type, names []string) []string {
	if n, ok := t.(*types.Named); ok && s.r.Format == ir.Protobuf {
		for m := range n.Methods() {
			if name, ok := strings.CutPrefix(m.Name(), "Get"); ok && getter(t, name) != nil {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// follow returns the names of the fields that were probably meant by rest, behind the field name of t, up to the first that is like none.
func (s *steps) follow(t types.Type, name string, rest []string) []string {
	var found []string
	for _, elem := range rest {
		obj, _, ok := fieldOrMethod(t, name)
		if m := getter(t, name); m != nil && s.r.Format == ir.Protobuf {
			obj = m.Signature().Results().At(0)
		} else if _, isField := obj.(*types.Var); !ok || !isField {
			break
		}
		t = types.Unalias(obj.Type())
		if ptr, ok := t.(*types.Pointer); ok {
			t = types.Unalias(ptr.Elem())
		}
		var names []string
		if st, ok := t.Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				if f.Exported() {
					names = append(names, f.Name())
				}
			}
		}
		names = s.getters(t, names)
		if name = elem; !slices.Contains(names, elem) {
			name = diag.Nearest(elem, names)
		}
		if name == "" {
			break
		}
		found = append(found, name)
	}
	return found
}

// getter returns the method of *t that returns the value of a field, nil if there is none.
func getter(t types.Type, field string) *types.Func {
	n, ok := t.(*types.Named)
	if !ok || field == "" {
		return nil
	}
	for m := range n.Methods() {
		if sig := m.Signature(); m.Name() == "Get"+field && sig.Params().Len() == 0 && sig.Results().Len() == 1 && !sig.Variadic() {
			return m
		}
	}
	return nil
}

// end completes the last step of a path with the type of the field, nil if it cannot be used, which is reported. A timestamp of Protobuf is a time.
func (s *steps) end(path ir.Path, t types.Type) ir.Path {
	leaf := path.Leaf()
	if s.r.Format == ir.Protobuf {
		if ptr, ok := types.Unalias(t).(*types.Pointer); ok && isTimestamp(ptr.Elem()) && len(leaf.Methods) > 0 {
			leaf.Methods = append(leaf.Methods, "AsTime")
			leaf.Type = &ir.Type{Kind: ir.Time, GoSize: 24}
			return path
		}
		switch u := t.Underlying().(type) {
		case *types.Basic:
		case *types.Slice:
			if !types.Identical(u.Elem(), types.Typ[types.Byte]) {
				return s.unfit(path, "it is a repeated field")
			}
		case *types.Map:
			return s.unfit(path, "it is a map")
		case *types.Interface:
			return s.unfit(path, "it is a oneof; name one of its fields")
		default:
			return s.unfit(path, "it is a message; name a field of it")
		}
	}
	before := len(*s.u.diags)
	leaf.Type = s.build(t, place{path: s.r.Name + "." + path.String(), pos: s.pos})
	if leaf.Type == nil && len(*s.u.diags) == before {
		return s.unfit(path, "its type has no encoding")
	}
	return path
}

func (s *steps) unfit(path ir.Path, why string) ir.Path {
	s.report(s.use.Category, "a field of a basic type, string, bytes or google.protobuf.Timestamp", "%s cannot be %s: %s",
		fmt.Sprintf("%s.%s", s.r.Name, path), s.use.Noun, why)
	return nil
}

// isTimestamp reports whether t is the message google.protobuf.Timestamp.
func isTimestamp(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "google.golang.org/protobuf/types/known/timestamppb" && n.Obj().Name() == "Timestamp"
}
