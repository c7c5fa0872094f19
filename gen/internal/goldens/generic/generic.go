// Package generic has instances of generic types.
package generic

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
