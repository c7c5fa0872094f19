// Package maps has maps with keys of all kinds.
package maps

import "time"

//go:generate go tool rwgen

type (
	Code   string
	Index  map[Code]int
	Serial uint32
)

type Key struct {
	Name string
	N    int32
	On   bool
}

type Fixed struct{ A, B uint16 }

type Value struct {
	Text string
	List []string
}

//rwgen:record
type Keys struct {
	Bools     map[bool]int8
	Int8s     map[int8]bool
	Int16s    map[int16]int16
	Int32s    map[int32]int32
	Int64s    map[int64]int64
	Ints      map[int]int
	Uint8s    map[uint8]uint8
	Uint16s   map[uint16]uint16
	Uint32s   map[uint32]uint32
	Uint64s   map[uint64]uint64
	Uints     map[uint]uint
	Uintptrs  map[uintptr]uintptr
	Float32s  map[float32]float32
	Float64s  map[float64]float64
	Complexes map[complex64]complex128
	Strings   map[string]string
	Times     map[time.Duration]time.Time
	Codes     map[Code]Serial
	Index     Index
	Structs   map[Key]Value
	Fixeds    map[Fixed]Fixed
	Arrays    map[[2]int16][2]string
	Bytes     map[[4]byte][]byte
	Voids     map[struct{}]int32
	Set       map[string]struct{}
	Void      map[struct{}]struct{}
}

//rwgen:record
type Values struct {
	Lists    map[string][]int32
	Maps     map[string]map[int32]string
	Pointers map[int32]*Value
	Structs  map[string]Value
	Anon     map[string]struct {
		A int32
		B string
	}
	Slice []map[int8]int8
	Ptr   *map[string]string
}
