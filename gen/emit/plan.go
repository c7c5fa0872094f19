package emit

import (
	"fmt"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/names"
)

// plan says what each file of a package declares. It is made from the whole package, so that all files agree: a function for a struct that
// several files need is declared once, and no name twice.
type plan struct {
	*facts
	pkg     *ir.Package
	scope   *names.Scope
	records map[*ir.Record]*recordNames
	// helpers holds, by the files that can see them, the functions for structs.
	helpers map[pool]map[function]*helper
	checks  map[*ir.File][]*ir.Type // structs whose shape a file checks, besides its records
	// checkedIn holds the same structs by the files that can see the checks.
	checkedIn map[pool]map[*ir.Type]bool
	isRec     map[*ir.Type]bool // the types of records
	// declared holds every identifier that generated code declares in the package.
	declared []string
	owners   map[string]owner // of those that users see
	taken    diag.List
}

// recordNames holds the names of what is generated for one record.
type recordNames struct {
	names.Record
	writers []names.Writer
	// The functions shared by the writers.
	emit, tryEmit, broadcast string
}

// function is a function of a struct type, or of a union.
type function struct {
	part part
	typ  *ir.Type
	avro *ir.Avro // of a function for the format avro; nil for the native one
}

// helper is where and under which name a function is declared.
type helper struct {
	name string
	file *ir.File
}

// pool is a set of files that are always built together: all files without constraints of a package, its test files without constraints,
// or one file that has a constraint.
type pool struct {
	clause string
	test   bool
	file   *ir.File // nil, or the only one
}

func poolOf(f *ir.File) pool {
	p := pool{clause: f.Package, test: f.Test}
	if constrained(f) {
		p.file = f
	}
	return p
}

// constrained says that f is not part of every build: by a build constraint, or by its name, whose operating system and architecture
// come after _rw.
func constrained(f *ir.File) bool {
	stem := strings.TrimSuffix(strings.TrimSuffix(f.Output, ".go"), "_test")
	return f.Constraint != "" || path.Ext(f.Output) == ".go" && !strings.HasSuffix(stem, "_rw") && strings.Contains(stem, "_rw_")
}

// visible lists the pools that the code of pool p can use, itself last.
func (p pool) visible() []pool {
	list := []pool{{clause: p.clause}}
	if p.test {
		list = append(list, pool{clause: p.clause, test: true})
	}
	if p.file != nil {
		list = append(list, p)
	}
	return list
}

func newPlan(pkg *ir.Package, imports []string) *plan {
	p := &plan{
		pkg:       pkg,
		facts:     newFacts(),
		scope:     names.NewScope(),
		records:   map[*ir.Record]*recordNames{},
		helpers:   map[pool]map[function]*helper{},
		checks:    map[*ir.File][]*ir.Type{},
		checkedIn: map[pool]map[*ir.Type]bool{},
		isRec:     map[*ir.Type]bool{},
		owners:    map[string]owner{},
	}
	p.scope.Reserve(pkg.Scope...)
	p.scope.Reserve(pkg.FileNames...)
	p.nameRecords()
	p.scope.Reserve(imports...)
	// First what most files can see, then the others.
	for _, files := range p.poolOrder() {
		p.addPool(files)
	}
	return p
}

// poolOrder groups the files by pool, so that each pool comes after those that are visible to it.
func (p *plan) poolOrder() [][]*ir.File {
	var order []pool
	members := map[pool][]*ir.File{}
	for _, f := range p.pkg.Files {
		k := poolOf(f)
		if members[k] == nil {
			order = append(order, k)
		}
		members[k] = append(members[k], f)
	}
	slices.SortStableFunc(order, func(a, b pool) int { return len(a.visible()) - len(b.visible()) })
	var list [][]*ir.File
	for _, k := range order {
		list = append(list, members[k])
	}
	return list
}

