// Package generic has instances of generic types.
package generic

import (
	"io"
	"time"
)

//go:generate go tool rwgen

type Pair[K comparable, V any] struct {
	Key K
	Val V
}

type Tree[T any] struct {
	Value       T
	Left, Right *Tree[T]
}

type List[T any] []T

type Number interface{ ~int32 | ~float64 }

type Box[T Number] struct{ Min, Max T }

type Celsius float64

// ID is tagged with the type that it belongs to.
type ID[T any] struct{ Text string }

// Handle has no encoding.
type Handle struct {
	Name string
	Done chan struct{}
}

// The argument need not have an encoding where no field is made of it.
//
//rwgen:record
type Phantoms struct {
	Handle  ID[Handle]
	Handles []ID[*Handle]
	Any     map[int32]ID[any]
	Error   *ID[error]
	Func    ID[func(io.Reader, ...Handle) (n int, err error)]
	Struct  ID[struct {
		A int32 `json:"a"`
		B io.Writer
	}]
	Chan    ID[<-chan map[string][2][]Handle]
	Chans   ID[map[string][2]chan []Handle]
	Nested  ID[ID[func()]]
	Span    ID[time.Duration]
	Instant ID[time.Time]
	Bytes   ID[[]byte]
	Codes   ID[[]Code]
}

type Code uint8

//rwgen:record
type Record struct {
	Pair   Pair[string, int32]
	Pairs  []Pair[string, []string]
	Nested Pair[int32, Pair[string, Celsius]]
	Tree   *Tree[string]
	Trees  []Tree[Pair[string, int32]]
	List   List[string]
	Lists  List[List[int16]]
	Box    Box[Celsius]
	Boxes  []Box[int32]
	Maps   map[string]Pair[uint8, *int32]
}
