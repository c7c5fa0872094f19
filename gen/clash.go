package gen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/rwgen/rwgen/gen/diag"
)

// clashes reports the orphans that declare a name which a generated file of the same package declares too: after a source has been
// renamed, for example, or when the output is to go to another file. Nobody could build the package then.
func clashes(files []File, orphans []string) diag.List {
	var diags diag.List
	type declared struct{ dir, pkg, name string }
	var by map[declared]string
	for _, path := range orphans {
		if by == nil {
			by = make(map[declared]string)
			for _, f := range files {
				if filepath.Ext(f.Path) != ".go" {
					continue
				}
				parsed := parse(f.Path, f.Content)
				for _, id := range declarations(parsed) {
					by[declared{filepath.Dir(f.Path), parsed.Name.Name, id.Name}] = f.Path
				}
			}
		}
		if filepath.Ext(path) != ".go" {
			continue
		}
		parsed := parse(path, nil)
		if parsed == nil {
			continue
		}
		ids := declarations(parsed)
		i := slices.IndexFunc(ids, func(id *ast.Ident) bool {
			return by[declared{filepath.Dir(path), parsed.Name.Name, id.Name}] != ""
		})
		if i < 0 {
			continue
		}
		other := by[declared{filepath.Dir(path), parsed.Name.Name, ids[i].Name}]
		diags.Addf(token.Position{Filename: path}, diag.Output,
			"output of an earlier run, left over, declares %s, as %s does now: the package could not be built with both",
			ids[i].Name, filepath.Base(other)).Hint = "remove the old file, or let rwgen do it with -clean"
	}
	return diags
}

// parse parses a file, as much of it as can be; a nil src stands for the content on the disk. It returns nil if there is nothing to parse.
func parse(path string, src []byte) *ast.File {
	f, _ := parseIn(path, src)
	return f
}

// parseIn is parse with the file set and with comments.
func parseIn(path string, src []byte) (*ast.File, *token.FileSet) {
	var content any
	if src != nil {
		content = src
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, content, parser.SkipObjectResolution|parser.ParseComments)
	if f == nil || err != nil && f.Name == nil {
		return nil, fset
	}
	return f, fset
}

// declarations returns the names that a file declares in its package.
func declarations(f *ast.File) []*ast.Ident {
	var ids []*ast.Ident
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				ids = append(ids, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					ids = append(ids, s.Name)
				case *ast.ValueSpec:
					ids = append(ids, s.Names...)
				}
			}
		}
	}
	return slices.DeleteFunc(ids, func(id *ast.Ident) bool { return id.Name == "_" || id.Name == "init" })
}
