package proto

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// definition is a message or an enum.
type definition struct {
	desc protoreflect.Descriptor
	file *file
	pos  token.Position
	home *schema.Package // nil if it is not part of a record
}

// what says what a definition is.
func (d *definition) what() string {
	if _, ok := d.desc.(protoreflect.EnumDescriptor); ok {
		return "enum " + string(d.desc.FullName())
	}
	return "message " + string(d.desc.FullName())
}

// space returns the Protobuf package of a definition.
func (d *definition) space() string { return string(d.desc.ParentFile().Package()) }

// builder makes Go packages of definitions.
type builder struct {
	*loader
	defs   []*definition // in the order of the files
	byName map[protoreflect.FullName]*definition
	// records has the messages that may be records, as far as chosen goes by them.
	records []*definition
	chosen  []schema.Chosen
	fields  int
}

func newBuilder(l *loader) *builder {
	return &builder{loader: l, byName: make(map[protoreflect.FullName]*definition)}
}

// build returns the packages, or an incomplete list after diagnostics.
func (b *builder) build() []*ir.Package {
	for _, f := range b.files {
		*b.at = f.name
		b.collect(f, f.desc.Messages(), f.desc.Enums())
	}
	if len(b.defs) > mostDefinitions || b.fields > mostFields {
		b.fail(token.Position{}, "several runs", "the schemas define %d types with %d fields, and at most %d and %d are read", len(b.defs), b.fields, mostDefinitions, mostFields)
		return nil
	}
	b.choose()
	for _, c := range b.chosen {
		b.place(b.records[c.Index])
	}
	b.cfg.CheckPackages(func(yield func(string) bool) {
		for _, f := range b.files {
			if !yield(string(f.desc.Package())) {
				return
			}
		}
	}, b.diags)
	if len(*b.diags) > 0 {
		return nil
	}
	b.checkImports()
	var pkgs []*ir.Package
	for _, home := range b.homes() {
		pkgs = append(pkgs, newPackage(b, home).build())
	}
	slices.SortFunc(pkgs, func(a, b *ir.Package) int { return cmp.Compare(a.Path, b.Path) })
	return pkgs
}

// collect notes what a file or a message defines. The entries of maps are no messages of their own.
func (b *builder) collect(f *file, messages protoreflect.MessageDescriptors, enums protoreflect.EnumDescriptors) {
	if len(b.defs) > mostDefinitions {
		return
	}
	add := func(d protoreflect.Descriptor) {
		def := &definition{desc: d, file: f, pos: f.position(d)}
		b.defs = append(b.defs, def)
		b.byName[d.FullName()] = def
	}
	for i := range messages.Len() {
		m := messages.Get(i)
		if m.IsMapEntry() {
			continue
		}
		add(m)
		b.fields += m.Fields().Len()
		b.collect(f, m.Messages(), m.Enums())
	}
	for i := range enums.Len() {
		add(enums.Get(i))
	}
}

// refers yields the definitions that the fields of a message refer to.
func (b *builder) refers(m protoreflect.MessageDescriptor) func(yield func(*definition) bool) {
	return func(yield func(*definition) bool) {
		for i := range m.Fields().Len() {
			f := m.Fields().Get(i)
			if f.IsMap() {
				f = f.MapValue()
			}
			if d := b.of(f); d != nil && !yield(d) {
				return
			}
		}
	}
}

// of returns the definition of a field's type, nil if it is not one that is declared in Go.
func (b *builder) of(f protoreflect.FieldDescriptor) *definition {
	switch {
	case f.Enum() != nil:
		return b.byName[f.Enum().FullName()]
	case f.Message() != nil && special(f.Message()) == notSpecial:
		return b.byName[f.Message().FullName()]
	}
	return nil
}

