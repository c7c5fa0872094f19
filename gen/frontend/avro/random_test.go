package avro_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	twmb "github.com/twmb/avro"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/frontend/avro"
	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/gen/internal/trial"
	"github.com/rwgen/rwgen/gen/ir"
)

// schemaMaker makes up schemas that are right.
type schemaMaker struct {
	*rapid.T
	names []string // of definitions that are complete, or that may contain themselves
	n     int
	depth int
}

func (m *schemaMaker) pick(label string, list ...string) string {
	return rapid.SampledFrom(list).Draw(m.T, label)
}

// name returns a new full name, and how a definition says it.
func (m *schemaMaker) name() (full, attributes string) {
	m.n++
	name, space := fmt.Sprintf("T%d", m.n), m.pick("namespace", "", "a", "a.b", "c")
	if space == "" {
		return name, fmt.Sprintf(`"name": %q, "namespace": ""`, name)
	}
	full = space + "." + name
	return full, m.pick("form", fmt.Sprintf(`"name": %q`, full), fmt.Sprintf(`"namespace": %q, "name": %q`, space, name), fmt.Sprintf(`"namespace": "no.meaning", "name": %q`, full))
}

// typ returns a type. Of its direct use in a record, only indirect says that it may be one around it.
func (m *schemaMaker) typ(within []string, indirect bool) string {
	m.depth++
	defer func() { m.depth-- }()
	kinds := []string{"primitive", "primitive", "logical"}
	if m.depth < 6 {
		kinds = append(kinds, "array", "map", "optional", "union", "record", "enum", "fixed")
	}
	if len(m.names) > 0 {
		kinds = append(kinds, "name")
	}
	if indirect && len(within) > 0 {
		kinds = append(kinds, "self")
	}
	switch kind := m.pick("kind", kinds...); kind {
	case "array":
		return fmt.Sprintf(`{"type": "array", "items": %s}`, m.typ(within, true))
	case "map":
		return fmt.Sprintf(`{"type": "map", "values": %s, "extra": [1, {"a": null}]}`, m.typ(within, true))
	case "optional":
		pair := []string{`"null"`, m.branch(within)}
		return "[" + strings.Join(rapid.Permutation(pair).Draw(m.T, "order"), ", ") + "]"
	case "union":
		list := []string{m.named(within), `"string"`, `{"type": "array", "items": ` + m.typ(within, true) + "}"}
		for _, p := range []string{`"null"`, `"int"`, `{"type": "long", "logicalType": "timestamp-micros"}`, `"double"`, `"bytes"`} {
			if rapid.Bool().Draw(m.T, p) {
				list = append(list, p)
			}
		}
		return "[" + strings.Join(rapid.Permutation(list).Draw(m.T, "order"), ", ") + "]"
	case "record", "enum", "fixed":
		return m.definition(kind, within)
	case "name":
		return `"` + m.pick("name", m.names...) + `"`
	case "self":
		return `"` + m.pick("self", within...) + `"`
	case "logical":
		return m.pick("logical", `{"type": "bytes", "logicalType": "decimal", "precision": 5, "scale": 2}`, `{"type": "string", "logicalType": "uuid"}`, `{"type": "int", "logicalType": "date"}`,
			`{"type": "int", "logicalType": "unheard-of"}`, `{"logicalType": "time-millis", "type": "int"}`)
	}
	return m.pick("primitive", `"null"`, `"boolean"`, `"int"`, `"long"`, `"float"`, `"double"`, `"bytes"`, `"string"`, `{"type": "string"}`)
}

// branch returns a type for a union with null.
func (m *schemaMaker) branch(within []string) string {
	if rapid.Bool().Draw(m.T, "plain") {
		return m.pick("plain branch", `"int"`, `"bytes"`, `{"type": "string", "logicalType": "uuid"}`, `{"type": "map", "values": "int"}`)
	}
	return m.named(within)
}

// named returns a type with a name.
func (m *schemaMaker) named(within []string) string {
	if len(within) > 0 && rapid.Bool().Draw(m.T, "recursive") {
		return `"` + m.pick("around", within...) + `"`
	}
	return m.definition(m.pick("definition", "record", "enum", "fixed"), within)
}

