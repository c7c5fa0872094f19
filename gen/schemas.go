package gen

import (
	"iter"
	"path/filepath"

	"github.com/rwgen/rwgen/gen/emit"
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/layout"
	"github.com/rwgen/rwgen/runtime/record"
)

// Schema is a record with its schema.
type Schema struct {
	Package *ir.Package
	File    *ir.File
	Record  *ir.Record
	// Schema is what the generated serializer returns.
	Schema record.Schema
	// Type is the type of the record, with the aliases and defaults of its fields.
	Type *record.Type
}

// Path returns the absolute path of the file that the record is generated to.
func (s Schema) Path() string { return filepath.Join(s.Package.Dir, s.File.Output) }

// GoType returns the type of the record as in the flag -type: Flight, or Pair[string,int] for an instance of a generic type.
func (s Schema) GoType() string { return layout.TypeName(s.Record.Type) }

// Schemas yields the records of all packages with their schemas, in the order of Packages, files and sources.
func (r *Result) Schemas() iter.Seq[Schema] {
	return func(yield func(Schema) bool) {
		for _, p := range r.Packages {
			for _, f := range p.Files {
				for _, rec := range f.Records {
					if !yield(Schema{Package: p, File: f, Record: rec, Schema: emit.Schema(rec), Type: emit.Model(rec)}) {
						return
					}
				}
			}
		}
	}
}
