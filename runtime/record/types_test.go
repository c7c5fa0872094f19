package record

import (
	"image"
	"time"
)

// The record types that properties and fuzzing are tried on: together they have every kind in every place.

type flat struct {
	Key   uint64
	Value int64
}

type numbers struct {
	I8   int8
	I16  int16
	I32  int32
	I64  int64
	I    int
	U8   uint8
	U16  uint16
	U32  uint32
	U64  uint64
	U    uint
	Ptr  uintptr
	F32  float32
	F64  float64
	C64  complex64
	C128 complex128
	V16  int16   `rw:"varint"`
	V32  int32   `rw:"varint"`
	V64  int64   `rw:"varint"`
	V    int     `rw:"varint"`
	W16  uint16  `rw:"varint"`
	W32  uint32  `rw:"varint"`
	W64  uint64  `rw:"varint"`
	W    uint    `rw:"varint"`
	WPtr uintptr `rw:"varint"`
}

type texts struct {
	Yes     bool
	Name    string
	Raw     []byte
	At      time.Time
	No      myBool
	Took    time.Duration `rw:"varint"`
	Alias   myString
	Bytes   myBytes
	Octets  []myByte
	Skipped func() `rw:"-"`
	_       int
	Empty   struct{}
	Nothing [0]string
}

type arrays struct {
	Bytes   [5]byte
	Words   [3]int
	Bools   [3]bool
	Strings [2]string
	Points  [2]image.Point
	Deep    [2][3]uint16
	Empty   [4]struct{}
	Mixed   [2]struct {
		A uint32
		B bool
		C []uint8
	}
}

type lists struct {
	Bools    []bool
	Words    []int
	Shorts   []int16
	Floats   []float32
	Strings  []string
	Bytes    [][]byte
	Nested   [][][]uint32
	Points   []image.Point
	Times    []time.Time
	Empty    []struct{}
	Arrays   [][2]complex64
	Pointers []*string
	Maps     []map[int8]string
	Lines    []orderLine
}

type orderLine struct {
	Sku   string
	Count int32 `rw:"varint"`
	Tags  []string
	Gift  *string
	note  string
	Extra int `rw:"-"`
}

type maps struct {
	Strings  map[string]string
	Ints     map[int64]uint8
	Bools    map[bool]struct{}
	Floats   map[float64]int16
	Times    map[time.Duration]time.Time
	Points   map[image.Point]*image.Point
	Arrays   map[[2]string][]string
	Nested   map[uint8]map[string][]byte
	Pointers map[*uint8]int8
	Lines    map[string]orderLine
	Nothing  map[struct{}]int8
}

type pointers struct {
	Bool   *bool
	Int    *int
	String *string
	Double **int16
	Slice  *[]string
	Map    *map[string]int8
	Array  *[2]*uint16
	Struct *struct{ A, B *bool }
	Time   *time.Time
	Empty  *struct{}
	Named  myPointer
	Flag   bool
	Last   *flat
}

type embedding struct {
	Base
	*flat
	image.Point
	inner struct {
		a bool
		b *embedding
	}
	pairOf[string, pairOf[int8, []bool]]
}

type recursive struct {
	Name     string
	Next     *recursive
	Children []recursive
	ByName   map[string]*other
}

type other struct {
	Flag bool
	Back []*recursive
	Pair [2]*other
}
