package lock

import (
	"errors"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/avro"
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
		switch {
		case r != nil:
		case err == nil:
			r = renamedTo(now, o.Package, was.InstanceName())
		default:
			r = renamedAvro(now, o)
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

// resolve compares schemas of which at least one is of another format than the native one. For those that say no more than a name, one way is as the other.
func (r *Record) resolve(diags *diag.List, was record.Schema, mode Mode) {
	now := r.Schema
	if now.Rules == record.Rules(avro.Rules{}) {
		// That a value of some record cannot be read is a break, although reading goes by record.
		now.Rules = avro.Rules{Strict: true}
	}
	was.Rules = now.Rules
	report := func(prefix string, writer, reader record.Schema) {
		_, err := record.Resolve(writer, reader)
		var fault *record.ResolveError
		switch {
		case errors.As(err, &fault):
			r.report(diags, prefix, fault.Findings)
		case err != nil:
			diags.Addf(r.IR.Pos, Incompatible, "%s%s: %v", prefix, r.IR.Name, err)
		}
	}
	if mode != Forward {
		report("", was, now)
	}
	if mode == Forward || mode == Both && !r.IR.Format.Calls() {
		report("for earlier code: ", now, was)
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

// renamedAvro returns the record in the format avro of a package that has the name of an entry as an alias, nil if there is none.
func renamedAvro(now []Record, o *Entry) *Record {
	if !strings.HasPrefix(o.Schema.Text, avro.TextPrefix) {
		return nil
	}
	for i := range now {
		if r := &now[i]; r.Package == o.Package && r.IR.Avro != nil && slices.Contains(r.IR.Aliases, o.Record) {
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
	if r.IR.Avro != nil {
		return positionAvro(r.IR, path)
	}
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

// positionAvro is position for a path of [avro.Rules], which has the names of the schema.
func positionAvro(r *ir.Record, path string) token.Position {
	pos, a := r.Pos, r.Avro.Root
	steps := step.FindAllString(path[max(strings.IndexAny(path, ".[("), 0):], -1)
	for _, s := range steps {
		if a == nil {
			break
		}
		switch s[0] {
		case '[':
			a = a.Elem
		case '(':
			name := s[1 : len(s)-1]
			name = name[strings.LastIndexAny(name, " .")+1:]
			i := slices.IndexFunc(a.Branches, func(b *ir.Avro) bool {
				return b.FullName[strings.LastIndexByte(b.FullName, '.')+1:] == name || b.FullName == "" && b.Kind.String() == name
			})
			if i < 0 {
				return pos
			}
			a = a.Branches[i]
		default:
			i := slices.IndexFunc(a.Fields, func(f *ir.AvroField) bool { return f.Name == s[1:] })
			if i < 0 {
				return pos
			}
			if f := a.Fields[i].Field; f != nil && f.Pos.IsValid() {
				pos = f.Pos
			}
			a = a.Fields[i].Type
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
