// Package unions has interfaces whose dynamic types are known.
package unions

import (
	"fmt"

	"github.com/rwgen/rwgen/gen/internal/goldens/unions/geo"
)

//go:generate go tool rwgen

// Shape has members of this package and of another one (cases 14, 37 and 38).
//
//rwgen:union Circle,*Square,Nothing,geo.Point,*geo.Path,Labelled,Degrees,*Pair
type Shape interface{ Area() float64 }

type Circle struct{ R float64 }

func (Circle) Area() float64 { return 3 }

type Square struct {
	Side int32
	Name string
	Next Shape
}

func (*Square) Area() float64 { return 4 }

// Nothing takes no bytes.
type Nothing struct{}

func (Nothing) Area() float64 { return 0 }

type Labelled struct {
	Label, Text string
	Sub         []Labelled
	Shapes      map[string]Shape
}

func (Labelled) Area() float64 { return 5 }

type Degrees int16

func (Degrees) Area() float64 { return 0 }

// Pair is small enough to be written in place.
type Pair struct{ A, B int32 }

func (*Pair) Area() float64 { return 0 }

// Value is made from an interface of another package, with members that are no structs.
//
//rwgen:union Text,*Text2,Numbers,Index
type Value fmt.Stringer

type (
	Text    string
	Text2   string
	Numbers []int64
	Index   map[string]Shape
)

func (Text) String() string    { return "" }
func (*Text2) String() string  { return "" }
func (Numbers) String() string { return "" }
func (Index) String() string   { return "" }

// Any has predeclared members.
//
//rwgen:union bool,string,int64,float64,Nothing,*Drawing
type Any any

// Empties has members that take no bytes only.
//
//rwgen:union Nothing,None
type Empties any

type None [0]int32

// Drawing holds unions wherever a value can stand.
//
//rwgen:record
//rwgen:writer ByName key=Name
type Drawing struct {
	Name    string
	Shape   Shape
	Shapes  []Shape
	Fixed   [3]Shape
	ByName  map[string]Shape
	Pointer *Shape
	Values  []Value
	Any     Any
	Anys    []Any
	Empties Empties
	Nested  struct {
		On    bool
		Shape Shape
	}
	Origin geo.Point
	Last   int64
}

// Circle64 is a record that is a member, too.
//
//rwgen:union *Circle64,Small
type Flat interface{ flat() }

//rwgen:record
type Circle64 struct {
	X, Y, R int64
}

func (*Circle64) flat() {}

type Small uint8

func (Small) flat() {}

// Leaf has no recursion in it.
//
//rwgen:record
type Leaf struct {
	Flat  Flat
	Other Flat
}

// Wide has enough members for tags of two bytes.
//
//rwgen:record
type Wide struct{ M Many }

//rwgen:union M0,M1,M2,M3,M4,M5,M6,M7,M8,M9,M10,M11,M12,M13,M14,M15,M16,M17,M18,M19,M20,M21,M22,M23,M24,M25,M26,M27,M28,M29,M30,M31,M32,M33,M34,M35,M36,M37,M38,M39,M40,M41,M42,M43,M44,M45,M46,M47,M48,M49,M50,M51,M52,M53,M54,M55,M56,M57,M58,M59,M60,M61,M62,M63,M64,M65,M66,M67,M68,M69,M70,M71,M72,M73,M74,M75,M76,M77,M78,M79,M80,M81,M82,M83,M84,M85,M86,M87,M88,M89,M90,M91,M92,M93,M94,M95,M96,M97,M98,M99,M100,M101,M102,M103,M104,M105,M106,M107,M108,M109,M110,M111,M112,M113,M114,M115,M116,M117,M118,M119,M120,M121,M122,M123,M124,M125,M126,M127,M128,M129
type Many any

type (
	M0   int32
	M1   int32
	M2   int32
	M3   int32
	M4   int32
	M5   int32
	M6   int32
	M7   int32
	M8   int32
	M9   int32
	M10  int32
	M11  int32
	M12  int32
	M13  int32
	M14  int32
	M15  int32
	M16  int32
	M17  int32
	M18  int32
	M19  int32
	M20  int32
	M21  int32
	M22  int32
	M23  int32
	M24  int32
	M25  int32
	M26  int32
	M27  int32
	M28  int32
	M29  int32
	M30  int32
	M31  int32
	M32  int32
	M33  int32
	M34  int32
	M35  int32
	M36  int32
	M37  int32
	M38  int32
	M39  int32
	M40  int32
	M41  int32
	M42  int32
	M43  int32
	M44  int32
	M45  int32
	M46  int32
	M47  int32
	M48  int32
	M49  int32
	M50  int32
	M51  int32
	M52  int32
	M53  int32
	M54  int32
	M55  int32
	M56  int32
	M57  int32
	M58  int32
	M59  int32
	M60  int32
	M61  int32
	M62  int32
	M63  int32
	M64  int32
	M65  int32
	M66  int32
	M67  int32
	M68  int32
	M69  int32
	M70  int32
	M71  int32
	M72  int32
	M73  int32
	M74  int32
	M75  int32
	M76  int32
	M77  int32
	M78  int32
	M79  int32
	M80  int32
	M81  int32
	M82  int32
	M83  int32
	M84  int32
	M85  int32
	M86  int32
	M87  int32
	M88  int32
	M89  int32
	M90  int32
	M91  int32
	M92  int32
	M93  int32
	M94  int32
	M95  int32
	M96  int32
	M97  int32
	M98  int32
	M99  int32
	M100 int32
	M101 int32
	M102 int32
	M103 int32
	M104 int32
	M105 int32
	M106 int32
	M107 int32
	M108 int32
	M109 int32
	M110 int32
	M111 int32
	M112 int32
	M113 int32
	M114 int32
	M115 int32
	M116 int32
	M117 int32
	M118 int32
	M119 int32
	M120 int32
	M121 int32
	M122 int32
	M123 int32
	M124 int32
	M125 int32
	M126 int32
	M127 int32
	M128 int32
	M129 string
)