// choose finds out which messages are records: of the files that were given.
func (b *builder) choose() {
	referred := make(map[*definition]bool)
	for _, d := range b.defs {
		if m, ok := d.desc.(protoreflect.MessageDescriptor); ok {
			for next := range b.refers(m) {
				if next != d {
					referred[next] = true
				}
			}
		}
	}
	// What is in a descriptor set only because others import it is there for these.
	helping := make(map[*file]bool)
	for _, f := range b.files {
		for _, imp := range f.imports {
			if f.proto != nil && imp.file != nil && imp.file.proto != nil {
				helping[imp.file] = true
			}
		}
	}
	var candidates []schema.Candidate
	for _, d := range b.defs {
		if m, ok := d.desc.(protoreflect.MessageDescriptor); ok && d.file.given {
			b.records = append(b.records, d)
			candidates = append(candidates, schema.Candidate{Name: string(d.desc.FullName()), Referred: referred[d] || helping[d.file], Empty: m.Fields().Len() == 0, Pos: d.pos})
		}
	}
	if len(candidates) == 0 && len(b.cfg.Files) > 0 {
		b.fail(token.Position{Filename: b.cfg.Files[0].Name}, "message Quake { … }", "the schemas define no message")
	}
	b.chosen = b.cfg.Choose(candidates, b.diags)
}

// place finds the Go packages of a definition and of all that it is made of.
func (b *builder) place(d *definition) {
	missing := make(map[string]bool)
	seen := map[*definition]bool{d: true}
	via := make(map[*definition]*definition)
	for stack := []*definition{d}; len(stack) > 0; {
		d := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if d.home == nil {
			d.home = b.cfg.PackageOf(d.space())
		}
		if space := d.space(); d.home == nil && !missing[space] {
			missing[space] = true
			where := "the package " + space + " of the " + d.what()
			if space == "" {
				where = "the " + d.what() + ", whose file has no package"
			}
			at := d
			for !at.file.given && via[at] != nil { // what stands in no file of the user
				at = via[at]
			}
			b.fail(at.pos, schema.PackageHint(space), "there is no Go package for %s", where)
		}
		if m, ok := d.desc.(protoreflect.MessageDescriptor); ok {
			for next := range b.refers(m) {
				if !seen[next] {
					seen[next], via[next] = true, d
					stack = append(stack, next)
				}
			}
		}
	}
}

// homes returns one entry for each Go package that has types. Protobuf packages that share one have entries of their own, which must agree.
func (b *builder) homes() []*schema.Package {
	byPath := make(map[string]*schema.Package)
	var homes []*schema.Package
	for _, d := range b.defs {
		if d.home == nil {
			continue
		}
		first := byPath[d.home.Path]
		switch {
		case first == nil:
			byPath[d.home.Path] = d.home
			homes = append(homes, d.home)
		case first.Dir != d.home.Dir || first.Name != d.home.Name:
			b.fail(d.home.Pos, "the same name and directory, or another import path", "the package %s is %s in %s for %q, and %s in %s for %q",
				first.Path, first.Name, first.Dir, first.Namespace, d.home.Name, d.home.Dir, d.home.Namespace)
		}
	}
	return homes
}

// checkImports reports Go packages that would have to import one another, which Go refuses. Files cannot do so, but their packages can.
func (b *builder) checkImports() {
	type edge struct{ from, to string }
	uses := make(map[string][]string)
	cause := make(map[edge]*definition)
	for _, d := range b.defs {
		m, ok := d.desc.(protoreflect.MessageDescriptor)
		if !ok || d.home == nil {
			continue
		}
		for next := range b.refers(m) {
			e := edge{d.home.Path, next.home.Path}
			if e.from != e.to && cause[e] == nil {
				cause[e] = d
				uses[e.from] = append(uses[e.from], e.to)
			}
		}
	}
	const unseen, open, done = 0, 1, 2
	state := make(map[string]int)
	var way []string
	var visit func(string)
	visit = func(p string) {
		state[p] = open
		way = append(way, p)
		for _, next := range uses[p] {
			switch state[next] {
			case unseen:
				visit(next)
			case open:
				cycle := append(slices.Clone(way[slices.Index(way, next):]), next)
				d := b.fail(cause[edge{p, next}].pos, "one Go package for these packages", "Go packages cannot import one another: %s", strings.Join(cycle, " → "))
				for i := range cycle[:len(cycle)-1] {
					c := cause[edge{cycle[i], cycle[i+1]}]
					d.Related = append(d.Related, diag.Related{Pos: c.pos, Message: fmt.Sprintf("the %s refers to types of %s", c.what(), cycle[i+1])})
				}
			}
		}
		way = way[:len(way)-1]
		state[p] = done
	}
	for _, d := range b.defs {
		if d.home != nil && state[d.home.Path] == unseen {
			visit(d.home.Path)
		}
	}
}
