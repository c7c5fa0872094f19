package avro

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// packageBuilder makes one Go package. Types of other packages that it refers to are made anew for it, because they have other names there.
type packageBuilder struct {
	*builder
	home  *schema.Package
	pkg   *ir.Package
	files map[*file]*ir.File
	scope schema.Scope
	sizer schema.Sizer
	// named holds the definitions that are finished or being built, and decls those that the package declares.
	named map[*definition]*ir.Avro
	decls map[*definition]*ir.Decl
	// all are the types that have been made.
	all []*ir.Type
}

func newPackage(b *builder, home *schema.Package) *packageBuilder {
	return &packageBuilder{
		builder: b, home: home,
		pkg:   &ir.Package{Path: home.Path, Name: home.Name, Dir: home.Dir, Imports: make(map[string]string)},
		files: make(map[*file]*ir.File),
		named: make(map[*definition]*ir.Avro),
		decls: make(map[*definition]*ir.Decl),
	}
}

// build returns the package, which is incomplete if there are diagnostics.
func (b *packageBuilder) build() *ir.Package {
	for _, d := range b.defs {
		if b.asked[d] && b.local(d) {
			b.definition(d)
		}
	}
	ir.MarkRecursive(slices.Values(b.all))
	fits := true
	for _, t := range b.all {
		fits = b.sizer.Set(t) && fits
	}
	if !fits {
		d := b.tooLarge()
		b.fail(d.nameAt, "smaller fixed types, or bytes", "the %s is too large", d.what())
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
func (b *packageBuilder) local(d *definition) bool { return b.homes[d].Path == b.home.Path }

// tooLarge returns the first definition that is too large.
func (b *packageBuilder) tooLarge() *definition {
	for _, d := range b.defs {
		if a := b.named[d]; a != nil && a.Type.GoSize < 0 {
			return d
		}
	}
	return b.defs[0] // other types are made of definitions
}

// file returns the output for a schema file, adding it if need be.
func (b *packageBuilder) file(f *file) *ir.File {
	if out := b.files[f]; out != nil {
		return out
	}
	out := &ir.File{Source: path.Base(strings.ReplaceAll(f.name, `\`, "/")), Package: b.home.Name}
	out.DeclOutput, out.Output = schema.OutputNames(f.name)
	for other, o := range b.files {
		if o.DeclOutput == out.DeclOutput {
			names := []string{other.name, f.name}
			slices.Sort(names)
			b.diags.Addf(f.position(0), diag.Output, "%s and %s would both be generated to %s of the package %s", names[0], names[1], out.DeclOutput, b.home.Path).
				Hint = "rename one of the files, or another package for it"
		}
	}
	b.files[f] = out
	return out
}

// declare adds a declaration to the package.
func (b *packageBuilder) declare(f *file, d *ir.Decl, what, hint string) {
	out := b.file(f)
	out.Decls = append(out.Decls, d)
	name := d.Type.Name.Name
	b.scope.Declare(name, what, d.Pos, hint, b.diags)
	if len(d.Constants) == 0 {
		return
	}
	b.scope.Declare("Parse"+name, "the function that reads "+what, d.Pos, hint, b.diags)
	for _, c := range d.Constants {
		b.scope.Declare(c.Name, fmt.Sprintf("the symbol %s of %s", c.Symbol, what), d.Pos, "another symbol, or "+hint, b.diags)
	}
}

// record adds a record to its file.
func (b *packageBuilder) record(d *definition, c schema.Chosen) {
	avro := b.named[d]
	r := &ir.Record{Name: avro.Type.Name.Name, Doc: b.decls[d].Doc, Pos: d.nameAt, Type: avro.Type, With: c.With, Format: *c.Format, Aliases: recordAliases(d, avro.Type.Name.Name)}
	switch r.Format {
	case ir.Native:
		if c.SingleObject {
			b.diags.Addf(c.Pos, diag.Record, "%s cannot have the single-object encoding: its format is %v", r.Name, r.Format).Hint = "the format " + ir.AvroBinary.String()
		}
	case ir.AvroBinary:
		r.Avro = &ir.AvroSchema{Root: avro, Canonical: canonical(d.node), Full: full(d.node)[0], SingleObject: c.SingleObject}
	default:
		b.diags.Addf(c.Pos, diag.Record, "%s cannot have the format %v", r.Name, r.Format).Hint = fmt.Sprintf("%v or %v", ir.Native, ir.AvroBinary)
	}
	schema.CheckRecord(r, b.diags)
	schema.AddWriters(r, c.Record, func(f *ir.Field) string { return f.Schema }, b.diags)
	out := b.file(d.at.file)
	out.Records = append(out.Records, r)
}

// recordAliases returns the aliases of a record as names of Go.
func recordAliases(d *definition, name string) []string {
	var aliases []string
	for _, a := range d.aliases {
		_, last := split(a)
		if alias := schema.GoName(last); alias != name && !slices.Contains(aliases, alias) {
			aliases = append(aliases, alias)
		}
	}
	return aliases
}

// goNameOf returns the Go name of a definition.
func goNameOf(d *definition) string { return cmp.Or(d.goName, schema.GoName(d.name)) }

// renameHint says how a definition or a field gets another Go name.
const renameHint = `"` + goNameAttribute + `": "OtherName" beside the name of one of them`
