package gosrc

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/spec"
)

// custom checks the function of a writer, and returns whether it returns an error as well.
func (u *unit) custom(t types.Type, decl *typeDecl, b *builder, name string, report spec.Reporter) (fails bool) {
	want := fmt.Sprintf("func %s(v *%s, channels int) int, or (int, error)", name, b.typeString(t))
	scope := u.pkg.Types.Scope()
	found := scope.Lookup(name)
	if found == nil {
		var names []string
		for _, n := range scope.Names() {
			if fn, ok := scope.Lookup(n).(*types.Func); ok && selects(fn, t) {
				names = append(names, n)
			}
		}
		hint := want
		if near := diag.Nearest(name, names); near != "" {
			hint = "custom=" + near
		}
		report(diag.Writer, hint, "the package has no function %s", name)
		return false
	}
	fn, ok := found.(*types.Func)
	if !ok {
		report(diag.Writer, want, "%s is no function declared at package level", name)
		return false
	}
	if !selects(fn, t) {
		report(diag.Writer, want, "the function %s has the signature %s", name, b.typeString(fn.Type())).
			Related = []diag.Related{{Pos: u.position(fn.Pos()), Message: "declared here"}}
		return false
	}
	if file := u.source(fn.Pos()); strings.HasSuffix(file, "_test.go") && !strings.HasSuffix(u.source(decl.spec.Pos()), "_test.go") {
		report(diag.Writer, "move it out of "+file, "the function %s exists in tests only", name).
			Related = []diag.Related{{Pos: u.position(fn.Pos()), Message: "declared here"}}
	}
	return fn.Signature().Results().Len() == 2
}

// selects reports whether fn has the signature func(*T, int) int or func(*T, int) (int, error).
func selects(fn *types.Func, record types.Type) bool {
	sig := fn.Signature()
	params, results := sig.Params(), sig.Results()
	if sig.Recv() != nil || sig.TypeParams().Len() > 0 || sig.Variadic() || params.Len() != 2 || results.Len() < 1 || results.Len() > 2 {
		return false
	}
	is := func(v *types.Var, t types.Type) bool { return types.Identical(v.Type(), t) }
	return is(params.At(0), types.NewPointer(record)) && is(params.At(1), types.Typ[types.Int]) && is(results.At(0), types.Typ[types.Int]) &&
		(results.Len() == 1 || is(results.At(1), types.Universe.Lookup("error").Type()))
}
