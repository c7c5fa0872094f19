package avro_test

import (
	"fmt"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	twmb "github.com/twmb/avro"
	"golang.org/x/tools/txtar"

	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/avro"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/ir"
)

// load loads one file into one package.
func load(t *testing.T, content string, format ir.Format) []*ir.Package {
	t.Helper()
	pkgs, diags := avro.Load(schema.Config{Files: []schema.File{{Name: "a.avsc", Content: []byte(content)}}, Packages: everywhere, Format: format})
	if len(diags) > 0 {
		t.Fatalf("%s", rendered(diags))
	}
	return pkgs
}

// logicalAttributes are what the canonical form has that the Parsing Canonical Form has not.
var logicalAttributes = regexp.MustCompile(`,"(logicalType":"[a-z-]*"|(precision|scale)":[0-9]+)`)

// plainObject is a primitive that was an object for its logical type only.
var plainObject = regexp.MustCompile(`\{"type":("(int|long|bytes|string)")\}`)

// The canonical schema of each golden is the Parsing Canonical Form that another implementation finds, but for logical types. The full schema can be read again and gives the same.
func TestAvroSchema(t *testing.T) {
	for _, g := range goldens(t, "/cases", ir.AvroBinary) {
		for _, p := range g.pkgs {
			for _, f := range p.Files {
				for _, r := range f.Records {
					if r.Avro == nil || r.Avro.Root.Type != r.Type || r.Avro.Root.Kind != ir.AvroRecord {
						t.Fatalf("%s: %s has the schema %+v", g.name, r.Name, r.Avro)
					}
					checkTree(t, r.Avro.Root, make(map[*ir.Avro]bool))
					if strings.Contains(r.Avro.Full, "\n") {
						t.Errorf("%s: the full schema of %s has several lines", g.name, r.Name)
					}
					other, err := twmb.Parse(r.Avro.Full)
					if err != nil {
						t.Errorf("%s: %s: %v", g.name, r.Avro.Full, err)
						continue
					}
					plain := plainObject.ReplaceAllString(logicalAttributes.ReplaceAllString(r.Avro.Canonical, ""), "$1")
					if canonical := string(other.Canonical()); canonical != plain {
						t.Errorf("%s: %s has the canonical form\n%s\nwant\n%s", g.name, r.Name, plain, canonical)
					}
					again, diags := avro.Load(schema.Config{
						Files: []schema.File{{Name: "again.avsc", Content: []byte(r.Avro.Full)}}, Packages: g.cfg.Packages, Format: ir.AvroBinary,
						Records: []schema.Record{{Name: r.Avro.Root.FullName}},
					})
					if len(diags) > 0 {
						t.Errorf("%s: %s\n%s", g.name, r.Avro.Full, rendered(diags))
						continue
					}
					for _, p := range again {
						for _, f := range p.Files {
							for _, other := range f.Records {
								if *other.Avro == *r.Avro || other.Avro.Canonical != r.Avro.Canonical || other.Avro.Full != r.Avro.Full {
									t.Errorf("%s: %s is\n%+v, and read again\n%+v", g.name, r.Name, r.Avro, other.Avro)
								}
							}
						}
					}
				}
			}
		}
	}
}

// checkTree checks that the tree of a schema and the Go types belong together.
func checkTree(t *testing.T, a *ir.Avro, seen map[*ir.Avro]bool) {
	t.Helper()
	if seen[a] {
		return
	}
	seen[a] = true
	if a.Type == nil {
		t.Fatalf("no type for %v %s", a.Kind, a.FullName)
	}
	switch other, optional := a.Optional(); {
	case optional:
		ok := a.Type == other.Type && (a.Type.Kind == ir.Bytes || a.Type.Kind == ir.Slice || a.Type.Kind == ir.Map) || a.Type.Kind == ir.Pointer && a.Type.Elem == other.Type
		if !ok {
			t.Errorf("an optional %v is a %v", other.Kind, a.Type.Kind)
		}
	case a.Kind == ir.AvroUnion:
		i := 0
		for _, b := range a.Branches {
			if b.Kind == ir.AvroNull {
				continue
			}
			m := a.Type.Members[i]
			i++
			switch {
			case m == b.Type, m.Kind == ir.Pointer && m.Elem == b.Type && b.Type.Kind == ir.Struct:
			case m.Kind == ir.Pointer && len(m.Elem.Fields) == 1 && m.Elem.Fields[0].Name == "Value" && m.Elem.Fields[0].Type == b.Type:
			default:
				t.Errorf("the member of the branch %v %s is %+v", b.Kind, b.FullName, m)
			}
		}
		if i != len(a.Type.Members) {
			t.Errorf("%d members for %d branches", len(a.Type.Members), i)
		}
	case a.Kind == ir.AvroArray, a.Kind == ir.AvroMap:
		if a.Type.Elem != a.Elem.Type {
			t.Errorf("the elements of a %v are %+v and %+v", a.Kind, a.Type.Elem, a.Elem.Type)
		}
	}
	for _, b := range a.Branches {
		checkTree(t, b, seen)
	}
	if a.Elem != nil {
		checkTree(t, a.Elem, seen)
	}
	for i, f := range a.Fields {
		if f.Field != a.Type.Fields[i] || f.Field.Type != f.Type.Type {
			t.Errorf("the field %s of %s and that in Go differ", f.Name, a.FullName)
		}
		checkTree(t, f.Type, seen)
	}
}

