package gosrc

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// eventTime looks up the field and the function of a writer's event time, nil if there is something wrong with them.
func (u *unit) eventTime(r *ir.Record, t types.Type, decl *typeDecl, b *builder, w writerSpec) *ir.EventTime {
	spec := w.eventTime
	report := u.reporter(w, spec.at)
	path := b.path(asEventTime, r, t, decl, spec.field, report)
	ok := path != nil && u.timeField(r, path, spec, report)
	if spec.way == ir.Punctuated {
		ok = u.punctuation(r, t, decl, b, spec.function, u.reporter(w, spec.markAt)) && ok
	}
	if !ok {
		return nil
	}
	return &ir.EventTime{Field: path, Unit: spec.unit, Watermark: spec.way, Bound: spec.bound, Func: spec.function}
}

// timeField reports a field that is no event time, or whose unit is missing or too much.
func (u *unit) timeField(r *ir.Record, path ir.Path, spec timeSpec, report reporter) bool {
	where := r.Name + "." + path.String()
	t := path.Leaf().Type
	switch {
	case t == nil: // reported already
		return false
	case t.Kind == ir.Time && spec.unit != ir.NoUnit:
		report(diag.Writer, "eventtime="+path.String(), "%s is a time.Time, which has no unit", where)
	case t.Kind == ir.Time:
		return true
	case t.Kind < ir.Int8 || t.Kind > ir.Uintptr || width(t.Kind) < 32:
		report(diag.Writer, "a time.Time, or an integer with its unit, such as eventtime=Field:ms",
			"%s cannot be an event time: it is neither a time.Time nor an integer of 32 or 64 bits", where)
	case spec.unit == ir.NoUnit:
		report(diag.Writer, fmt.Sprintf("eventtime=%s:ms (or s, us, ns since the Unix epoch)", path), "%s is an integer, and needs a unit to be an event time", where)
	default:
		return true
	}
	return false
}

// width returns the number of bits of an integer.
func width(k ir.Kind) int {
	switch k {
	case ir.Int8, ir.Uint8:
		return 8
	case ir.Int16, ir.Uint16:
		return 16
	case ir.Int32, ir.Uint32:
		return 32
	}
	return 64
}

// punctuation checks the function that says which records are punctuations.
func (u *unit) punctuation(r *ir.Record, t types.Type, decl *typeDecl, b *builder, name string, report reporter) bool {
	want := fmt.Sprintf("func %s(v *%s) bool", name, b.typeString(t))
	scope := u.pkg.Types.Scope()
	found := scope.Lookup(name)
	if found == nil {
		var names []string
		for _, n := range scope.Names() {
			if fn, ok := scope.Lookup(n).(*types.Func); ok && punctuates(fn, t) {
				names = append(names, n)
			}
		}
		hint := want
		if near := diag.Nearest(name, names); near != "" {
			hint = "watermark=punctuated:" + near
		}
		report(diag.Writer, hint, "the package has no function %s", name)
		return false
	}
	fn, ok := found.(*types.Func)
	if !ok {
		report(diag.Writer, want, "%s is no function declared at package level", name)
		return false
	}
	declared := []diag.Related{{Pos: u.position(fn.Pos()), Message: "declared here"}}
	if !punctuates(fn, t) {
		report(diag.Writer, want, "the function %s has the signature %s", name, b.typeString(fn.Type())).Related = declared
		return false
	}
	if file := u.source(fn.Pos()); strings.HasSuffix(file, "_test.go") && !strings.HasSuffix(u.source(decl.spec.Pos()), "_test.go") {
		report(diag.Writer, "move it out of "+file, "the function %s exists in tests only", name).Related = declared
		return false
	}
	return true
}

// punctuates reports whether fn has the signature func(*T) bool.
func punctuates(fn *types.Func, record types.Type) bool {
	sig := fn.Signature()
	params, results := sig.Params(), sig.Results()
	return sig.Recv() == nil && sig.TypeParams().Len() == 0 && !sig.Variadic() && params.Len() == 1 && results.Len() == 1 &&
		types.Identical(params.At(0).Type(), types.NewPointer(record)) && types.Identical(results.At(0).Type(), types.Typ[types.Bool])
}
