package templates

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/templates/model"
)

// Options say what the outputs are about.
type Options struct {
	// Names are those of the package; nil if nothing else is rendered for it, and it declares nothing that is in the way.
	Names *Names
	// Select reports whether there is to be output for a record; nil for all of them.
	Select func(*model.Record) bool
	// Version is that of the generator, for the head of outputs; default "(devel)".
	Version string
	// Header is a text of comment lines for outputs in Go, such as a licence.
	Header string
}

// Output is what a template has made.
type Output struct {
	Name     string // base name of the file, in the directory of the package
	Template string // base name of the template's file, rwgen:test and the like for a built-in one
	Content  []byte
	Sources  []string // base names of the sources of the records that it is about
}

// Render executes the templates for a package, in the order of their files. Records of test files have a part only in outputs that are test files themselves; if there are
// no records, there is no output. Go is formatted, with its imports in groups, and gets a head; what else is text gets one as far as the extension of its name
// says how comments are written, and must have the mark somewhere at its beginning.
//
// Errors are of type [*Error]: templates that fail, that exceed [MaxOutput] or [MaxSteps], and that make what does not parse, names that are none for a file of the package's directory, and
// the cause of a ctx that has ended.
func (s *Set) Render(ctx context.Context, p *model.Package, o Options) ([]Output, error) {
	if o.Names == nil {
		o.Names = NewNames(p, nil, nil)
	}
	if o.Version == "" {
		o.Version = "(devel)"
	}
	var list []Output
	for _, t := range s.outputs {
		for _, in := range t.inputs(p) {
			out, err := s.render(ctx, t, in, o)
			if err != nil {
				return nil, err
			}
			if out != nil {
				list = append(list, *out)
			}
		}
	}
	return list, nil
}

// inputs returns what the template is executed with, once for each output.
func (t *output) inputs(p *model.Package) []*model.Input {
	base := model.Input{Package: p, Records: p.Records, Template: t.label, Model: model.Version}
	if t.each == eachPackage {
		return []*model.Input{&base}
	}
	var list []*model.Input
	for _, f := range p.Files {
		in := base
		in.File, in.Records = f, f.Records
		if t.each == eachFile {
			list = append(list, &in)
			continue
		}
		for _, r := range f.Records {
			one := in
			one.Record, one.Records = r, []*model.Record{r}
			list = append(list, &one)
		}
	}
	return list
}

// choose leaves the records that an output is about.
func choose(in *model.Input, test bool, selected func(*model.Record) bool) {
	var records []*model.Record
	for _, f := range in.Package.Files {
		for _, r := range f.Records {
			if (test || !f.Test) && slices.Contains(in.Records, r) && (selected == nil || selected(r)) {
				records = append(records, r)
			}
		}
	}
	in.Records = records
}

// render makes one output, nil if there are no records for it.
func (s *Set) render(ctx context.Context, t *output, in *model.Input, o Options) (*Output, error) {
	x := o.Names.execution(counter{ctx: ctx})
	name, err := t.outputName(x, in)
	if err != nil {
		return nil, err
	}
	choose(in, strings.HasSuffix(name, "_test.go"), o.Select)
	if len(in.Records) == 0 {
		return nil, nil
	}
	out := &Output{Name: name, Template: t.label}
	for _, r := range in.Records {
		if !slices.Contains(out.Sources, r.Source) {
			out.Sources = append(out.Sources, r.Source)
		}
	}
	in.Mark = fmt.Sprintf("%s Source: %s; Template: %s", Mark, strings.Join(out.Sources, ", "), out.Template)
	root, err := s.root.Clone()
	if err != nil {
		return nil, errorOf(t.file, err)
	}
	b := &buffer{ctx: ctx}
	if err := root.Funcs(x.funcs()).ExecuteTemplate(b, t.file, in); err != nil {
		if ctx.Err() != nil {
			return nil, &Error{Template: t.file, Message: context.Cause(ctx).Error(), cause: context.Cause(ctx)}
		}
		return nil, errorOf(t.file, err)
	}
	h := &finish{in: in, out: out, version: o.Version, header: o.Header}
	if filepath.Ext(name) == ".go" {
		out.Content, err = h.goFile(b.Bytes(), x)
	} else {
		out.Content, err = h.textFile(b.Bytes())
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// outputName returns the name of the output.
func (t *output) outputName(x *execution, in *model.Input) (string, error) {
	c, err := t.name.Clone()
	if err != nil {
		return "", errorOf(t.file, err)
	}
	b := &buffer{ctx: x.ctx}
	if err := c.Funcs(x.funcs()).Execute(b, in); err != nil {
		e := errorOf(t.file, err)
		e.Line, e.Column, e.Message = 0, 0, "output: "+e.Message
		return "", e
	}
	name := b.String()
	bad := ""
	switch {
	case name == "" || name != filepath.Base(name) || strings.ContainsAny(name, `/\:`) || !filepath.IsLocal(name):
		bad = "output must be in the directory of the package"
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "-"):
		bad = "the go command and others overlook such names"
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		bad = "there is a control character in it"
	}
	if bad != "" {
		return "", &Error{Template: t.file, Message: fmt.Sprintf("output: %q is no name for a file: %s", name, bad)}
	}
	return name, nil
}

// Mark is the text by which rwgen knows its own output, in whatever form comments have.
var Mark = strings.TrimPrefix(ir.Header, "// ")

// markWithin is how many bytes at the beginning of a text may come before the end of the mark.
const markWithin = 1024

// marked reports whether a text has a mark at its beginning.
func marked(content []byte, mark string) bool {
	return strings.Contains(string(content[:min(len(content), markWithin)]), mark)
}

// errNoMark is about output in which rwgen cannot put the mark.
var errNoMark = errors.New("output: there is no mark in it, by which rwgen would know that it may overwrite the file, and the extension does not say how comments are written: " +
	"put {{.Mark}} into the beginning, in a comment or in a string such as \"$comment\"")
