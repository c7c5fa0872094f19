package avro

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// mostDefinitions is how many types with names the files may define.
const mostDefinitions = 20_000

// Load reads Avro schemas and protocols. It is a [schema.Load].
func Load(cfg schema.Config) ([]*ir.Package, diag.List) {
	var diags diag.List
	r := &reader{diags: &diags, byName: make(map[string]*definition)}
	for _, f := range cfg.Files {
		if v := parse(newFile(f.Name, f.Content), &diags); v != nil {
			r.file(v)
		}
	}
	if len(r.defs)+len(r.repeated) > mostDefinitions {
		diags.Addf(token.Position{}, diag.Schema, "the schemas define %d types, more than %d", len(r.defs)+len(r.repeated), mostDefinitions).Hint = "several runs"
	} else {
		r.resolve()
	}
	var pkgs []*ir.Package
	if len(diags) == 0 {
		pkgs = newBuilder(&cfg, r).build()
	}
	if len(diags) == 0 {
		r.secondOpinion()
	}
	if len(diags) > 0 {
		diags.Sort()
		return nil, diags
	}
	return pkgs, nil
}

var _ schema.Load = Load

// builder makes Go packages of definitions.
type builder struct {
	*reader
	cfg    *schema.Config
	chosen []schema.Chosen
	// records has the definitions that may be records, in the order of the files.
	records []*definition
	// asked says which definitions are part of a record.
	asked map[*definition]bool
	homes map[*definition]*schema.Package
}

func newBuilder(cfg *schema.Config, r *reader) *builder {
	return &builder{reader: r, cfg: cfg, asked: make(map[*definition]bool), homes: make(map[*definition]*schema.Package)}
}

// build returns the packages, or an incomplete list after diagnostics.
func (b *builder) build() []*ir.Package {
	b.choose()
	for _, c := range b.chosen {
		b.ask(b.records[c.Index])
	}
	b.place()
	b.cfg.CheckPackages(func(yield func(string) bool) {
		for _, d := range b.defs {
			if !yield(d.space) {
				return
			}
		}
	}, b.diags)
	if len(*b.diags) > 0 {
		return nil
	}
	b.checkImports()
	var pkgs []*ir.Package
	for _, home := range b.packages() {
		pkgs = append(pkgs, newPackage(b, home).build())
	}
	slices.SortFunc(pkgs, func(a, b *ir.Package) int { return cmp.Compare(a.Path, b.Path) })
	return pkgs
}

// choose finds out which types are records.
func (b *builder) choose() {
	referred := make(map[*definition]bool)
	for _, d := range b.defs {
		for next := range d.refers() {
			if next != d {
				referred[next] = true
			}
		}
	}
	var candidates []schema.Candidate
	for _, d := range b.defs {
		if d.kind == ir.AvroRecord {
			b.records = append(b.records, d)
			candidates = append(candidates, schema.Candidate{Name: d.fullName(), Referred: referred[d] || d.isError, Empty: len(d.fields) == 0, Pos: d.nameAt})
		}
	}
	if len(candidates) == 0 && len(b.cfg.Files) > 0 {
		b.fail(token.Position{Filename: b.cfg.Files[0].Name}, `{"type": "record", "name": …, "fields": […]}`, "the schemas define no record")
	}
	b.chosen = b.cfg.Choose(candidates, b.diags)
}

// ask marks a definition and all that it is made of.
func (b *builder) ask(d *definition) {
	stack := []*definition{d}
	for len(stack) > 0 {
		d := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b.asked[d] {
			continue
		}
		b.asked[d] = true
		for next := range d.refers() {
			stack = append(stack, next)
		}
	}
}

// refers yields the definitions that a definition refers to, some of them several times.
func (d *definition) refers() func(yield func(*definition) bool) {
	return func(yield func(*definition) bool) {
		for _, f := range d.fields {
			if !f.typ.refers(yield) {
				return
			}
		}
	}
}

func (n *node) refers(yield func(*definition) bool) bool {
	if n.def != nil {
		return yield(n.def)
	}
	for _, p := range n.parts() {
		if !p.refers(yield) {
			return false
		}
	}
	return true
}

// place finds the Go package of each definition that is asked for.
func (b *builder) place() {
	missing := make(map[string]bool)
	for _, d := range b.defs {
		if !b.asked[d] {
			continue
		}
		home := b.cfg.PackageOf(d.space)
		if home == nil {
			if !missing[d.space] {
				missing[d.space] = true
				where := "the namespace " + d.space + " of the " + d.what()
				if d.space == "" {
					where = "the " + d.what() + ", which has no namespace"
				}
				b.fail(d.nameAt, schema.PackageHint(d.space), "there is no Go package for %s", where)
			}
			continue
		}
		b.homes[d] = home
	}
}

// packages returns one entry for each Go package that has types. Namespaces that share a package have entries of their own, which must agree.
func (b *builder) packages() []*schema.Package {
	byPath := make(map[string]*schema.Package)
	var homes []*schema.Package
	for _, d := range b.defs {
		home := b.homes[d]
		if home == nil {
			continue
		}
		first := byPath[home.Path]
		switch {
		case first == nil:
			byPath[home.Path] = home
			homes = append(homes, home)
		case first.Dir != home.Dir || first.Name != home.Name:
			disagreement := fmt.Sprintf("the package %s is %s in %s for the namespace %q, and %s in %s for %q", home.Path, first.Name, first.Dir, first.Namespace, home.Name, home.Dir, home.Namespace)
			b.diags.Addf(home.Pos, diag.Schema, "%s", disagreement).Hint = "the same name and directory, or another import path"
		}
	}
	return homes
}

// checkImports reports Go packages that would have to import one another, which Go refuses, though namespaces may refer to one another.
func (b *builder) checkImports() {
	type edge struct{ from, to string }
	uses := make(map[string][]string)
	cause := make(map[edge]*definition)
	for _, d := range b.defs {
		if !b.asked[d] {
			continue
		}
		from := b.homes[d].Path
		for next := range d.refers() {
			to := b.homes[next].Path
			if from != to && cause[edge{from, to}] == nil {
				cause[edge{from, to}] = d
				uses[from] = append(uses[from], to)
			}
		}
	}
	const unseen, active, done = 0, 1, 2
	state := make(map[string]int)
	var path []string
	var visit func(string)
	visit = func(p string) {
		state[p] = active
		path = append(path, p)
		for _, next := range uses[p] {
			switch state[next] {
			case unseen:
				visit(next)
			case active:
				d := cause[edge{p, next}]
				cycle := append(slices.Clone(path[slices.Index(path, next):]), next)
				report := b.fail(d.nameAt, "one Go package for these namespaces", "Go packages cannot import one another: %s", strings.Join(cycle, " → "))
				for i := range cycle[:len(cycle)-1] {
					c := cause[edge{cycle[i], cycle[i+1]}]
					report.Related = append(report.Related, diag.Related{Pos: c.nameAt, Message: fmt.Sprintf("the %s refers to types of %s", c.what(), cycle[i+1])})
				}
			}
		}
		path = path[:len(path)-1]
		state[p] = done
	}
	for _, d := range b.defs {
		if home := b.homes[d]; home != nil && state[home.Path] == unseen {
			visit(home.Path)
		}
	}
}
