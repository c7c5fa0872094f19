package proto

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// packageBuilder makes one Go package. Types of other packages that it refers to are made anew for it, because they have other names there.
type packageBuilder struct {
	*builder
	home  *schema.Package
	pkg   *ir.Package
	files map[string]*ir.File // by source
	scope schema.Scope
	sizer schema.Sizer
	named map[*definition]*ir.Type
	// all are the types that have been made.
	all  []*ir.Type
	docs map[*definition]string
}

func newPackage(b *builder, home *schema.Package) *packageBuilder {
	return &packageBuilder{
		builder: b, home: home,
		pkg:   &ir.Package{Path: home.Path, Name: home.Name, Dir: home.Dir, Imports: make(map[string]string)},
		files: make(map[string]*ir.File),
		named: make(map[*definition]*ir.Type),
		docs:  make(map[*definition]string),
	}
}

// build returns the package, which is incomplete if there are diagnostics.
func (b *packageBuilder) build() *ir.Package {
	for _, d := range b.defs {
		if d.home != nil && b.local(d) {
			b.definition(d)
		}
	}
	ir.MarkRecursive(slices.Values(b.all))
	for _, t := range b.all {
		b.sizer.Set(t) // no type is too large: there are no arrays, and messages are no parts of messages
	}
	for _, c := range b.chosen {
		if d := b.records[c.Index]; b.local(d) {
			b.record(d, c)
		}
	}
	for _, f := range b.files {
		b.pkg.Files = append(b.pkg.Files, f)
	}
	slices.SortFunc(b.pkg.Files, func(a, b *ir.File) int { return cmp.Compare(a.DeclOutput, b.DeclOutput) })
	b.pkg.Scope = b.scope.Names()
	b.pkg.FileNames = slices.Sorted(maps.Values(b.pkg.Imports))
	return b.pkg
}

// local reports whether a definition belongs to the package.
func (b *packageBuilder) local(d *definition) bool { return d.home.Path == b.home.Path }

// file returns the output for the source of a definition, adding it if need be.
func (b *packageBuilder) file(d *definition) *ir.File {
	source := d.file.source
	if out := b.files[source]; out != nil {
		return out
	}
	out := &ir.File{Source: path.Base(strings.ReplaceAll(source, `\`, "/")), Package: b.home.Name}
	out.DeclOutput, out.Output = schema.OutputNames(source)
	for other, o := range b.files {
		if o.DeclOutput == out.DeclOutput {
			names := []string{other, source}
			slices.Sort(names)
			b.diags.Addf(d.file.position(nil), diag.Output, "%s and %s would both be generated to %s of the package %s", names[0], names[1], out.DeclOutput, b.home.Path).
				Hint = "rename one of the files, or another package for it"
		}
	}
	b.files[source] = out
	return out
}

// renameHint says how what has the name of something else gets another one.
const renameHint = "another name for one of them in the schema, or another Go package"

// declare adds a declaration to the package.
func (b *packageBuilder) declare(owner *definition, d *ir.Decl, what string) {
	out := b.file(owner)
	out.Decls = append(out.Decls, d)
	name := d.Type.Name.Name
	b.scope.Declare(name, what, d.Pos, renameHint, b.diags)
	if len(d.Constants) == 0 {
		return
	}
	b.scope.Declare("Parse"+name, "the function that reads "+what, d.Pos, renameHint, b.diags)
	for _, c := range d.Constants {
		b.scope.Declare(c.Name, fmt.Sprintf("the value %s of %s", c.Symbol, what), d.Pos, renameHint, b.diags)
	}
}

// record adds a record to its file.
func (b *packageBuilder) record(d *definition, c schema.Chosen) {
	t := b.named[d]
	r := &ir.Record{Name: t.Name.Name, Doc: b.docs[d], Pos: d.pos, Type: t, With: c.With, Format: *c.Format}
	pos := c.Pos
	if !pos.IsValid() && pos.Filename == "" {
		pos = d.pos
	}
	switch {
	case c.SingleObject:
		b.diags.Addf(pos, diag.Record, "%s cannot have the single-object encoding, which is one of Avro", r.Name).Hint = "leave it out"
	case r.Format == ir.Protobuf:
		b.diags.Addf(pos, diag.Record, "%s cannot have the format %v: its type is made by rwgen, and has no methods for that", r.Name, r.Format).
			Hint = "types of protoc-gen-go, and //rwgen:record format=protobuf above an alias of one"
	case r.Format != ir.Native:
		b.diags.Addf(pos, diag.Record, "%s cannot have the format %v", r.Name, r.Format).Hint = ir.Native.String()
	}
	schema.CheckRecord(r, b.diags)
	schema.AddWriters(r, c.Record, func(f *ir.Field) string { return f.Schema }, b.diags)
	out := b.file(d)
	out.Records = append(out.Records, r)
}

// goName returns the Go name of a message or an enum: those of the messages that it stands in and its own.
func goName(d protoreflect.Descriptor) string {
	name := schema.GoName(string(d.Name()))
	for p := d.Parent(); p != nil; p = p.Parent() {
		m, ok := p.(protoreflect.MessageDescriptor)
		if !ok {
			break
		}
		name = schema.GoName(string(m.Name())) + name
	}
	return name
}

// docOf returns the documentation of a descriptor. deprecated says that its options call it that.
func docOf(d protoreflect.Descriptor, deprecated bool) string {
	doc := schema.Doc(comments(d))
	if !deprecated || strings.Contains(doc, "Deprecated:") {
		return doc
	}
	return strings.TrimSpace(doc + "\n\nDeprecated: the schema says so.")
}
