package emit

import (
	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/record"
)

// Schema returns the schema of a record: the one that its generated serializer has.
func Schema(r *ir.Record) record.Schema { return schema(r) }

// Model returns the type of a record as package record describes types, with its aliases and the aliases and defaults of its fields.
// Of a record whose bytes methods of its type make, that is a type with an encoding of its own.
func Model(r *ir.Record) *record.Type {
	t := modeler{}.model(r.Type)
	t.Aliases = r.Aliases
	return t
}
