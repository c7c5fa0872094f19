package lock

import (
	"errors"
	"go/token"
	"regexp"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/record"
)

// Mode says who must be able to read whose data.
type Mode int

// The modes.
const (
	Backward Mode = iota // the code of today reads data of the earlier schema
	Forward              // the code of the earlier schema reads data of today
	Both
)

var modes = [...]string{"backward", "forward", "both"}

// String returns the mode as in the flag of rwgen breaking.
func (m Mode) String() string { return modes[m] }

// ParseMode returns the mode of that name; ok is false if there is none.
func ParseMode(name string) (m Mode, ok bool) {
	for i, s := range modes {
		if s == name {
			return Mode(i), true
		}
	}
	return 0, false
}

// Record is a record as it is in the code.
type Record struct {
	Entry
	IR *ir.Record
	// Type is the type of the record with its aliases and those of its fields, and their defaults, as in the code.
	Type *record.Type
}

// Breaking reports every change from the old entries to the records of today that keeps data from being read: at the record or field in
// today's source, or at the old entry if the record is gone: none has its name, nor, in its package, as an alias. Records without an old entry are
// new, and break nothing. Going backward, a field that is probably a renamed one is reported too: its data can be read, but are lost.
func Breaking(old []Entry, now []Record, mode Mode) diag.List {
	var diags diag.List
	records := make(map[key]*Record)
	for i := range now {
		records[now[i].key()] = &now[i]
	}
	for i := range old {
		o := &old[i]
		_, was, err := record.ParseSchema(o.Schema.Text)
		r := records[o.key()]
		if r == nil && err == nil {
			r = renamedTo(now, o.Package, was.InstanceName())
		}
		if r == nil {
			if mode != Forward {
				diags.Addf(o.Pos, Incompatible,
					"record %s in %s is gone: nobody reads its data any more", o.Record, o.Package).
					Hint = "keep the type for as long as there is data, name it as an alias of the record if that has another name now, or accept the change with rwgen lock"
			}
			continue
		}
		if o.Schema == r.Schema {
			continue
		}
		if r.IR.Format != ir.Native || err != nil && record.CheckSchema(o.Schema.Text) == nil {
			r.resolve(&diags, o.Schema, mode)
			continue
		}
		if err != nil {
			diags.Addf(o.Pos, Damaged, "the schema of %s: %v", o.Record, err)
			continue
		}
		if mode != Forward {
			r.report(&diags, "", record.Compare(was, r.Type))
			r.report(&diags, "", renamed(was, r.Type))
		}
		if mode != Backward {
			r.report(&diags, "for earlier code: ", record.Compare(r.Type, was))
		}
	}
	diags.Sort()
	return diags
}

// resolve compares schemas of which at least one is of a format that [record.Compare] does not know. Where they say no more than what the record is called, one way is as the other. The lock has no defaults, so that of earlier
// code for Avro a field counts as one that it needs.
func (r *Record) resolve(diags *diag.List, was record.Schema, mode Mode) {
	was.Rules = r.Schema.Rules
	report := func(writer, reader record.Schema, prefix string) {
		_, err := record.Resolve(writer, reader)
		var fault *record.ResolveError
		if errors.As(err, &fault) {
			r.report(diags, prefix, fault.Findings)
		}
	}
	if mode != Forward {
		report(was, r.Schema, "")
	}
	if mode == Forward || mode != Backward && r.Schema.Rules != nil {
		report(r.Schema, was, "for earlier code: ")
	}
}

// renamedTo returns the record of a package that has the name as an alias, nil if there is none.
func renamedTo(now []Record, pkg, name string) *Record {
	for i := range now {
		if r := &now[i]; r.Package == pkg && r.Type.HadName(name) {
			return r
		}
	}
	return nil
}

// report adds the findings about one record.
func (r *Record) report(diags *diag.List, prefix string, found []record.Incompatibility) {
	for _, f := range found {
		diags.Addf(r.position(f.Path), Incompatible, "%s%s: %s: %s", prefix, f.Path, f.What, f.Why).Hint = f.Remedy
	}
}

// position returns where the place that a path of [record.Compare] leads to stands in the source, or else the last field on the way that is
// there, or the record.
func (r *Record) position(path string) token.Position {
	pos, t := r.IR.Pos, r.IR.Type
	steps := step.FindAllString(strings.TrimPrefix(path, r.Type.InstanceName()), -1)
	for _, s := range steps {
		for t != nil && t.Kind == ir.Pointer {
			t = t.Elem
		}
		if t == nil {
			break
		}
		switch s[0] {
		case '[':
			if s == "[key]" {
				t = t.Key
			} else {
				t = t.Elem
			}
		case '(':
			t = member(t, s[1:len(s)-1])
		default:
			f := fieldOf(t, s[1:])
			if f == nil {
				return pos
			}
			if f.Pos.IsValid() {
				pos = f.Pos
			}
			t = f.Type
		}
	}
	return pos
}

// step matches the parts of a path: .Field, [], [key] and (Member).
var step = regexp.MustCompile(`\.[^.()\[\]]+|\[(key)?\]|\([^()]*\)`)

// fieldOf returns the field with a name in the schema, nil if there is none.
func fieldOf(t *ir.Type, name string) *ir.Field {
	for f := range t.Encoded() {
		if f.SchemaName() == name {
			return f
		}
	}
	return nil
}

// member returns the member of a union with a name, without pointer; nil if there is none.
func member(t *ir.Type, name string) *ir.Type {
	for _, m := range t.Members {
		if m.Kind == ir.Pointer {
			m = m.Elem
		}
		if m.Name != nil && m.Name.Own() == name {
			return m
		}
	}
	return nil
}