func (m *schemaMaker) definition(kind string, within []string) string {
	name, attributes := m.name()
	text := ""
	switch kind {
	case "enum":
		text = fmt.Sprintf(`{"type": "enum", %s, "symbols": ["A", "b_c", "D"], "default": "D"}`, attributes)
	case "fixed":
		text = fmt.Sprintf(`{"type": "fixed", %s, "size": %d%s}`, attributes, rapid.SampledFrom([]int{1, 12, 16}).Draw(m.T, "size"),
			m.pick("logical", "", `, "logicalType": "duration"`, `, "logicalType": "uuid"`, `, "logicalType": "decimal", "precision": 2`))
	default:
		within = append(within[:len(within):len(within)], name)
		fields := []string{`{"name": "id", "type": "int", "default": 7}`}
		for i := range rapid.IntRange(0, 3).Draw(m.T, "fields") {
			fields = append(fields, fmt.Sprintf(`{"name": "f_%d", "aliases": ["old%d"], "doc": "A field.", "type": %s}`, i, i, m.typ(within, false)))
		}
		text = fmt.Sprintf(`{"doc": "A \"record\".", "type": "record", "fields": [%s], "aliases": ["x.Old%d"], %s}`, strings.Join(fields, ", "), m.n, attributes)
	}
	m.names = append(m.names, name)
	return text
}

// Whatever is right is read: the canonical schema is that of another implementation, the full one is read as the same, and there are types for it.
func TestRandomSchemas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &schemaMaker{T: t}
		content := m.definition("record", nil)
		root := m.names[len(m.names)-1]
		cfg := schema.Config{Files: []schema.File{{Name: "a.avsc", Content: []byte(content)}}, Packages: everywhere, Format: ir.AvroBinary, Records: []schema.Record{{Name: root}}}
		pkgs, diags := avro.Load(cfg)
		if len(diags) > 0 {
			t.Fatalf("%s\n%s", content, rendered(diags))
		}
		file := pkgs[0].Files[0]
		r := file.Records[0]
		other, err := twmb.Parse(content)
		if err != nil {
			t.Fatalf("%s\n%v", content, err)
		}
		plain := plainObject.ReplaceAllString(logicalAttributes.ReplaceAllString(r.Avro.Canonical, ""), "$1")
		if want := string(other.Canonical()); want != plain {
			t.Fatalf("%s\nhas the canonical form\n%s\nwant\n%s", content, plain, want)
		}
		cfg.Files[0].Content = []byte(r.Avro.Full)
		again, diags := avro.Load(cfg)
		if len(diags) > 0 || again[0].Files[0].Records[0].Avro.Full != r.Avro.Full || again[0].Files[0].Records[0].Avro.Canonical != r.Avro.Canonical {
			t.Fatalf("%s\nread again: %s", r.Avro.Full, rendered(diags))
		}
		if _, err := emit.NewPackage(pkgs[0]).Decls(file, emit.Options{}); err != nil {
			t.Fatalf("%s\n%v", content, err)
		}
	})
}

// randomSchemas is how many random schemas are compiled.
const randomSchemas = 8

// What is generated for random schemas compiles, vet has nothing to say, and the serializers do what the reflective one does.
func TestRandomCode(t *testing.T) {
	dir := newModule(t)
	schemas := rapid.Custom(func(t *rapid.T) string {
		m := &schemaMaker{T: t}
		return m.definition("record", nil)
	})
	for seed := range randomSchemas {
		content := schemas.Example(seed)
		name := fmt.Sprintf("random%d", seed)
		g := &golden{name: name, archive: &txtar.Archive{Files: []txtar.File{{Name: name + ".avsc", Data: []byte(content)}}}, got: make(map[string]string)}
		g.configure(t, dir)
		var err error
		if g.cfg.With, err = everything(); err != nil {
			t.Fatal(err)
		}
		// The definition around all others may be referred to by them.
		g.cfg.Records = []schema.Record{{Name: rootName(content)}}
		g.generate(t)
		g.write(t, dir, asIs)
		writeFile(t, filepath.Join(dir, name, name+".avsc"), content)
	}
	if err := trial.Checks(dir, module); err != nil {
		t.Fatal(err)
	}
	failures, err := trial.Test(t.Context(), dir, trial.Environ())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range failures {
		t.Errorf("%s %s: %s", f.Package, f.Record, f.Output)
	}
}

// everything is all that can be generated on request.
func everything() (with ir.With, err error) {
	for _, name := range ir.Withs() {
		one, ok := ir.ParseWith(name)
		if !ok {
			return 0, fmt.Errorf("%s cannot be generated", name)
		}
		with |= one
	}
	return with, nil
}

// rootName returns the name of the definition that a random schema is.
func rootName(content string) string {
	schema, err := twmb.Parse(content)
	if err != nil {
		return err.Error()
	}
	root := schema.Root()
	return root.Name
}
