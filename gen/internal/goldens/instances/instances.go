// Package instances has records that are instances of generic types, and their like.
package instances

import "time"

//go:generate go tool rwgen

// Pair is a record in two instances.
//
//rwgen:record [string,int] [int64,Order]
//rwgen:writer ByKey key=Key
type Pair[K comparable, V any] struct {
	Key K
	Val V
}

type Order struct {
	ID    int64
	Lines []Pair[string, Amount]
}

type Amount float64

// Number is a constraint that hides behind another one (case 26).
type Number interface{ Real }

type Real interface{ ~int32 | ~float64 }

// Series is one instance.
//
//rwgen:record [Amount]
type Series[T Number] struct {
	Values []T
	Min    *T
	Sub    List[string, T]
}

// G and List are generic in two types (case 26).
type G[A, B any] struct {
	A A
	B B
}

type List[A, B any] []G[A, B]

// Tree contains itself.
//
//rwgen:record [string]
type Tree[T any] struct {
	Value       T
	Left, Right *Tree[T]
	Meta        map[string]G[T, time.Time]
}

// Envelope embeds instances, and one of itself by a pointer.
//
//rwgen:record [Order]
type Envelope[T any] struct {
	Pair[string, T]
	*G[T, []T]
	ID int64
}

// PairUnion has an instance as a member.
//
//rwgen:union Pair[string,int],*G[string,Order]
type PairUnion any

//rwgen:record
type Holder struct {
	Pairs  []Pair[string, int]
	Union  PairUnion
	Deep   G[G[string, int32], []G[Amount, *Order]]
	Struct G[struct{ A string }, int8]
}
