package gosrc

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rwgen/rwgen/gen/diag"
)

// typeError reports that the type at p is one that the type checker could not make sense of. It quotes the type checker's own
// error if it can find the one that is to blame.
func (b *builder) typeError(p place, t types.Type) {
	msg, pos := b.blame(p, t)
	if msg == "" {
		msg = "its type does not compile"
	} else {
		msg = "its type does not compile: " + msg
	}
	n, hint := len(*b.u.diags), ""
	if strings.Contains(msg, "without instantiation") {
		hint = "an instance with type arguments in brackets, or " + leaveOut
	}
	b.fail(p, diag.Type, hint, "%s", msg)
	if pos.IsValid() && len(*b.u.diags) > n {
		if at := b.u.position(p.pos); at.Filename != pos.Filename || at.Line != pos.Line {
			(*b.u.diags)[n].Related = []diag.Related{{Pos: pos, Message: "the error is here"}}
		}
	}
}

// blame looks for the error in the declaration of the field at p, then in that of the named type t, then among the imports that
// these declarations use.
func (b *builder) blame(p place, t types.Type) (string, token.Position) {
	nodes := []token.Pos{p.pos}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		nodes = append(nodes, n.Obj().Pos())
	}
	if len(b.stack) > 0 {
		nodes = append(nodes, b.stack[len(b.stack)-1].Obj().Pos())
	}
	for _, pos := range nodes {
		pkg, file, decl := b.u.declaration(pos)
		if decl == nil {
			continue
		}
		for _, e := range pkg.TypeErrors {
			if !e.Soft && decl.Pos() <= e.Pos && e.Pos < decl.End() {
				return oneLine(e.Msg), b.u.position(e.Pos)
			}
		}
		if msg, at := b.u.blameImport(pkg, file, decl); msg != "" {
			return msg, at
		}
	}
	return "", token.Position{}
}

// declaration returns the smallest field or type declaration around pos, with the package and file that it stands in.
func (u *unit) declaration(pos token.Pos) (pkg *packages.Package, file *ast.File, decl ast.Node) {
	for _, p := range u.byPath {
		for _, f := range p.Syntax {
			if pos < f.FileStart || f.FileEnd <= pos {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n.(type) {
				case nil:
					return false
				case *ast.File:
					return true
				case *ast.Field, *ast.TypeSpec:
					if n.Pos() <= pos && pos < n.End() {
						pkg, file, decl = p, f, n
					}
				}
				return n.Pos() <= pos && pos < n.End()
			})
			return pkg, file, decl
		}
	}
	return nil, nil, nil
}

// blameImport returns the error of an import that the declaration uses.
func (u *unit) blameImport(pkg *packages.Package, file *ast.File, decl ast.Node) (msg string, at token.Position) {
	used := make(map[string]bool)
	ast.Inspect(decl, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(importPath)
		if spec.Name != nil {
			name = spec.Name.Name
		} else if dep := pkg.Imports[importPath]; dep != nil && dep.Name != "" {
			name = dep.Name
		}
		if !used[name] {
			continue
		}
		line := u.position(spec.Pos())
		// The go command says why an import cannot be found, the type checker only that it was not.
		errs := pkg.Errors
		if dep := pkg.Imports[importPath]; dep != nil {
			errs = append(slices.Clip(dep.Errors), errs...)
		}
		slices.SortStableFunc(errs, func(a, b packages.Error) int { return int(a.Kind) - int(b.Kind) })
		for _, e := range errs {
			if pos := u.errorPosition(e); pos.Filename == line.Filename && pos.Line == line.Line {
				return u.shorten(oneLine(e.Msg)), line
			}
		}
	}
	return "", token.Position{}
}
