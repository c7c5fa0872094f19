package trial

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
)

const (
	roundtripPath = "github.com/rwgen/rwgen/gen/gentest/roundtrip"
	suiteDir      = "zzsuite"  // of the package that holds the suite, and the test of all packages that can be imported
	checkPrefix   = "zzcheck_" // of the files that are added; what decides whether a file is built stands at the end of its name
)

// Checks adds to each package below dir, which is the root of a module with the given path, files that register its serializers,
// unions and codecs, and a package whose test runs them all. Packages that another cannot import get tests of their own. What an earlier call
// has added is replaced.
func Checks(dir, module string) error {
	c := &checks{root: dir, module: module, packages: make(map[string]*checked)}
	files, err := sources(dir)
	if err != nil {
		return err
	}
	for _, name := range files {
		if strings.HasPrefix(filepath.Base(name), checkPrefix) {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	for _, name := range files {
		if strings.HasPrefix(filepath.Base(name), checkPrefix) {
			continue
		}
		if err := c.file(name); err != nil {
			return err
		}
	}
	return c.driver()
}

// sources returns the Go files of the module in dir that the go command looks at.
func sources(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if base := d.Name(); name != dir && (base == "vendor" || base == "testdata" || base == suiteDir || base[0] == '_' || base[0] == '.') {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != dir {
				return filepath.SkipDir
			}
		case strings.HasSuffix(name, ".go") && d.Name()[0] != '_' && d.Name()[0] != '.':
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

type checks struct {
	root, module string
	packages     map[string]*checked // by directory and package clause
}

// checked is a package with something to check.
type checked struct {
	dir, name string
	test      bool // in test files
}

// file writes the check file for one source if there is anything to register.
func (c *checks) file(name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	generated := bytes.HasPrefix(src, []byte(ir.Header))
	if !generated && !bytes.Contains(src, []byte("//rwgen:union")) && !bytes.Contains(src, []byte("//rwgen:codec")) {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg := &checked{dir: filepath.Dir(name), name: f.Name.Name, test: strings.HasSuffix(name, "_test.go")}
	var calls []string
	if generated {
		for _, s := range serializers(f) {
			label := c.importPath(pkg.dir) + "." + strings.TrimSuffix(strings.TrimSuffix(s, "Serializer"), "serializer")
			calls = append(calls, fmt.Sprintf("zzroundtrip.Record(&zzsuite.All, %q, %s{})", label, s))
		}
	}
	unions, imports := registered(fset, f) // also in files with the types of a schema
	calls = append(calls, unions...)
	if len(calls) == 0 {
		return nil
	}
	c.packages[pkg.dir+" "+pkg.name] = pkg
	var b strings.Builder
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, "//go:build ") {
			b.WriteString(strings.TrimSpace(line) + "\n\n")
		}
		if strings.HasPrefix(line, "package ") {
			break
		}
	}
	fmt.Fprintf(&b, "package %s\n\nimport (\n\tzzroundtrip %q\n\tzzsuite %q\n%s)\n\nfunc init() {\n\t%s\n}\n",
		pkg.name, roundtripPath, path.Join(c.module, suiteDir), strings.Join(imports, ""), strings.Join(calls, "\n\t"))
	return os.WriteFile(filepath.Join(pkg.dir, checkPrefix+filepath.Base(name)), []byte(b.String()), 0o666)
}

// importPath returns the import path of the package in a directory.
func (c *checks) importPath(dir string) string {
	rel, err := filepath.Rel(c.root, dir)
	if err != nil {
		return c.module
	}
	return path.Join(c.module, filepath.ToSlash(rel))
}

// serializers returns the names of the serializers that a generated file declares.
func serializers(f *ast.File) []string {
	var list []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || fn.Name.Name != "ConsumeLimits" {
			continue
		}
		if recv, ok := fn.Recv.List[0].Type.(*ast.Ident); ok {
			list = append(list, recv.Name)
		}
	}
	return list
}

// registered returns calls that register the unions and codecs that a source declares, and the imports that the calls need.
func registered(fset *token.FileSet, f *ast.File) (calls, imports []string) {
	qualifiers := make(map[string]bool)
	need := func(expr string) {
		if x, err := parser.ParseExpr(expr); err == nil {
			ast.Inspect(x, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if id, ok := sel.X.(*ast.Ident); ok {
						qualifiers[id.Name] = true
					}
				}
				return true
			})
		}
	}
	for _, d := range f.Decls {
		gd, ok := d.(*ast.GenDecl)
		if !ok || gd.Tok != token.TYPE {
			continue
		}
		for _, spec := range gd.Specs {
			ts := spec.(*ast.TypeSpec)
			doc := ts.Doc
			if !gd.Lparen.IsValid() {
				doc = gd.Doc
			}
			if doc == nil {
				continue
			}
			for _, comment := range doc.List {
				if args, ok := strings.CutPrefix(comment.Text, "//rwgen:union "); ok {
					var members strings.Builder
					for m := range splitTypes(args) {
						need(m)
						fmt.Fprintf(&members, ", zzroundtrip.Zero[%s]()", m)
					}
					calls = append(calls, fmt.Sprintf("zzroundtrip.Union[%s](&zzsuite.All%s)", ts.Name.Name, members.String()))
				}
				if arg, ok := strings.CutPrefix(comment.Text, "//rwgen:codec "); ok {
					need(arg)
					calls = append(calls, fmt.Sprintf("zzroundtrip.Codec[%s](&zzsuite.All, %s{})", strings.TrimSpace(arg), ts.Name.Name))
				}
			}
		}
	}
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := ""
		if spec.Name != nil {
			name = spec.Name.Name
		}
		for q := range qualifiers {
			if name == q || name == "." || name == "" && slices.Contains(strings.FieldsFunc(p, func(r rune) bool { return r == '/' || r == '.' || r == '-' }), q) {
				var b strings.Builder
				if err := printer.Fprint(&b, fset, spec); err == nil {
					imports = append(imports, "\t"+b.String()+"\n")
				}
			}
		}
	}
	return calls, imports
}

