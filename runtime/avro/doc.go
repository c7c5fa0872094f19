// Package avro is the part of Avro's binary encoding that generated serializers of the format avro share: the primitives by which they write and read, the rules by which records of one schema become
// those of another, and Go types of logical types that Go has none for. FORMAT.md in this directory is the format.
//
// Programs use [UUID] and [Duration], which are types of fields of generated records:
//
//	u, err := avro.ParseUUID("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")
//	if err != nil {
//		return err
//	}
//	event := Event{ID: u}
//
// and errors: [ErrRange] for values that a schema cannot express, [*HeaderError] for single objects of another schema. The serializers are those of package record, so that writers, readers and tapes take
// records of this format like all others.
//
// Functions that write take a destination and never write beyond it; functions that read take bytes that may hold anything, check every length before it is used, and only ever return errors. All of them
// may be called by any number of goroutines; a [Translation] belongs to one.
package avro