// What a schema says beside its types is in the representation: for the format avro as it stands there, for the native one in the form of tags.
func TestDetails(t *testing.T) {
	pkgs := load(t, `{"type": "record", "name": "n.R", "aliases": ["Old", "m.Older"], "fields": [
		{"name": "a_b", "aliases": ["old_name", "aB"], "type": {"type": "enum", "name": "E", "symbols": ["X", "Y"], "default": "Y", "aliases": ["F"]}, "default": "Y"},
		{"name": "c", "type": {"type": "fixed", "name": "o.F", "size": 3}, "default": "\u0001\u00ff\u0000"},
		{"name": "d", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 4}},
		{"name": "e", "type": ["null", "int"], "default": null},
		{"name": "f", "type": "double", "default": 1e2},
		{"name": "g", "type": "boolean", "default": false},
		{"name": "h", "type": {"type": "array", "items": "int"}, "default": [ 1, 2 ]}
	]}`, ir.AvroBinary)
	r := pkgs[0].Files[0].Records[0]
	var got strings.Builder
	fmt.Fprintf(&got, "%s %q at %v, %q\n", r.Name, r.Aliases, r.Pos, r.Doc)
	for i, f := range r.Avro.Root.Fields {
		fmt.Fprintf(&got, "%s %q default %s: %v\n", f.Name, f.Aliases, f.Default, r.Type.Fields[i].Options())
	}
	enum, fixed, decimal := r.Avro.Root.Fields[0].Type, r.Avro.Root.Fields[1].Type, r.Avro.Root.Fields[2].Type
	fmt.Fprintln(&got, r.Avro.Root.FullName, r.Avro.Root.Aliases, enum.FullName, enum.Aliases, enum.Symbols, enum.Default, fixed.FullName, fixed.Size, decimal.Logical, decimal.Precision, decimal.Scale)
	want := `R ["Old" "Older"] at a.avsc:1:28, "R is the record n.R of the schema."
a_b ["old_name" "aB"] default "Y": [alias=OldName default=1]
c [] default "\u0001ÿ\u0000": []
d [] default : []
e [] default null: []
f [] default 1e2: [default=100]
g [] default false: []
h [] default [1,2]: []
n.R [n.Old m.Older] n.E [n.F] [X Y] Y o.F 3 decimal 9 4
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// Attributes that are null are as good as missing, which some tools make use of. The full schema does not have them: others refuse it.
func TestNullAttributes(t *testing.T) {
	const nulls = `{"type": "record", "name": "R", "namespace": null, "doc": null, "aliases": null, "go.name": null, "fields": [{"name": "a", "doc": null, "aliases": null, "order": null,
		"type": {"type": "enum", "name": "E", "symbols": ["A"], "default": null}}, {"name": "b", "type": ["null", "E"], "default": null}]}`
	got := load(t, nulls, ir.AvroBinary)[0].Files[0].Records[0].Avro.Full
	want := `{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"enum","name":"E","symbols":["A"]}},{"name":"b","type":["null","E"],"default":null}]}`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// What is configured is checked as well as what the files hold.
func TestConfig(t *testing.T) {
	at := token.Position{Filename: "rwgen.yaml", Line: 3}
	protobuf, native := ir.Protobuf, ir.Native
	const files = `[
		{"type": "record", "name": "a.Order", "fields": [{"name": "customer_id", "type": "long"}, {"name": "at", "type": {"type": "long", "logicalType": "date"}}, {"name": "AppendBinary", "type": "int"}]},
		{"type": "record", "name": "b.Order", "fields": [{"name": "of", "type": "a.Order"}, {"name": "n", "type": ["null", "int"]}]},
		{"type": "record", "name": "b.c.Line", "fields": [{"name": "of", "type": {"type": "array", "items": "b.Order"}}]},
		{"type": "record", "name": "b.Circle", "fields": [{"name": "line", "type": ["null", "b.c.Line"]}, {"name": "n", "type": "int"}]}
	]`
	split := []schema.Package{
		{Namespace: "a", Path: "x/a", Name: "a", Dir: "/a"}, {Namespace: "b", Path: "x/b", Name: "b", Dir: "/b"}, {Namespace: "b.c", Path: "x/c", Name: "c", Dir: "/c"},
	}
	tests := []struct {
		name string
		cfg  schema.Config
		want string
	}{
		{"unknown record", schema.Config{Records: []schema.Record{{Name: "Lien", Pos: at}, {Name: "zzz", Pos: at}}, Packages: everywhere}, `
