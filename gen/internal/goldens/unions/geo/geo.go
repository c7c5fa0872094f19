// Package geo has types that are members of unions elsewhere.
package geo

// Point is a member by value.
type Point struct{ X, Y float64 }

// Area returns nothing much.
func (Point) Area() float64 { return 0 }

// Path is a member as a pointer.
type Path struct{ Names []string }

// Area returns nothing much.
func (*Path) Area() float64 { return 0 }