// splitTypes yields the type expressions of a list that is separated by commas, which may stand in type arguments too.
func splitTypes(list string) iter.Seq[string] {
	return func(yield func(string) bool) {
		depth, begin := 0, 0
		for i, r := range list + "," {
			switch {
			case r == '[':
				depth++
			case r == ']':
				depth--
			case r == ',' && depth == 0:
				if !yield(strings.TrimSpace(list[begin:i])) {
					return
				}
				begin = i + 1
			}
		}
	}
}

// driver writes the package of the suite, its test, and the tests of packages that it cannot import.
func (c *checks) driver() error {
	dir := filepath.Join(c.root, suiteDir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	suite := fmt.Sprintf("package zzsuite\n\nimport %q\n\n// All are the serializers of this module.\nvar All roundtrip.Suite\n", roundtripPath)
	if err := os.WriteFile(filepath.Join(dir, "suite.go"), []byte(suite), 0o666); err != nil {
		return err
	}
	var imports strings.Builder
	for _, key := range slices.Sorted(maps.Keys(c.packages)) {
		pkg := c.packages[key]
		if importable := c.importPath(pkg.dir); !pkg.test && pkg.name != "main" && c.visible(importable) {
			fmt.Fprintf(&imports, "\t_ %q\n", importable)
			continue
		}
		if err := c.ownTest(pkg); err != nil {
			return err
		}
	}
	if imports.Len() == 0 {
		return nil
	}
	src, err := format.Source(fmt.Appendf(nil, "package zzsuite_test\n\nimport (\n\t\"testing\"\n\n\t%q\n%s)\n\nfunc %s(t *testing.T) { zzsuite.All.Run(t) }\n",
		path.Join(c.module, suiteDir), imports.String(), testName))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "suite_test.go"), src, 0o666)
}

// testName is the name of the tests that run a suite.
const testName = "TestRwgenRoundTrip"

// ownTest adds a test to a package. It runs whatever the test program registers, which is the package and what it imports.
func (c *checks) ownTest(pkg *checked) error {
	src := fmt.Sprintf("package %s\n\nimport (\n\tzztesting \"testing\"\n\n\tzzsuite %q\n)\n\nfunc %s(t *zztesting.T) { zzsuite.All.Run(t) }\n",
		pkg.name, path.Join(c.module, suiteDir), testName)
	return os.WriteFile(filepath.Join(pkg.dir, checkPrefix+pkg.name+"_package_test.go"), []byte(src), 0o666)
}

// visible says that the suite's test may import a package: those below a directory internal are for what is beside that.
func (c *checks) visible(importable string) bool {
	rel := strings.TrimPrefix(importable, c.module)
	i := strings.LastIndex(rel+"/", "/internal/")
	return i <= 0
}

// Vendored adds a package to the module in dir that imports whatever generated code and [Checks] may need, for go mod vendor to see.
func Vendored(dir string) error {
	var b strings.Builder
	b.WriteString("package zzvendor\n\nimport (\n")
	for _, p := range []string{"buffer", "eventtime", "gate", "metrics", "record", "rwimpl", "selector", "wire", "writer"} {
		fmt.Fprintf(&b, "\t_ \"github.com/rwgen/rwgen/runtime/%s\"\n", p)
	}
	fmt.Fprintf(&b, "\t_ %q\n)\n", roundtripPath)
	if err := os.MkdirAll(filepath.Join(dir, "zzvendor"), 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "zzvendor", "vendor.go"), []byte(b.String()), 0o666)
}
