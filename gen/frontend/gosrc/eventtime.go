package gosrc

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/spec"
)

// punctuation checks the function that says which records are punctuations.
func (u *unit) punctuation(t types.Type, decl *typeDecl, b *builder, name string, report spec.Reporter) bool {
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
