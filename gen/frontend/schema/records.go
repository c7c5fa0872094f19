package schema

import (
	"go/token"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/frontend/spec"
	"github.com/rwgen/rwgen/gen/ir"
)

// Candidate is a type of a schema that may be a record.
type Candidate struct {
	Name     string // full, in the schema
	Referred bool   // another type refers to it, or it is no record unless it is named
	Empty    bool   // it has no fields, so that it cannot be a record
	Pos      token.Position
}

// Chosen is a candidate that is a record.
type Chosen struct {
	Index  int // among the candidates
	Record     // with Format and With complete, and the full name
}

// Choose returns the candidates that are records, in the order in which Config.Records names them; without any, those with fields that no other type refers to, in their own order.
func (c *Config) Choose(candidates []Candidate, diags *diag.List) []Chosen {
	if len(c.Records) == 0 {
		return c.unreferred(candidates, diags)
	}
	var chosen []Chosen
	for _, r := range c.Records {
		i, ok := find(candidates, r, diags)
		if !ok {
			continue
		}
		if j := slices.IndexFunc(chosen, func(other Chosen) bool { return other.Index == i }); j >= 0 {
			d := diags.Addf(r.Pos, diag.Record, "the record %s stands here twice", candidates[i].Name)
			d.Hint = "one entry with all writers"
			d.Related = []diag.Related{{Pos: chosen[j].Pos, Message: "the first one"}}
			continue
		}
		chosen = append(chosen, c.complete(i, candidates[i], r))
	}
	return chosen
}

// complete fills in what holds for all records.
func (c *Config) complete(i int, from Candidate, r Record) Chosen {
	r.Name, r.With = from.Name, r.With|c.With
	if r.Format == nil {
		r.Format = &c.Format
	}
	return Chosen{Index: i, Record: r}
}

func (c *Config) unreferred(candidates []Candidate, diags *diag.List) []Chosen {
	var chosen []Chosen
	for i, from := range candidates {
		if !from.Referred && !from.Empty {
			chosen = append(chosen, c.complete(i, from, Record{Pos: from.Pos}))
		}
	}
	if len(chosen) > 0 || len(candidates) == 0 {
		return chosen
	}
	first := slices.IndexFunc(candidates, func(from Candidate) bool { return !from.Empty })
	if first < 0 {
		noFields(candidates[0].Pos, candidates[0].Name, diags)
	} else {
		diags.Addf(candidates[first].Pos, diag.Record, "which type is a record is not clear: each of the %d is referred to by another, or has no fields", len(candidates)).
			Hint = "name the records, such as " + candidates[first].Name
	}
	return chosen
}

// find returns the candidate that a record names, by its full name or the last part of it.
func find(candidates []Candidate, r Record, diags *diag.List) (int, bool) {
	var full, short []string
	var matches []int
	for i, from := range candidates {
		if from.Name == r.Name {
			return i, true
		}
		last := from.Name[strings.LastIndexByte(from.Name, '.')+1:]
		if last == r.Name {
			matches = append(matches, i)
		}
		full, short = append(full, from.Name), append(short, last)
	}
	switch len(matches) {
	case 1:
		return matches[0], true
	case 0:
		d := diags.Addf(r.Pos, diag.Record, "no schema has a type %s that could be a record", r.Name)
		near := full
		if !strings.Contains(r.Name, ".") {
			near = short
		}
		d.Hint = diag.Nearest(r.Name, near)
		if d.Hint == "" && len(full) > 0 {
			d.Hint = "one of " + strings.Join(atMost(8, full), ", ")
		}
	default:
		names := make([]string, len(matches))
		for i, m := range matches {
			names[i] = candidates[m].Name
		}
		diags.Addf(r.Pos, diag.Record, "there are %d types %s", len(matches), r.Name).Hint = "one of " + strings.Join(atMost(8, names), ", ")
	}
	return 0, false
}

// atMost shortens a list for a message.
func atMost(n int, list []string) []string {
	if len(list) > n {
		return append(slices.Clip(list[:n]), "…")
	}
	return list
}

// AddWriters adds the writers that texts ask for, "ByPlace key=Place", to a record whose type is complete. schemaName returns the name of a field in the schema, by which it may be called
// besides its Go name. What is wrong is reported at the position of the text, or else of the entry, or of the record if there is none.
func AddWriters(r *ir.Record, asked Record, schemaName func(*ir.Field) string, diags *diag.List) {
	pos := asked.Pos
	if !pos.IsValid() && pos.Filename == "" {
		pos = r.Pos
	}
	var writers []spec.Writer
	for i, text := range asked.Writers {
		pos := pos
		if i < len(asked.WriterPos) {
			pos = asked.WriterPos[i]
		}
		w, d := spec.Parse(spec.Words(text, pos), pos)
		if d != nil {
			d.Pos = pos // where in the text a word stands is not where it stands in the file: strings may be quoted
			*diags = append(*diags, d)
			continue
		}
		w.Pos, w.At, w.HashAt, w.EventTime.At, w.EventTime.MarkAt = pos, pos, pos, pos, pos
		writers = append(writers, w)
	}
	spec.Resolver{Diags: diags, SchemaName: schemaName}.Resolve(r, writers)
}

// CheckRecord reports what keeps a type of a schema from being a record.
func CheckRecord(r *ir.Record, diags *diag.List) {
	if !hasFields(r.Type) {
		noFields(r.Pos, r.Name, diags)
	}
	if !r.With.Has(ir.WithBinary) {
		return
	}
	for _, f := range r.Type.Fields {
		if slices.Contains([]string{"AppendBinary", "MarshalBinary", "UnmarshalBinary"}, f.Name) {
			diags.Addf(r.Pos, diag.Record, "%s cannot have with=binary: it has a field %s", r.Name, f.Name).Hint = "leave binary out; the methods of the serializer do the same"
		}
	}
}

func noFields(pos token.Position, name string, diags *diag.List) {
	diags.Addf(pos, diag.Record, "%s has no field to encode", name).Hint = "a record needs at least one field"
}

func hasFields(t *ir.Type) bool {
	for range t.Encoded() {
		return true
	}
	return false
}
