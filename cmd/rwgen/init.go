package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/rwgen/rwgen/gen/config"
	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/templates"
)

// toolPath is the package that go.mod names in its tool line.
const toolPath = "github.com/rwgen/rwgen/cmd/rwgen"

// runInit is the verb init.
func runInit(_ context.Context, e *environment, args []string) int {
	f, code := e.parse("init", args)
	switch {
	case f == nil:
		return code
	case len(f.patterns) > 0:
		return e.usage("init takes no packages: it writes into the current directory, or that of -C")
	case len(f.types) > 1:
		return e.usage("init writes one record")
	case f.startAsYAML && (len(f.types) > 0 || f.output != ""):
		return e.usage("init -config writes %s: it goes without -type and -o", config.Name)
	case f.startAsYAML:
		return e.initConfig(f)
	}
	record := "Event"
	if len(f.types) == 1 {
		record = f.types[0]
	}
	if !token.IsIdentifier(record) {
		return e.usage("-type %s is no name of a type", record)
	}
	name := f.output
	if name == "" {
		name = strings.ToLower(record) + ".go"
	}
	if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || filepath.Base(name) != name {
		return e.usage("-o %s is no name for a Go file in the directory", name)
	}
	pkg, faults := packageOf(f.dir, record)
	if len(faults) > 0 {
		return e.findings(f, faults, exitInput)
	}
	var b bytes.Buffer
	if err := templates.Init(&b, templates.Start{Package: pkg, Record: record, Command: "go tool rwgen"}); err != nil {
		return e.failure(err)
	}
	if code := e.start(f, filepath.Join(f.dir, name), b.Bytes(), "another name with -o"); code != exitOK {
		return code
	}
	e.next(f.dir)
	return exitOK
}

// start writes a file that is not there yet.
func (e *environment) start(f *flags, path string, content []byte, hint string) int {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if os.IsExist(err) {
		var diags diag.List
		diags.Addf(token.Position{Filename: path}, diag.Output, "this file is there already, and init does not overwrite it").
			Hint = hint
		return e.findings(f, diags, exitInput)
	}
	if err != nil {
		return e.failure(err)
	}
	_, err = file.Write(content)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return e.failure(err)
	}
	fmt.Fprintf(e.stdout, "wrote %s\n", diag.RelPath(f.dir, path))
	return exitOK
}

// next prints the commands that come after init.
func (e *environment) next(dir string) {
	fmt.Fprintln(e.stdout, "next:")
	root := moduleRoot(dir)
	if root == "" {
		fmt.Fprintln(e.stdout, "\tgo mod init example.com/module")
	}
	if root == "" || !hasTool(filepath.Join(root, "go.mod")) {
		fmt.Fprintf(e.stdout, "\tgo get -tool %s@latest\n", toolPath)
	}
	fmt.Fprintln(e.stdout, "\tgo generate\n\tgo tool rwgen show")
}

// packageOf returns the name of the package in a directory, or one for it to have, and reports what keeps a type of that name from
// being declared there.
func packageOf(dir, record string) (string, diag.List) {
	var diags diag.List
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		paths = nil
	}
	name := ""
	fset := token.NewFileSet()
	for _, path := range paths {
		f, _ := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if f == nil || f.Name == nil || strings.HasSuffix(path, "_test.go") {
			continue
		}
		if name == "" {
			name = f.Name.Name
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				return false
			case *ast.TypeSpec:
				if n.Name.Name == record {
					diags.Addf(fset.Position(n.Name.Pos()), diag.Name, "the package has a type %s already", record).
						Hint = "another name with -type, or the line //rwgen:record above this type"
				}
				return false
			}
			return true
		})
	}
	if name == "" {
		name = packageName(filepath.Base(dir))
	}
	return name, diags
}

// packageName makes a package name of that of a directory.
func packageName(base string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			return r
		}
		return -1
	}, base)
	if name = strings.TrimLeft(name, "0123456789"); !token.IsIdentifier(name) {
		return "records"
	}
	return name
}

// hasTool reports whether a go.mod has the tool line for rwgen, or is that of rwgen itself.
func hasTool(path string) bool {
	content, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(content)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		if len(words) > 0 && words[len(words)-1] == toolPath && (len(words) == 1 || words[0] == "tool") {
			return true
		}
	}
	return false
}
