// Package pointers has pointers in fields and elsewhere.
package pointers

import "time"

//go:generate go tool rwgen

type (
	Name    string
	NamePtr *Name
	Point   struct{ X, Y int32 }
	Void    struct{}
)

type Item struct {
	Name string
	Next *Name
}

//rwgen:record
type Fields struct {
	Bool    *bool
	Int     *int
	Int32   *int32
	Float   *float64
	String  *string
	Bytes   *[]byte
	Time    *time.Time
	Name    *Name
	Named   NamePtr
	Point   *Point
	Item    *Item
	List    *[]int16
	Map     *map[string]int32
	Array   *[3]uint16
	Texts   *[2]string
	Void    *struct{}
	Void2   *Void
	Anon    *struct{ A, B int8 }
	Between uint8
}

//rwgen:record
type Deep struct {
	Two    **int32
	Three  ***string
	Struct **Point
	Item   **Item
	Slice  **[]string
	Array  *[2]*int8
	Void   **struct{}
}

//rwgen:record
type Elems struct {
	Ints    []*int32
	Structs []*Point
	Items   []*Item
	Two     []**int16
	Bools   []*bool
	Voids   []*struct{}
	Names   []NamePtr
	Array   [2]*Item
	Map     map[string]*Item
	Nested  [][]*string
}
