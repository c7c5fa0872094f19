package emit

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/names"
)

// file is one output file that is being generated.
type file struct {
	out  *jen.File
	pkg  *ir.Package
	src  *ir.File
	plan *plan
	*facts
	opts Options

	scope  *names.Scope    // of the file: what locals keep clear of
	locals []string        // of all functions: what import aliases keep clear of
	used   map[string]bool // imports
}

func newFile(p *Package, src *ir.File, opts Options) *file {
	// The facts are found out anew: the plan, with its own, is shared by files that are generated at the same time.
	return &file{
		out: jen.NewFilePathName(p.pkg.Path, src.Package),
		pkg: p.pkg, src: src, plan: p.plan, facts: newFacts(), opts: opts,
		scope: p.plan.scope.Child(),
		used:  map[string]bool{},
	}
}

// comment adds a doc comment for the declaration that follows.
func (f *file) comment(format string, args ...any) { f.docs(fmt.Sprintf(format, args...)) }

// docs adds a doc comment of several paragraphs.
func (f *file) docs(paragraphs ...string) {
	for _, line := range commentLines(paragraphs...) {
		f.out.Comment(line)
	}
}

// render formats the file.
func (f *file) render() ([]byte, error) {
	f.nameImports()
	var b bytes.Buffer
	f.out.NoFormat = true // because jennifer's error would hold the whole file
	if err := f.out.Render(&b); err != nil {
		return nil, fmt.Errorf("emit: generated code cannot be written, which is a fault of rwgen: %w", err)
	}
	f.out = nil // which takes most of the memory of a large file; the syntax tree for formatting comes next
	tidied := []byte(tidy(b.String()))
	formatted, err := format.Source(tidied)
	if err != nil {
		return nil, unparsable(tidied, err)
	}
	src := groupImports(formatted)
	if err := f.checkPredeclared(src); err != nil {
		return nil, err
	}
	return src, nil
}

// unparsable returns the error for generated code that does not parse, with the lines around the first one that is to blame.
func unparsable(src []byte, err error) error {
	var list scanner.ErrorList
	excerpt := ""
	if errors.As(err, &list) && len(list) > 0 {
		const around = 3
		at := list[0].Pos.Line
		err = list[0]
		for i, line := range strings.Split(string(src), "\n") {
			if n := i + 1; at-around <= n && n <= at+around {
				excerpt += fmt.Sprintf("\n\t%d: %s", n, line)
			}
		}
	}
	return fmt.Errorf("emit: generated code does not parse, which is a fault of rwgen: %w%s", err, excerpt)
}

// groupImports moves the imports of the standard library, which have no dot in the first element of their path, before the others.
func groupImports(src []byte) []byte {
	const open, end = "\nimport (\n", "\n)\n"
	before, rest, ok := bytes.Cut(src, []byte(open))
	if !ok {
		return src
	}
	block, after, _ := bytes.Cut(rest, []byte(end))
	var std, other []string
	for _, line := range strings.Split(string(block), "\n") {
		_, path, _ := strings.Cut(line, `"`)
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			other = append(other, line)
		} else {
			std = append(std, line)
		}
	}
	if len(std) > 0 && len(other) > 0 {
		std = append(std, "")
	}
	lines := strings.Join(append(std, other...), "\n")
	return []byte(string(before) + open + lines + end + string(after))
}

// begin returns where the first of what is generated stands.
func (f *file) begin() token.Position {
	if len(f.src.Records) > 0 {
		return f.src.Records[0].Pos
	}
	return f.src.Decls[0].Pos
}

// checkPredeclared refuses packages that declare a name which the generated code uses as Go's own, such as len.
func (f *file) checkPredeclared(src []byte) error {
	var redeclared []string
	for _, name := range f.pkg.Scope {
		// These are not used on the generator's account: where they appear, the package's own type is meant.
		if names.Predeclared(name) && name != "any" && name != "rune" && name != "comparable" {
			redeclared = append(redeclared, name)
		}
	}
	if len(redeclared) == 0 {
		return nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), f.src.Output, src, 0)
	if err != nil {
		return unparsable(src, err)
	}
	uses := map[string]bool{}
	for _, id := range parsed.Unresolved { // that is, not declared in this file and no field or method
		uses[id.Name] = true
	}
	var list diag.List
	for _, name := range redeclared {
		if uses[name] {
			list.Addf(f.begin(), diag.Name, "the package declares %s, which generated code uses as Go's own", name).
				Hint = "rename the declaration"
		}
	}
	return list.Err()
}
