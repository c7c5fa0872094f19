package avro

import (
	"go/token"
	"strings"

	"github.com/rwgen/rwgen/gen/ir"
)

// node is a type where a schema uses it. Schemas are trees of these: what has a name is a definition, to which nodes refer.
type node struct {
	kind ir.AvroKind
	at   *value
	// def is what a record, an enum or a fixed is; nil for a name that has not been found.
	def *definition
	// ref is the name by which the node refers to a definition, empty where the definition itself stands. A short name is one of space, or else one without a namespace.
	ref, space string
	elem       *node
	branches   []*node
	logical    logical
}

// logical is a logical type that counts.
type logical struct {
	name             string
	precision, scale int
}

// definition is a record, an enum or a fixed.
type definition struct {
	kind    ir.AvroKind
	at      *value // the object
	nameAt  token.Position
	name    string // without the namespace
	space   string
	goName  string // from the attribute go.name, empty for the one that follows from name
	isError bool   // what messages of a protocol return if they fail
	doc     string
	aliases []string // full names
	fields  []*field
	symbols []string
	// symbolDefault is the symbol that stands for unknown ones.
	symbolDefault string
	size          int
	logical       logical // of a fixed
	// node is the one where the definition stands.
	node *node
}

// field is a field of a record.
type field struct {
	at       *value
	nameAt   token.Position
	name     string
	goName   string // as for a definition
	doc      string
	aliases  []string
	typ      *node
	fallback *value // the default, nil for none
}

func (d *definition) fullName() string { return join(d.space, d.name) }

func join(space, name string) string {
	if space == "" {
		return name
	}
	return space + "." + name
}

// split cuts a full name into the namespace and the name.
func split(full string) (space, name string) {
	i := strings.LastIndexByte(full, '.')
	if i < 0 {
		return "", full
	}
	return full[:i], full[i+1:]
}

// what says what a definition is, for messages and comments.
func (d *definition) what() string { return d.kind.String() + " " + d.fullName() }

// parts returns the nodes that a node directly consists of.
func (n *node) parts() []*node {
	if n.elem != nil {
		return []*node{n.elem}
	}
	return n.branches
}
