// Package model is one of two packages of that name.
package model

// Point is a struct of another package.
type Point struct{ X, Y float64 }

// Status is a named type of another package.
type Status int8

// Item is of variable size.
type Item struct {
	Name   string
	Points []Point
	Status Status
}

// Tagged has a field outside the format.
type Tagged struct {
	Name string
	Skip func() `rw:"-"`
}

// Pair is generic.
type Pair[K comparable, V any] struct {
	Key K
	Val V
}