rwgen.yaml:3: no schema has a type Lien that could be a record [record]
	try: Line
rwgen.yaml:3: no schema has a type zzz that could be a record [record]
	try: one of a.Order, b.Order, b.c.Line, b.Circle
`},
		{"ambiguous record", schema.Config{Records: []schema.Record{{Name: "Order", Pos: at}}, Packages: everywhere}, `
rwgen.yaml:3: there are 2 types Order [record]
	try: one of a.Order, b.Order
`},
		{"record twice", schema.Config{Records: []schema.Record{{Name: "Line", Pos: at}, {Name: "b.c.Line", Pos: at}}, Packages: split}, `
rwgen.yaml:3: the record b.c.Line stands here twice [record]
	rwgen.yaml:3: the first one
	try: one entry with all writers
`},
		{"no package", schema.Config{Records: []schema.Record{{Name: "Line"}}, Packages: split[1:]}, `
a.avsc:2:30: there is no Go package for the namespace a of the record a.Order [schema]
	try: a package for the namespace a, or for a namespace around it with its subspaces
`},
		{"import cycle", schema.Config{Records: []schema.Record{{Name: "Circle"}}, Packages: split}, `
a.avsc:4:30: Go packages cannot import one another: x/b → x/c → x/b [schema]
	a.avsc:5:30: the record b.Circle refers to types of x/c
	a.avsc:4:30: the record b.c.Line refers to types of x/b
	try: one Go package for these namespaces
`},
		{"package twice", schema.Config{Records: []schema.Record{{Name: "b.Order"}}, Packages: []schema.Package{
			{Namespace: "a", Path: "x", Name: "x", Dir: "/x"}, {Namespace: "b", Path: "x", Name: "y", Dir: "/x", Pos: at},
		}}, `
a.avsc:3:30: the record b.Order is called Order in Go, as the record a.Order is [name]
	a.avsc:2:30: the other one
	try: "go.name": "OtherName" beside the name of one of them
rwgen.yaml:3: the package x is x in /x for the namespace "a", and y in /x for "b" [schema]
	try: the same name and directory, or another import path
`},
		{"writers", schema.Config{Records: []schema.Record{{Name: "a.Order", Pos: at, Writers: []string{
			"ByCustomer key=customer_id", "Same key=CustomerID,customer_id", "None key=custommer_id", "By kez=x", "Late rebalance eventtime=at", "Other custom=pkg.F", "Other2 custom=F",
		}}}, Packages: split}, `
rwgen.yaml:3: unknown selection "kez" of writer By [directive]
	try: key=x
rwgen.yaml:3: writer None: Order has no field custommer_id [key]
	try: key=CustomerID
rwgen.yaml:3: writer Same: the key field CustomerID stands twice [key]
	try: remove it
rwgen.yaml:3: writer Late: Order.At is an integer, and needs a unit to be an event time [writer]
	try: eventtime=At:ms (or s, us, ns since the Unix epoch)
rwgen.yaml:3: writer Other: pkg.F is no function of this package, and only such a function can be the selection [writer]
	try: custom=f with func f(v *Order, channels int) int { return pkg.F(v, channels) }
`},
		{"key behind a pointer", schema.Config{Records: []schema.Record{{Name: "b.Order", Pos: at, Writers: []string{"ByN key=n", "By key=of.customer_id"}}}, Packages: split}, `
