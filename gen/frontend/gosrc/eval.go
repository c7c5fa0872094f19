package gosrc

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rwgen/rwgen/gen/diag"
)

// typeExpr is the type that an expression in a directive or a flag stands for.
type typeExpr struct {
	typ types.Type
	// err says why there is none, offset is the place in the expression.
	err    string
	offset int
	// unknown is the name that is not declared, if that is the reason; qualifier says that it stands for a package.
	unknown   string
	qualifier bool
}

// eval finds the type that an expression stands for in the scope of a file of pkg.
func eval(pkg *packages.Package, file *ast.File, text string) typeExpr {
	expr, err := parser.ParseExprFrom(pkg.Fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		e := typeExpr{err: "it is no type"}
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			e.offset = min(max(0, list[0].Pos.Offset), max(0, len(text)-1))
		}
		return e
	}
	// Only names of types and what is made of them: nothing else need be evaluated, and function literals could be endless.
	if bad := notType(expr); bad != nil {
		return typeExpr{err: "it is no type", offset: int(bad.Pos() - expr.Pos())}
	}
	admitBlank(pkg, file)
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	if err := types.CheckExpr(pkg.Fset, pkg.Types, file.Name.Pos(), expr, info); err != nil {
		e := typeExpr{err: err.Error()}
		var te types.Error
		if errors.As(err, &te) {
			e.err, e.offset = oneLine(te.Msg), min(max(0, int(te.Pos-expr.Pos())), len(text)-1)
		}
		if _, name, ok := strings.Cut(e.err, "undefined: "); ok {
			e.unknown, e.qualifier = name, strings.HasPrefix(text[e.offset:], name+".") && !strings.Contains(name, ".")
		}
		return e
	}
	tv := info.Types[expr]
	switch {
	case !tv.IsType():
		return typeExpr{err: "it is no type"}
	case generic(tv.Type):
		return typeExpr{err: "it is generic and needs type arguments"}
	}
	return typeExpr{typ: tv.Type}
}

// admitBlank lets directives name the packages that a file imports as _: what only directives name is no use of an import to the compiler, which would refuse
// the file without the underscore.
func admitBlank(pkg *packages.Package, file *ast.File) {
	scope := pkg.Types.Scope().Innermost(file.Name.Pos())
	if scope == nil || scope == pkg.Types.Scope() {
		return
	}
	for _, spec := range file.Imports {
		if spec.Name == nil || spec.Name.Name != "_" {
			continue
		}
		path, err := strconv.Unquote(spec.Path.Value)
		if dep := pkg.Imports[path]; err == nil && dep != nil && dep.Types != nil && pkg.Types.Scope().Lookup(dep.Name) == nil {
			scope.Insert(types.NewPkgName(token.NoPos, pkg.Types, dep.Name, dep.Types)) // does nothing if the name is taken
		}
	}
}

// notType returns a part of an expression that no type can have, nil if there is none.
func notType(expr ast.Expr) (bad ast.Node) {
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.CallExpr, *ast.CompositeLit, *ast.UnaryExpr, *ast.TypeAssertExpr, *ast.SliceExpr, *ast.KeyValueExpr:
			// A constraint's tilde is a unary expression as well, but types with constraints are no types of values.
			bad = n
		}
		return bad == nil
	})
	return bad
}

// generic reports whether t needs type arguments.
func generic(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return t.TypeParams().Len() > 0 && t.TypeArgs().Len() == 0 || t.TypeParams().Len() == 0 && generic(t.Rhs())
	case *types.Named:
		return t.TypeParams().Len() > 0 && t.TypeArgs().Len() == 0
	}
	return false
}

// hint says what may have been meant by a name that is not declared in pkg, "" if that is not what is wrong or nothing is near. Only types for which
// fit is true, if it is given, come into question.
func (e typeExpr) hint(pkg *types.Package, fit func(types.Type) bool) string {
	switch {
	case e.unknown == "":
		return ""
	case e.qualifier:
		return "an import of the package " + e.unknown + " in this file, as _ if only directives name it"
	}
	return nearestType(pkg, e.unknown, fit)
}

// nearestType returns the type that was probably meant by a name that is not declared in pkg, "" if none is near.
func nearestType(pkg *types.Package, name string, fit func(types.Type) bool) string {
	scope := pkg.Scope()
	if path, elem, ok := strings.Cut(name, "."); ok {
		i := slices.IndexFunc(pkg.Imports(), func(p *types.Package) bool { return p.Name() == path })
		if i < 0 {
			return ""
		}
		if near := nearestIn(pkg.Imports()[i].Scope(), elem, true, fit); near != "" {
			return path + "." + near
		}
		return ""
	}
	return nearestIn(scope, name, false, fit)
}

func nearestIn(scope *types.Scope, name string, exported bool, fit func(types.Type) bool) string {
	var names []string
	for _, n := range scope.Names() {
		obj, ok := scope.Lookup(n).(*types.TypeName)
		if ok && (!exported || token.IsExported(n)) && (fit == nil || fit(obj.Type())) {
			names = append(names, n)
		}
	}
	if fit == nil && !exported {
		for _, t := range types.Typ[types.Bool:types.UnsafePointer] {
			names = append(names, t.Name())
		}
	}
	return diag.Nearest(name, names)
}