// declare takes a name that users see, for what stands at pos, and notes a diagnostic if it is not free.
func (p *plan) declare(name, what string, pos token.Position) {
	if p.scope.Claim(name) {
		p.declared = append(p.declared, name)
		p.owners[name] = owner{what, pos}
		return
	}
	if other, ok := p.owners[name]; ok {
		d := p.taken.Addf(pos, diag.Name, "the name %s of %s is that of %s, too", name, what, other.what)
		d.Hint = "give the writer or one of the types another name"
		d.Related = []diag.Related{{Pos: other.pos, Message: "the other one"}}
		return
	}
	p.taken.Addf(pos, diag.Name, "the name %s of %s is taken in the package", name, what).
		Hint = "rename the declaration or the type"
}

// owner says what a name that users see was taken for.
type owner struct {
	what string
	pos  token.Position
}

// private takes a name for generated code's own use, changed until it is free.
func (p *plan) private(name string) string {
	name = p.scope.Pick(name)
	p.declared = append(p.declared, name)
	return name
}

func (p *plan) nameRecords() {
	for _, f := range p.pkg.Files {
		for _, r := range f.Records {
			n := &recordNames{Record: names.ForRecord(r.Name)}
			p.records[r] = n
			p.isRec[r.Type] = true
			what := [...]string{"the serializer", "a writer", "a constructor", "the reader", "a constructor"}
			for i, name := range n.All() {
				p.declare(name, what[i]+" of "+r.Name, r.Pos)
			}
			for _, w := range r.Writers {
				wn := names.ForWriter(r.Name, w.Name)
				n.writers = append(n.writers, wn)
				p.declare(wn.Writer, fmt.Sprintf("the writer %s of %s", w.Name, r.Name), w.Pos)
				p.declare(wn.NewWriter, fmt.Sprintf("the constructor of the writer %s of %s", w.Name, r.Name), w.Pos)
			}
		}
	}
	for _, f := range p.pkg.Files {
		for _, r := range f.Records {
			n, name := p.records[r], names.Upper(r.Name)+suffix(poolOf(f))
			n.emit = p.private("emit" + name)
			n.tryEmit = p.private("tryEmit" + name)
			n.broadcast = p.private("broadcast" + name)
		}
	}
}

// addPool assigns what the files of one pool need and no visible pool has.
func (p *plan) addPool(files []*ir.File) {
	home := map[*ir.Type]*ir.File{} // the files that declare records
	for _, f := range files {
		for _, r := range f.Records {
			home[r.Type] = f
		}
	}
	for _, f := range files {
		for _, r := range f.Records {
			for _, part := range partsOf(r) {
				w := walker{plan: p, file: f, home: home, part: part, seen: map[*ir.Type]bool{}}
				switch {
				case r.Format != ir.AvroBinary || part.requested():
					w.structure(r.Type)
				case part != detachPart: // there are no views
					aw := avroWalker{w, map[*ir.Avro]bool{}}
					aw.record(r.Avro.Root)
				}
			}
			p.addChecks(f, r)
		}
	}
}

// helper returns the name of the function of a struct that code in file f calls.
func (p *plan) helper(f *ir.File, part part, t *ir.Type) string {
	return p.function(f, function{part: part, typ: t})
}

// function is helper for the functions of all formats.
func (p *plan) function(f *ir.File, fn function) string {
	h := p.find(poolOf(f), fn)
	if h == nil {
		panic(fmt.Sprintf("emit: %s of %s was not planned", fn.part, typeName(fn.typ)))
	}
	return h.name
}

func (p *plan) find(at pool, fn function) *helper {
	for _, v := range at.visible() {
		if h := p.helpers[v][fn]; h != nil {
			return h
		}
	}
	return nil
}

// declaredIn lists the functions that file f declares, in the order in which the records need them.
func (p *plan) declaredIn(f *ir.File) []function {
	var list []function
	for fn, h := range p.helpers[poolOf(f)] {
		if h.file == f {
			list = append(list, fn)
		}
	}
	slices.SortFunc(list, func(a, b function) int {
		if c := strings.Compare(typeName(a.typ), typeName(b.typ)); c != 0 {
			return c
		}
		if a.part != b.part {
			return int(a.part) - int(b.part)
		}
		return strings.Compare(p.function(f, a), p.function(f, b))
	})
	return list
}

// walker finds the functions that the code for a record calls. It mirrors the decisions of the emitters, which share the predicates in facts.go.
type walker struct {
	*plan
	file *ir.File
	home map[*ir.Type]*ir.File
	part part
	seen map[*ir.Type]bool
}

