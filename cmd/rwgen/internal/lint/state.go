package lint

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// State is an analysis that finds package-level variables used as state: outside of tests such a variable must not be assigned,
// incremented, or have its address taken, also not by a call of a method with a pointer receiver. Sentinel errors, tables and compiled
// patterns pass, and so does what a plugin of protoc has generated. A variable that is addressed on purpose, because nothing writes through the pointer, is made a local one or the
// result of a function instead.
func State() *analysis.Analyzer {
	return &analysis.Analyzer{Name: "state", Doc: "find package-level variables used as state", Run: state}
}

func state(pass *analysis.Pass) (any, error) {
	report := func(e ast.Expr) {
		if v := packageVariable(pass, e); v != nil {
			pass.Reportf(e.Pos(), "package-level variable %s is changed or shared by address", v.Name())
		}
	}
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.File(f.FileStart).Name(), "_test.go") || byProtoc(f) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					report(e)
				}
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					report(n.Key)
					report(n.Value)
				}
			case *ast.IncDecStmt:
				report(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					report(n.X)
				}
			case *ast.SelectorExpr:
				if s := pass.TypesInfo.Selections[n]; s != nil && s.Kind() == types.MethodVal && takesAddress(s) {
					report(n.X)
				}
			}
			return true
		})
	}
	return nil, nil
}

// takesAddress says whether a method call takes the address of the operand that it is called on.
func takesAddress(s *types.Selection) bool {
	if _, pointer := s.Recv().Underlying().(*types.Pointer); pointer {
		return false
	}
	_, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	return pointer && !s.Indirect()
}

// packageVariable is the package-level variable of this package that writing to e would change, nil if there is none: the
// variable itself, a field, an element of an array, slice or map, or what it points to.
func packageVariable(pass *analysis.Pass, e ast.Expr) *types.Var {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			v, ok := pass.TypesInfo.Uses[x].(*types.Var)
			if ok && v.Parent() == pass.Pkg.Scope() {
				return v
			}
			return nil
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}