rwgen.yaml:3: writer ByN: Order.N cannot be a key: it is or contains a pointer [key]
	try: custom=Func, or another field
`},
		{"formats", schema.Config{Records: []schema.Record{{Name: "Line", Format: &protobuf, Pos: at}, {Name: "b.Order", SingleObject: true, Format: &native, Pos: at}}, Packages: split}, `
rwgen.yaml:3: Line cannot have the format protobuf [record]
	try: native or avro
rwgen.yaml:3: Order cannot have the single-object encoding: its format is native [record]
	try: the format avro
`},
		{"binary", schema.Config{Records: []schema.Record{{Name: "a.Order"}}, Packages: split, With: ir.WithBinary}, `
a.avsc:2:30: Order cannot have with=binary: it has a field AppendBinary [record]
	try: leave binary out; the methods of the serializer do the same
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.cfg.Files = []schema.File{{Name: "a.avsc", Content: []byte(files)}}
			pkgs, diags := avro.Load(tt.cfg)
			if got := "\n" + rendered(diags); got != tt.want || pkgs != nil {
				t.Errorf("%d packages, and\n%s\nwant\n%s", len(pkgs), got, tt.want)
			}
		})
	}
}

// A schema that only another implementation refuses is refused too, at the type that it is about.
func TestSecondOpinion(t *testing.T) {
	const refused = `[
		{"type": "record", "name": "Fine", "fields": [{"name": "odd", "type": ["null", "Odd"]}, {"name": "self", "type": ["null", "Fine"]}]},
		{"type": "record", "name": "Between", "fields": [{"name": "n", "type": "int"}]},
		{"type": "record", "name": "Odd", "fields": [{"name": "d", "type": {"type": "bytes", "logicalType": "decimal", "precision": 2000000000}}, {"name": "b", "type": "Between"}]}
	]`
	_, diags := avro.Load(schema.Config{Files: []schema.File{{Name: "a.avsc", Content: []byte(refused)}}, Packages: everywhere})
	if len(diags) != 1 || diags[0].Pos.Line != 2 || !strings.Contains(diags[0].Message, "the record Fine is refused by the second opinion of github.com/twmb/avro: ") {
		t.Errorf("%s", rendered(diags))
	}
	fine := strings.Replace(refused, "2000000000", "20", 1)
	if _, diags := avro.Load(schema.Config{Files: []schema.File{{Name: "a.avsc", Content: []byte(fine)}}, Packages: everywhere}); len(diags) > 0 {
		t.Errorf("%s", rendered(diags))
	}
}

