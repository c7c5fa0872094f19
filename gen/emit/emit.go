package emit

import (
	"errors"
	"fmt"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// Options are what the output depends on besides the representation.
type Options struct {
	// Version is the version of the generator, for the head of the file; default "(devel)".
	Version string
	// Header is text for the head of the file, such as a licence. Lines that are no comments become comments.
	Header string
}

// Package generates the files of one package. Any goroutines may use it at the same time.
type Package struct {
	pkg  *ir.Package
	plan *plan
}

// NewPackage plans what the files of pkg declare: the functions that records share are declared in one of them. pkg must be complete, and must not be changed afterwards.
func NewPackage(pkg *ir.Package) *Package {
	var imports []string
	for _, p := range ours {
		need := onlyFor[p]
		if need == nil && p != valuesPath && p != avroPath || need != nil && hasField(pkg, need) || p == valuesPath && wantsValues(pkg) {
			imports = append(imports, declaredName(pkg, p))
		}
	}
	if hasAvro(pkg) {
		imports = append(imports, declaredName(pkg, avroPath))
	}
	if needsProto(pkg) {
		imports = append(imports, declaredName(pkg, protoPath))
	}
	for _, name := range pkg.Imports {
		imports = append(imports, name)
	}
	return &Package{pkg: pkg, plan: newPlan(pkg, imports)}
}

// File returns the source of one output file, which must be one of the package's.
//
// If a name that File must declare is taken, the error is a [diag.List]. Any other error is a fault of the generator.
func (p *Package) File(src *ir.File, opts Options) ([]byte, error) {
	if opts.Version == "" {
		opts.Version = "(devel)"
	}
	f := newFile(p, src, opts)
	if err := f.taken(); err != nil {
		return nil, err
	}
	f.header()
	f.versionWindow()
	for _, r := range src.Records {
		if !r.Format.Calls() { // what methods do with fields is their affair
			f.shapeCheck(f.label(r), r.Type, f.label(r))
		}
	}
	for _, t := range f.plan.checks[src] {
		f.shapeCheck(typeLabel(t), t, f.label(src.Records[0]))
	}
	for _, r := range src.Records {
		f.record(r)
	}
	for _, fn := range f.plan.declaredIn(src) {
		f.helper(fn)
	}
	f.assertions()
	return f.render()
}

// taken returns the diagnostics that belong to this file.
func (f *file) taken() error {
	var list diag.List
	for _, d := range f.plan.taken {
		if f.declares(d) {
			list = append(list, d)
		}
	}
	return list.Err()
}

func (f *file) declares(d *diag.Diagnostic) bool {
	for _, r := range f.src.Records {
		if r.Pos == d.Pos {
			return true
		}
		for _, w := range r.Writers {
			if w.Pos == d.Pos {
				return true
			}
		}
	}
	return false
}

// header adds the comments above the package clause.
func (f *file) header() {
	// One comment for jennifer, which would put them directly below one another.
	head := ir.Header + "\n// rwgen " + f.opts.Version + f.fingerprints() + "\n// Source: " + f.src.Source
	if f.opts.Header != "" {
		head += "\n\n" + AsComment(f.opts.Header)
	}
	if f.src.Constraint != "" {
		head += "\n\n//go:build " + f.src.Constraint
	}
	f.out.HeaderComment(head)
}

// CheckHeader returns an error that says what is wrong with a text for [Options].Header, if anything is: that it is not a comment, or
// that it would change the conditions under which the files are built.
func CheckHeader(text string) error {
	if text == "" {
		return nil
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "", AsComment(text)+"\n\npackage p\n", parser.ParseComments)
	if err != nil || len(parsed.Decls) > 0 {
		return errors.New("is no comment, and cannot be made one")
	}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			if constraint.IsGoBuild(c.Text) || constraint.IsPlusBuild(c.Text) {
				return fmt.Errorf("has the build constraint %q: constraints are taken from the sources", c.Text)
			}
		}
	}
	return nil
}

// AsComment makes comments of the lines of text that are none, as for [Options].Header. A block comment is left as it is.
func AsComment(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if strings.HasPrefix(text, "/*") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		if !strings.HasPrefix(line, "//") {
			line = strings.TrimRight("// "+line, " ")
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}
