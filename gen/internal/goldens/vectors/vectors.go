// Package vectors has the types of the vectors of FORMAT.md.
package vectors

import (
	"math/big"
	"net/netip"
	"time"
)

//go:generate go tool rwgen

type (
	// Base is embedded, and a key.
	Base struct{ ID uint16 }
	// Shape is a union of some members.
	//
	//rwgen:union Circle,*Square,Kelvin,*Group,Point,Scalars
	Shape interface{ Area() float64 }
	// Circle is a member by value.
	Circle struct{ R float32 }
	// Square is a member by pointer.
	Square struct{ Side int16 }
	// Kelvin is no struct.
	Kelvin float32
	// Group contains the union again.
	Group struct{ Shapes []Shape }
	// Point takes no bytes.
	Point struct{}
	// Scalars is an array.
	Scalars [2]int8
)

func (Circle) Area() float64  { return 1 }
func (*Square) Area() float64 { return 2 }
func (Kelvin) Area() float64  { return 3 }
func (*Group) Area() float64  { return 4 }
func (Point) Area() float64   { return 0 }
func (Scalars) Area() float64 { return 0 }

// Values has a field for each type whose fields have no presence bits, so that its bytes are those of its fields, one after the other.
//
//rwgen:record
type Values struct {
	Flags      [2]bool
	Int8       int8
	Uint8      uint8
	Int16      int16
	Uint16     uint16
	Int32      int32
	Uint32     uint32
	Int64      int64
	Uint64     uint64
	Int        int
	Uint       uint
	Uintptr    uintptr
	VInt16     int16         `rw:"varint"`
	VInt32     int32         `rw:"varint"`
	VInt64     int64         `rw:"varint"`
	VInt       int           `rw:"varint"`
	VUint16    uint16        `rw:"varint"`
	VUint32    uint32        `rw:"varint"`
	VUint64    uint64        `rw:"varint"`
	VUint      uint          `rw:"varint"`
	VUintptr   uintptr       `rw:"varint"`
	VDuration  time.Duration `rw:"varint"`
	Float32    float32
	Float64    float64
	Complex64  complex64
	Complex128 complex128
	String     string
	Bytes      []byte
	Ints       []int32
	Int8s      []int8
	Strings    []string
	Slices     [][]uint16
	BytesList  [][]byte
	Structs    []struct {
		A bool
		B uint8
	}
	Nothings []struct{}
	Array    [3]uint16
	Octets   [4]byte
	Texts    [2]string
	Arrays   [2][2]int16
	Map      map[string]int8
	ByArray  map[[2]bool][]string
	ByStruct map[Base]struct{}
	Times    map[bool]time.Time
	Pointers []*uint8
	Bools    [2]*bool
	Time     time.Time
	Duration time.Duration
	Empty    struct{}
	Base
	Nano     time.Time       `rw:"unixnano"`
	Max      string          `rw:"max=3"`
	MaxBytes []byte          `rw:"max=3"`
	MaxMap   map[int8]int8   `rw:"max=3"`
	UTF8     string          `rw:"utf8"`
	ByInt8   map[int8]int8   `rw:"sorted"`
	ByInt64  map[int64]int8  `rw:"sorted"`
	ByUint16 map[uint16]int8 `rw:"sorted"`
	ByBool   map[bool]int8   `rw:"sorted"`
	ByString map[string]int8 `rw:"sorted"`
	Viewed   string          `rw:"view"`
	Interned string          `rw:"intern"`
	Fixed    int16           `rw:"fixed"`
	Union    Shape
	Unions   []Shape
	ByKey    map[int8]Shape
	Both     [2]Shape
	Addr     netip.Addr
	Prefix   netip.Prefix
}

// Bits has bools only.
//
//rwgen:record
type Bits struct{ A, B, C, D, E, F, G, H, I bool }

// Mixed has presence bits of both kinds.
//
//rwgen:record
type Mixed struct {
	A *int8
	B uint8
	C bool
	D *int8
	E bool
}

// Nested has presence bits within.
//
//rwgen:record
type Nested struct {
	A bool
	B struct{ C, D bool }
	E uint8
}

// Named has a bool and a pointer of named types.
//
//rwgen:record
type Named struct {
	A Flag
	B Pointer
}

type (
	// Flag is a bool.
	Flag bool
	// Pointer is a pointer.
	Pointer *int16
)

// Bool has a pointer to a bool.
//
//rwgen:record
type Bool struct{ A *bool }

// Twice has a pointer to a pointer.
//
//rwgen:record
type Twice struct{ V **uint8 }

// Int has a pointer to a number that is text.
//
//rwgen:record
type Int struct{ V *big.Int }

// Embedded has an embedded pointer.
//
//rwgen:record
type Embedded struct {
	*Base
	X uint8
}

// Between has a union between other fields.
//
//rwgen:record
type Between struct {
	A bool
	B Shape
	C uint8
}

// Some has a pointer to a union.
//
//rwgen:record
type Some struct{ V *Shape }

// Stamped has a time between other fields.
//
//rwgen:record
type Stamped struct {
	A uint8
	T time.Time `rw:"unixnano"`
	B bool
}

// Hidden has no exported fields.
//
//rwgen:record
type Hidden struct {
	a uint8
	b string
	c *bool
}

// Node contains itself.
//
//rwgen:record
type Node struct {
	V    int8
	Next *Node
}

// Skips has fields that are not there.
//
//rwgen:record
type Skips struct {
	A uint8
	_ uint64
	B chan int `rw:"-"`
	C uint16   `json:"c" rw:"varint" xml:"c"`
}

// Nine has nine pointers to nothing.
//
//rwgen:record
type Nine struct{ A, B, C, D, E, F, G, H, I *struct{} }
