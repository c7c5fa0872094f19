package ir

import "go/token"

// Decl is the declaration of a Go type that comes from a schema, which is generated with the code that writes and reads it.
type Decl struct {
	// Type has a Name that is local. Structs, unions, integers with Constants (an enum), arrays of bytes (a fixed), and other types by which a member of
	// a union is known are declared.
	Type *Type
	Doc  string // what the schema says about it, possibly empty
	// Schema is its name there, for example "org.usgs.Quake".
	Schema string
	Pos    token.Position // in the schema
	// Constants are the values of an enum.
	Constants []Constant
	// Marker is the method without parameters and results that values of a union have, for the Decl of a union.
	Marker string
	// Unions are the unions of the same package that the type is a member of: it has their markers. As a struct it is a member by its pointer.
	Unions []*Type
}

// Constant is a value of an enum.
type Constant struct {
	Name   string // Go name
	Symbol string // in the schema
	Value  int64
	Doc    string
}
