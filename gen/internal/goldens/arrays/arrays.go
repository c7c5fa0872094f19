// Package arrays has arrays of everything.
package arrays

import "time"

//go:generate go tool rwgen

type (
	Vector [3]float64
	Octet  uint8
)

type Point struct{ X, Y int32 }

type Flags struct {
	A, B bool
	N    int8
}

type Wide struct {
	A, B, C, D, E, F, G, H, I uint32
}

type Item struct {
	Name string
	Tags []string
}

//rwgen:record
type Constant struct {
	Bools   [3]bool
	Int8s   [2]int8
	Ints    [2]int
	Words   [4]uint16
	Uints   [2]uint
	Floats  [2]float32
	Complex [2]complex64
	Times   [2]time.Time
	Vector  Vector
	Grid    [2][3]int32
	Cube    [2][2][2]uint8
	Octets  [2][3]Octet
	Points  [2]Point
	Flags   [3]Flags
	Before  uint8
	Wides   [2]Wide
	None    [0]int64
	Voids   [4]struct{}
	After   uint16
}

//rwgen:record
type Variable struct {
	Names  [2]string
	Blobs  [2][]byte
	Lists  [2][]int32
	Items  [2]Item
	Maps   [2]map[string]int
	Ptrs   [3]*int16
	Grid   [2][2]string
	Tables [1][2][]Point
	Nils   [0]string
}
