// Package bombs has a record that few bytes can make large, for the test that bounds what reading bytes takes.
package bombs

//go:generate go tool rwgen

// Bomb has a field for each way in which bytes can promise more than there is. The first byte of a record has the presence bit of List; that of a field that is nil or
// empty is 0.
//
//rwgen:record
type Bomb struct {
	List     *List
	Numbers  []int64
	Flags    []Flags
	Nested   [][][]Flags
	Silents  []Silent
	Pointers []*Silent
	Map      map[int32]Silent
	Voids    map[struct{}]struct{}
	Text     string
	Texts    []string
	Bytes    []byte
	Branch   Branch
	Shape    Shape
	Shapes   []Shape
	Few      []string `rw:"max=4"`
	Notes    []Note
}

// Flags takes 2 bytes, and 128 in memory.
type Flags struct {
	A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P *int64
}

// Silent takes no bytes, and 512 in memory.
type Silent struct {
	Memory [64]int64 `rw:"-"`
}

// List nests through pointers, a level a byte.
type List struct{ Next *List }

// Branch nests through slices, a level a byte.
type Branch struct{ Branches []Branch }

// Shape is a union.
//
//rwgen:union *Silent,*Chain
type Shape any

// Chain nests through a union, a level a byte.
type Chain struct{ Next Shape }

// Note takes 1 byte in the version before its text, and 42 in this one.
type Note struct {
	Seen bool
	Text string `rw:"default=0123456789012345678901234567890123456789"`
}
