// Package shapes has types that are built from others in ways that are hard for generators; the numbers are those of public reports.
package shapes

//go:generate go tool rwgen

// Arrays has lengths around those at which other formats change (17), and lengths that are expressions (28).
//
//rwgen:record
type Arrays struct {
	Fifteen  [15]int32
	Sixteen  [16]byte
	Digest   [32]byte
	Words    [32]int32
	Expr     [2 + 1]int
	Const    [size]string
	Len      [len("four")]bool
	Nested   [3]map[string]struct{ A, B int } // 18
	Matrix   [2][3][4]float32
	Strings  [2][2]string
	Pointers [2][]*[2]*int8
}

const size = 1 << 1

// Large has an array that no 16-bit length counts (17).
//
//rwgen:record
type Large struct {
	Block [65536]byte
	After uint16
}

// Maps has maps within maps, and keys of every comparable kind (20, 21 and 28).
//
//rwgen:record
type Maps struct {
	Nested  map[string]map[int]string
	Lists   map[string][]Local
	Structs map[Key]string
	Arrays  map[[2]Key]*Local
	Both    map[[1]string]map[Key]map[bool][]byte
	Empty   map[struct{}]int8
	Set     map[Key]struct{}
	Floats  map[float32]complex64
	Anon    map[struct {
		A int8
		B [2]string
	}]struct{ C []Key }
}

type Key struct {
	Name string
	At   [2]int16
	Sub  struct{ On bool }
}

type Local struct {
	Obj  []*Local
	Size int
}

// Stuff embeds, and has fields beside that (23).
//
//rwgen:record
type Stuff struct {
	Foo
	Size int
	*Bar
	Key `rw:"name=key"`
	Own []struct {
		Foo
		Size int
	}
	Twice, Again Foo // one type several times (32)
}

type Foo struct{ Name string }

type Bar struct {
	Name string
	Next *Bar
}

// Slices has options and nil on different levels (29, 30 and 33).
//
//rwgen:record
type Slices struct {
	Outer  [][]byte
	Deep   [][][]byte
	Nil    []*[]byte
	Varied []Wide
	Empty  []struct{}
	Runes  []rune
}

// Wide has more fields than are read in place.
type Wide struct {
	A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R string
	V                                                    int64 `rw:"varint"`
	Sub                                                  map[string][]int16
}

// Even and Odd contain each other in every way.
//
//rwgen:record
type Even struct {
	Next  *Odd
	List  []Odd
	Map   map[string]Odd
	Anon  struct{ Odd *Odd }
	Array [0]Odd
}

type Odd struct {
	Next *Even
	Name string
}
