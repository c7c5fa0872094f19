// Package values has records with everything that is generated on request.
package values

import (
	"math/big"
	"net/netip"
	"sync"
	"time"

	"github.com/rwgen/rwgen/gen/internal/goldens/foreign/a/model"
)

//go:generate go tool rwgen

// Flight has fields of the usual types.
//
//rwgen:record with=equal,clone,reset,hash,binary
type Flight struct {
	Date         time.Time
	Origin, Dest string
	Seats        int32 `rw:"varint"`
	Fare         float64
	Late         bool
	Raw          []byte
	Stops        []string
	Mu           sync.Mutex `rw:"-"`
	Note         string     `rw:"-"`
}

// Sample is of constant size.
//
//rwgen:record with=equal,clone,reset,hash,binary
type Sample struct {
	ID    uint64
	Value float64
}

type (
	// Octet is not byte, so that slices of it cannot be converted.
	Octet uint8
	Text  string
	Small struct {
		A, B int8
		On   bool
	}
	// Half is not encoded altogether.
	Half struct {
		N    int
		Lock sync.Mutex `rw:"-"`
	}
	// Partial is not encoded altogether either, and can be copied.
	Partial struct {
		N    int
		Note string `rw:"-"`
	}
	Many struct {
		A, B, C, D, E, F, G, H, I, J int16
		Name                         string
	}
	Nothing struct{}
	ByFloat struct {
		X float32
		T *Text
	}
)

// Everything has a field of each kind, and each kind wherever a value can stand.
//
//rwgen:record with=equal,clone,reset,hash,binary
type Everything struct {
	Bool        bool
	I8          int8
	I16         int16
	I32         int32
	I64         int64
	Int         int
	U8          Octet
	U16         uint16
	U32         uint32
	U64         uint64
	Uint        uint
	Ptr         uintptr
	F32         float32
	F64         float64
	C64         complex64
	C128        complex128
	Text        Text
	Nano        time.Time `rw:"unixnano"`
	Bytes       []byte
	Octets      []Octet
	Digest      [16]byte
	Marks       [5]Octet
	Ints        [3]int
	Floats      [2]float64
	Texts       [2]Text
	Small       Small
	Smalls      []Small
	FixedSmalls [2]Small
	Many        Many
	Manies      []Many
	Half        Half
	Halves      []Half
	FixedHalves [2]Half
	Partials    map[string]Partial
	Nothing     Nothing
	Nothings    []Nothing
	ToNothing   *Nothing
	Pointer     *int64
	Pointers    []*Many
	Twice       **Text
	ToSlice     *[]string
	Map         map[string]int64
	Flags       map[bool]Small
	Maps        map[int8]map[Text][]float32
	Set         map[string]struct{}
	Floating    map[float64]string
	Nested      [][]string
	Deep        [2][]map[string]*Many
	Foreign     model.Point
	Anon        struct {
		X    int32 `json:"x"`
		List []string
	}
	Anons []struct {
		Y float32 `json:"y"`
		Z *struct {
			N int `json:"n"`
		}
	}
	AnonMap map[string]struct {
		Text Text `rw:"max=100"`
	}
	Sorted map[int32]time.Time `rw:"sorted"`
}

// Odd has maps with keys that Go compares in another way than the format.
//
//rwgen:record with=equal,clone,reset,hash,binary
type Odd struct {
	Floats   map[float64]string
	Structs  map[ByFloat][]int8
	Pointing map[*Many]Nothing
	Trees    map[*Tree]Tree
	Codecs   map[netip.Prefix]int8
	Nested   map[ByFloat]map[float32]int8
	Nothing  map[Nothing]Nothing
}

// Viewed has views, which copies do not share.
//
//rwgen:record with=equal,clone,reset,hash,binary
type Viewed struct {
	Name Text   `rw:"view"`
	Raw  []byte `rw:"view"`
	Own  []byte
	List []Line
	One  Line
	Keys map[Line]int8
}

type Line struct {
	Text string `rw:"view"`
}

// Tree contains itself in all ways.
//
//rwgen:record with=equal,clone,reset,hash,binary
type Tree struct {
	Name     string
	Left     *Tree
	Children []Tree
	ByName   map[string]Tree
	Again    struct {
		Tree *Tree
	}
	Shape Shape
}

// Shape is a union.
//
//rwgen:union Circle,*Square,Nothing,*Nothing2,Label,*Tree,Points
type Shape interface{ shape() }

type (
	Circle struct{ R float64 }
	Square struct {
		Side int32
		Tags []string
	}
	Nothing2 struct{}
	Label    string
	Points   []model.Point
)

func (Circle) shape()    {}
func (*Square) shape()   {}
func (Nothing) shape()   {}
func (*Nothing2) shape() {}
func (Label) shape()     {}
func (*Tree) shape()     {}
func (Points) shape()    {}

// Drawing has unions without a recursion.
//
//rwgen:record with=equal,clone,reset,hash,binary
type Drawing struct {
	Any  Plain
	List []Plain
	Map  map[string]Plain
	Size int64
}

//rwgen:union Circle,*Square,Label,int32
type Plain any

// Invoice has values with an encoding of their own.
//
//rwgen:record with=equal,clone,reset,hash,binary
type Invoice struct {
	From  netip.Addr
	Units big.Int
	Rates map[netip.Addr]big.Rat
	More  []netip.Prefix
	Big   *big.Rat
}

// Pair is generic.
//
//rwgen:record [string,int] with=equal,hash
//rwgen:record [Text,Viewed] [int8,*Sample] with=clone,reset,equal,hash
type Pair[K comparable, V any] struct {
	Key  K
	Val  V
	Vals map[K]V
}

// Point is of another package.
//
//rwgen:record with=equal,clone,reset,hash
type Point = model.Point

// Plainly has nothing on request.
//
//rwgen:record
type Plainly struct{ Flight *Viewed }
