// Package recursive has types that contain themselves.
package recursive

//go:generate go tool rwgen

// List is a linked list.
//
//rwgen:record
type List struct {
	Value int32
	Next  *List
}

// Tree has children by value in a slice.
//
//rwgen:record
type Tree struct {
	Name     string
	Children []Tree
	ByName   map[string]Tree
	Parent   **Tree
}

type Kids []*Person

// Person reaches itself through a named slice and through another struct.
//
//rwgen:record
type Person struct {
	Name string
	Kids Kids
	Best *Friend
}

type Friend struct {
	Since int64
	Who   Person
	Notes []string
}

// Even and Odd contain each other; both are records.
//
//rwgen:record
type Even struct {
	N    int8
	Next *Odd
}

//rwgen:record
type Odd struct {
	N    int8
	Next []Even
}

// Forest is not recursive itself.
//
//rwgen:record
type Forest struct {
	Name  string
	Trees []Tree
	First *List
	Text  string
}

// Loop is recursive through an unnamed struct.
//
//rwgen:record
type Loop struct {
	Steps []struct {
		Name string
		Into *Loop
	}
	Once struct {
		Again *Loop
		N     int16
	}
}

// Arrays is recursive through arrays of slices.
//
//rwgen:record
type Arrays struct {
	Both [2][]Arrays
	Ptrs [2]*Arrays
}

// Ring contains itself only where there is nothing, so that it is of constant size.
//
//rwgen:record
type Ring struct {
	N    uint64
	Next [0]*Ring
}
