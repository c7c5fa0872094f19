// Package avro holds the Go types of Avro's logical types that Go has none for, and the primitives by which generated serializers of the format avro write and read Avro's binary encoding.
//
// Programs use [UUID] and [Duration], the types of fields of generated records.
package avro