// structure visits the fields of a struct that is treated in place.
func (w *walker) structure(t *ir.Type) {
	for f := range t.Encoded() {
		if f.Type.Kind == ir.Struct && !w.isEmpty(f.Type) && w.inlined(w.part, f.Type) {
			w.structure(f.Type)
		} else {
			w.value(f.Type)
		}
	}
}

// value visits a value outside a struct field.
func (w *walker) value(t *ir.Type) {
	if w.part == detachPart && !w.views(t) {
		return
	}
	if w.part.requested() && w.atOnce(w.part, t) {
		return
	}
	if _, ok := w.constSize(t); w.isEmpty(t) || ok && (w.part == sizePart || w.inPlace(t)) {
		return
	}
	switch {
	case t.Kind == ir.Struct && t.Name == nil, w.part <= consumePart && w.tiny(t):
		w.structure(t)
	case t.Kind == ir.Struct:
		if w.seen[t] {
			return
		}
		w.seen[t] = true
		w.request(function{part: w.part, typ: t})
		w.structure(t)
	case t.Kind == ir.Union:
		if w.seen[t] {
			return
		}
		w.seen[t] = true
		w.request(function{part: w.part, typ: t})
		for _, m := range t.Members {
			w.value(pointed(m))
		}
	default:
		for _, c := range contents(t) {
			w.value(c)
		}
		if w.part == equalPart && t.Kind == ir.Map && !w.exact(t.Key) {
			// The keys are found by their hashes.
			keys := walker{plan: w.plan, file: w.file, home: w.home, part: hashPart, seen: map[*ir.Type]bool{}}
			keys.value(t.Key)
		}
	}
}

// request assigns the function of a struct to a file unless there is one.
func (w *walker) request(fn function) {
	at := poolOf(w.file)
	if w.find(at, fn) != nil {
		return
	}
	file := w.file
	if h := w.home[fn.typ]; h != nil {
		file = h
	}
	if w.helpers[at] == nil {
		w.helpers[at] = map[function]*helper{}
	}
	w.helpers[at][fn] = &helper{name: w.private(fn.part.String() + formatName(fn) + typeName(fn.typ) + suffix(at)), file: file}
}

// formatName is the part of a function's name that tells the format, empty for the native one.
func formatName(fn function) string {
	if fn.avro != nil {
		return "Avro"
	}
	return ""
}

// suffix keeps the names of functions apart that are declared in files of different builds, whichever of them are generated together.
func suffix(at pool) string {
	switch {
	case at.file != nil:
		var s strings.Builder
		stem := strings.TrimSuffix(at.file.Source, ".go")
		for _, word := range strings.FieldsFunc(stem, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
			s.WriteString(names.Upper(names.Package(word)))
		}
		return s.String()
	case at.test:
		return "Test"
	}
	return ""
}

// addChecks assigns the checks of the structs within a record to its file, unless another file has them.
func (p *plan) addChecks(f *ir.File, r *ir.Record) {
	for _, t := range nestedStructs(r.Type) {
		if p.isRecord(t) || p.checked(f, t) {
			continue
		}
		p.checks[f] = append(p.checks[f], t)
		at := poolOf(f)
		if p.checkedIn[at] == nil {
			p.checkedIn[at] = map[*ir.Type]bool{}
		}
		p.checkedIn[at][t] = true
	}
}

func (p *plan) isRecord(t *ir.Type) bool { return p.isRec[t] }

func (p *plan) checked(f *ir.File, t *ir.Type) bool {
	for _, at := range poolOf(f).visible() {
		if p.checkedIn[at][t] {
			return true
		}
	}
	return false
}

// nestedStructs returns the named structs within t, in the order in which they appear.
func nestedStructs(t *ir.Type) []*ir.Type {
	var list []*ir.Type
	seen := map[*ir.Type]bool{t: true}
	var walk func(*ir.Type)
	walk = func(t *ir.Type) {
		for _, c := range contents(t) {
			if seen[c] {
				continue
			}
			seen[c] = true
			if c.Kind == ir.Struct && c.Name != nil {
				list = append(list, c)
			}
			walk(c)
		}
	}
	walk(t)
	return list
}