// Hostile files are refused, or read, in moments: what is not linear in their size would not come to an end here.
func TestHostile(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString(`[{"type": "record", "name": "R0", "fields": [{"name": "n", "type": "int"}]}`)
	for i := 1; i < 200; i++ {
		fmt.Fprintf(&doubling, `, {"type": "record", "name": "R%d", "fields": [{"name": "a", "type": "R%d"}, {"name": "b", "type": "R%d"}]}`, i, i-1, i-1)
	}
	doubling.WriteString("]")
	var defaults strings.Builder
	defaults.WriteString(`[{"type": "record", "name": "R0", "fields": [{"name": "n", "type": "int", "default": 1}]}`)
	for i := 1; i < 200; i++ {
		fmt.Fprintf(&defaults, `, {"type": "record", "name": "R%d", "fields": [{"name": "a", "type": "R%d", "default": {}}, {"name": "b", "type": {"type": "array", "items": "R%d"}, "default": [{}, {}]}]}`, i, i-1, i-1)
	}
	defaults.WriteString("]")
	const branches = `["null", {"type": "record", "name": "A", "fields": [{"name": "x", "type": %s}]}, {"type": "record", "name": "B", "fields": [{"name": "x", "type": ["null", "A", "B"]}]}]`
	name := func(i int) string { return fmt.Sprintf("%0150d", i) } // names that are alike
	var circles, unknown strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&circles, `, {"type": "record", "name": "R%d", "fields": [{"name": "a", "type": "R%d"}, {"name": "b", "type": "R%d"}]}`, i, (i+1)%10_000, i/2)
		fmt.Fprintf(&unknown, `, {"type": "record", "name": "R%s", "fields": [{"name": "a", "type": "S%s"}]}`, name(i), name(i))
	}
	tests := []struct{ name, content, want string }{
		{"circles", "[" + circles.String()[1:] + "]", "contains itself"},
		{"unknown names", "[" + unknown.String()[1:] + "]", "more than 1000 faults"},
		{"long names", fmt.Sprintf(`{"type": "record", "name": "%s", "fields": []}`, strings.Repeat("x", 1_000_000)), "xxx\" is no name of a type"},
		{"deep JSON", strings.Repeat("[", 100_000), "nested more than 256 levels"},
		{"deep types", `{"type": "record", "name": "R", "fields": [{"name": "a", "type": ` + strings.Repeat(`{"type": "array", "items": `, 300) + `"int"` + strings.Repeat("}", 300) + "}]}", "nested more than 256 levels"},
		{"a large file", strings.Repeat(" ", 5<<20), "5242880 bytes"},
		{"many lists", "[" + strings.Repeat("[],", 1_000_000) + "[]]", "a union directly in a union"},
		{"sizes that double", doubling.String(), "too large"},
		{"defaults that double", strings.Replace(defaults.String(), `"type": "R0", "default": {}`, `"type": ["null", "R0"], "default": {}`, 1), "more than 1000000 values"},
		{"a default in itself", `{"type": "record", "name": "R", "fields": [{"name": "a", "type": ["null", "R"], "default": {}}]}`, "more than 1000000 values"},
		{"a default with many ways", fmt.Sprintf(`{"type": "record", "name": "R", "fields": [{"name": "a", "type": `+branches+`, "default": %s}]}`, `["null", "A", "B"]`,
			strings.Repeat(`{"x": `, 200)+"1"+strings.Repeat("}", 200)), "no value of any type"},
		{"many definitions", "[" + strings.TrimSuffix(strings.Repeat(`{"type": "enum", "name": "E", "symbols": ["A"]},`, 30_000), ",") + "]", "define 30000 types"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, diags := avro.Load(schema.Config{Files: []schema.File{{Name: "a.avsc", Content: []byte(tt.content)}}, Packages: everywhere})
			if got := rendered(diags); !strings.Contains(got, tt.want) {
				t.Errorf("%.300s, want %q", got, tt.want)
			}
		})
	}
}

// Whatever a file holds, it is read or has diagnostics in it, and what is read can be generated.
func FuzzLoad(f *testing.F) {
	f.Add(`{"type": "record", "name": "R", "namespace": "a.b", "aliases": ["S"], "fields": [{"name": "a_b", "type": "int", "default": 1, "aliases": ["c"], "doc": "d"}]}`)
	f.Add(`["int", {"type": "record", "name": "R", "fields": [{"name": "u", "type": ["null", "int", {"type": "array", "items": ["R", "string"]}]}]}]`)
	f.Add(`{"type": "record", "name": "R", "fields": [{"name": "e", "type": {"type": "enum", "name": "E", "symbols": ["A", "B"], "default": "A"}, "default": "B"}]}`)
	f.Add(`{"protocol": "P", "types": [{"type": "error", "name": "R", "fields": [{"name": "f", "type": {"type": "fixed", "name": "F", "size": 12, "logicalType": "duration"}}]}]}`)
	f.Add(`{"type": "record", "name": "R", "fields": [{"name": "d", "type": {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2}}, {"name": "m", "type": {"type": "map", "values": "R"}}]}`)
	f.Add("// comment\n{\"type\": /* here */ \"record\"}")
	archives, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(archives) == 0 {
		f.Fatal(archives, err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if !strings.HasPrefix(file.Name, "want/") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, content string) {
		if len(content) > 10_000 {
			return
		}
		pkgs, diags := avro.Load(schema.Config{Files: []schema.File{{Name: "a.avsc", Content: []byte(content)}}, Packages: everywhere, Format: ir.AvroBinary})
		if (len(diags) > 0) == (len(pkgs) > 0) {
			t.Fatalf("%d packages, and the diagnostics %s", len(pkgs), rendered(diags))
		}
		lines := strings.Count(content, "\n") + 1
		for _, d := range diags {
			if d.Message == "" || d.Pos.Filename != "" && (d.Pos.Filename != "a.avsc" || d.Pos.Line > lines) {
				t.Errorf("%#v", d)
			}
		}
		for _, p := range pkgs {
			e := emit.NewPackage(p)
			for _, file := range p.Files {
				for _, r := range file.Records {
					r.Format = ir.Native
				}
				if _, err := e.Decls(file, emit.Options{}); err != nil {
					t.Errorf("%s\n%v", ir.Dump(p), err)
				}
			}
		}
	})
}
