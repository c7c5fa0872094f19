package gen

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// edited reports whether somebody has changed earlier output by hand, as far as that can be told from the file and from what would
// be generated now. There is no checksum in generated files: every change would touch its line, and two branches that change different
// records of a file could not be merged any more. Instead there are signs:
//
//   - the file does not parse, and not because of conflict markers, or is not formatted: rwgen never writes that;
//   - everything that tells what the file was generated from is as it would be now, which is the lines above the package clause, the
//     checks for the runtime and the record types, the schemas, and the documentation of each declaration, but code differs;
//   - there is a function or method that rwgen never generates.
//
// What follows from a changed source, or another release of rwgen, is no sign, nor is what follows from the names that the rest of the package
// declares: see sameButNames. If the source has changed as well, the edits cannot be told from that.
func edited(old, fresh []byte) bool {
	old = unixLines(old)
	if conflicted(old) {
		return false
	}
	formatted, err := format.Source(old)
	if err != nil || !bytes.Equal(formatted, old) {
		return true
	}
	was, is := describe(old), describe(fresh)
	if was.origin != is.origin || sameButNames(old, fresh) {
		return false
	}
	for name, doc := range is.docs {
		if d, ok := was.docs[name]; !ok || d != doc {
			return false
		}
	}
	for name := range was.docs {
		if _, ok := is.docs[name]; !ok && (was.types[name] || helper(name)) {
			return false // a writer, or a helper that another file has now
		}
	}
	for name := range was.types {
		if !is.types[name] {
			return false
		}
	}
	return true
}

// editedTypes is edited for a file of types, which says what it was generated from by nothing but the types: that differs, if the schema has changed as well as if somebody has changed the file. So
// there are fewer signs: that the file is not formatted, or that functions differ while types and constants are as they would be now.
func editedTypes(old, fresh []byte) bool {
	old = unixLines(old)
	if conflicted(old) {
		return false
	}
	formatted, err := format.Source(old)
	if err != nil || !bytes.Equal(formatted, old) {
		return true
	}
	return typesIn(old) == typesIn(fresh) && !sameButNames(old, fresh)
}

// sameButNames reports whether earlier output differs from what would be generated now in nothing but names of imports, and of variables of functions: generated code gives them other names when the rest of the package declares these.
func sameButNames(old, fresh []byte) bool {
	was := withoutNames(old)
	return was != "" && was == withoutNames(fresh)
}

// withoutNames returns a file without its imports, with each import called by its path and each local identifier by a number; nothing if it does not parse.
func withoutNames(src []byte) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, 0)
	if err != nil {
		return ""
	}
	imports := make(map[string]string) // paths, by the names that the file knows them by
	for _, s := range f.Imports {
		imports[importName(s)] = s.Path.Value
	}
	var b bytes.Buffer
	for _, decl := range f.Decls {
		if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		_, isFunc := decl.(*ast.FuncDecl)
		//lint:ignore SA1019 what needs types is only the key of a composite literal; one that is taken for a variable makes the file an edited one at worst
		numbers := make(map[*ast.Object]int)
		names := make(map[*ast.Ident]string) // set at the end: where an object is declared is found out by its name
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if id, ok := n.X.(*ast.Ident); ok && id.Obj == nil && imports[id.Name] != "" {
					names[id] = imports[id.Name]
				}
			case *ast.Ident:
				if o := n.Obj; isFunc && o != nil && n.Name != "_" && decl.Pos() < o.Pos() && o.Pos() < decl.End() && o.Kind != ast.Fun {
					if _, ok := numbers[o]; !ok {
						numbers[o] = len(numbers)
					}
					names[n] = strconv.Itoa(numbers[o])
				}
			}
			return true
		})
		for id, name := range names {
			id.Name = name
		}
		printer.Fprint(&b, fset, decl)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// renamed reports whether an import that had its own name in earlier output needs another one now, because the package declares that name.
func renamed(old, fresh []byte) bool {
	was, is := describe(unixLines(old)).imports, describe(fresh).imports
	for path, name := range is {
		if before, ok := was[path]; ok && before == "" && name != "" {
			return true
		}
	}
	return false
}

// typesIn returns what stands above the package clause of a file, and its types and constants with their documentation.
func typesIn(src []byte) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	var b bytes.Buffer
	b.Write(src[:fset.Position(f.Name.End()).Offset])
	for _, decl := range f.Decls {
		if g, ok := decl.(*ast.GenDecl); ok && g.Tok != token.IMPORT {
			start := g.Pos()
			if g.Doc != nil {
				start = g.Doc.Pos()
			}
			b.Write(src[fset.Position(start).Offset:fset.Position(g.End()).Offset])
		}
	}
	return b.String()
}

func unixLines(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }

// conflicted reports whether version control has left conflict markers.
func conflicted(src []byte) bool {
	for line := range bytes.Lines(src) {
		if bytes.HasPrefix(line, []byte("<<<<<<< ")) || bytes.HasPrefix(line, []byte(">>>>>>> ")) {
			return true
		}
	}
	return false
}

// helper reports whether a function has a name as rwgen makes them for what users do not call.
func helper(name string) bool {
	return !strings.Contains(name, ".") && slices.ContainsFunc([]string{"size", "put", "consume", "detach", "equal", "clone", "reset", "hash", "emit", "tryEmit", "broadcast"},
		func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// description is what a generated file says of its origin.
type description struct {
	// origin holds what stands above the package clause, and the declarations without a name: the checks.
	origin string
	// docs holds the documentation of functions, of methods under Type.Method, and of types.
	docs  map[string]string
	types map[string]bool
	// imports holds the names that imports are given, by path; empty: their own.
	imports map[string]string
}

func describe(src []byte) description {
	d := description{docs: make(map[string]string), types: make(map[string]bool), imports: make(map[string]string)}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return d
	}
	for _, s := range f.Imports {
		name := ""
		if s.Name != nil {
			name = s.Name.Name
		}
		d.imports[s.Path.Value] = name
	}
	var origin bytes.Buffer
	origin.Write(src[:fset.Position(f.Name.End()).Offset])
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Name.Name == "_" {
				printer.Fprint(&origin, fset, decl)
				continue
			}
			name := decl.Name.Name
			if name == "Schema" && decl.Body != nil {
				printer.Fprint(&origin, fset, decl.Body) // aliases and defaults stand nowhere else
			}
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				name = receiver(decl.Recv.List[0].Type) + "." + name
			}
			d.docs[name] = decl.Doc.Text()
		case *ast.GenDecl:
			for _, s := range decl.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					d.types[s.Name.Name] = true
					d.docs[s.Name.Name] = decl.Doc.Text()
				case *ast.ValueSpec:
					printer.Fprint(&origin, fset, s)
				}
			}
		}
	}
	d.origin = origin.String()
	return d
}

// receiver returns the name of the type in a receiver.
func receiver(x ast.Expr) string {
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
