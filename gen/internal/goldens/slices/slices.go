// Package slices has slices of everything, nil and empty (case 33 of the public reports on other generators). It is named like a package that generated code imports.
package slices

import "time"

//go:generate go tool rwgen

type (
	Level   int16
	Levels  []Level
	Matrix  [][]float64
	Triples [][3]int32
)

type Point struct{ X, Y float64 }

type Flags struct {
	On, Off bool
	Level   uint8
}

// Wide has more fields than are written in place.
type Wide struct {
	A, B, C, D, E, F, G, H, I int16
}

type Item struct {
	Name string
	Sub  []int32
	Note *string
}

//rwgen:record
type Numbers struct {
	Bools    []bool
	Int8s    []int8
	Int16s   []int16
	Int32s   []int32
	Int64s   []int64
	Ints     []int
	Uint16s  []uint16
	Uint32s  []uint32
	Uint64s  []uint64
	Uints    []uint
	Ptrs     []uintptr
	Float32s []float32
	Float64s []float64
	C64s     []complex64
	C128s    []complex128
	Times    []time.Time
	Spans    []time.Duration
}

//rwgen:record
type Named struct {
	Levels  Levels
	Plain   []Level
	Matrix  Matrix
	Triples Triples
}

//rwgen:record
type Structs struct {
	Points []Point
	Flags  []Flags
	Wides  []Wide
	Items  []Item
	Grid   [][]Item
	Empty  []struct{}
	Zeros  [][0]int
}

// Deep has slices in slices in slices.
//
//rwgen:record
type Deep struct {
	Words   [][]string
	Cubes   [][][]uint16
	Blobs   [][][]byte
	Arrays  [][2][]int8
	ByName  []map[string]int
	Nothing [][]struct{}
}
