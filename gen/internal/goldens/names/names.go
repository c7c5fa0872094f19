// Package names has names of packages, types and fields that are hard for generators; the numbers are those of public reports.
package names

import (
	tf "time"

	"github.com/rwgen/rwgen/gen/internal/goldens/names/go-x/v2"
	"github.com/rwgen/rwgen/gen/internal/goldens/names/id"
	"github.com/rwgen/rwgen/gen/internal/goldens/names/index"
	"github.com/rwgen/rwgen/gen/internal/goldens/names/inf.v0"
	another "github.com/rwgen/rwgen/gen/internal/goldens/names/uuid"
	git "github.com/rwgen/rwgen/gen/internal/goldens/names/x.git"
)

//go:generate go tool rwgen

// Imports has types of packages whose names are not what their paths, or the fields, make believe (1 to 3, 11 to 13).
//
//rwgen:record
type Imports struct {
	index  []index.Entry
	Index  map[index.ID]id.ID
	id     id.ID
	ID     *id.Result
	UUID   another.UUID
	Node   *another.Node
	Dec    []inf.Dec
	Thing  x.Thing
	Things []git.Thing
	Time   *tf.Time // behind a pointer only
}

// Key is called like what receivers and parameters are called (5), as are its fields.
//
//rwgen:record
//rwgen:writer K key=k
//rwgen:writer W key=w,r
type Key struct {
	k, w, r, s, v string
	Key, K        []Key
}

// Methods has fields called like methods that generators add (6 and 7).
//
//rwgen:record
type Methods struct {
	String, Message, Segment, Struct                             string
	Schema, Marshal, Unmarshal, Size, Append, Put, Consume, Type []int32
	Emit, Close, Core, Detach, Next, All                         *int32
	string, message, segment, _struct, type_                     string
}

// Cases differ in case and underscores only (8 and 15).
//
//rwgen:record
type Cases struct {
	_x, x, X, x_, X_ []string
	aB, AB, a_b, Ab  map[string]int32
	ſ, s, S, K       *string // the first is a long s; the last the sign for kelvin
}

// Deep gives a variable to each of many levels (4).
//
//rwgen:record
type Deep struct {
	Lists [][][][][][][][]string
	Maps  map[string]map[string]map[string]map[string]map[string][]map[string]string
	Ptrs  *****int32
	Mixed []map[string][]*[]map[int8][2][]*string
}

// New is a type whose name a constructor would take of another one (9).
//
//rwgen:record
type New struct{ A int32 }

// Newer has a name that starts like one.
//
//rwgen:record
type Newer struct{ New []New }
