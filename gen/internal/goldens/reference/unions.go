package reference

// Shape is a union: its values are Circles, pointers to Squares, or nil.
//
//rwgen:union Circle,*Square
type Shape interface{ Area() float64 }

type Circle struct{ R float64 }

func (c Circle) Area() float64 { return 3.14159 * c.R * c.R }

type Square struct {
	Side   float64
	Inside []Shape
}

func (s *Square) Area() float64 { return s.Side * s.Side }

//rwgen:record
type Drawing struct {
	Name   string
	Shapes []Shape
}
