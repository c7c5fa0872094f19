// Package sorted has maps that are written in the order of their keys (case 39).
package sorted

//go:generate go tool rwgen

type (
	ID   int16
	Name string
	On   bool
)

//rwgen:record
type Record struct {
	Ints    map[int]string            `rw:"sorted"`
	IDs     map[ID][]string           `rw:"sorted,max=4"`
	Names   map[Name]int64            `rw:"sorted"`
	Strings map[string]map[string]int `rw:"sorted"`
	Bools   map[bool]int8             `rw:"sorted"`
	Ons     map[On]string             `rw:"sorted"`
	Set     map[string]struct{}       `rw:"sorted"`
	OnSet   map[On]struct{}           `rw:"sorted"`
	Inner   *Inner
	Inners  []Inner
}

type Inner struct {
	Counts map[uint8]uint64 `rw:"sorted"`
}

// Maps has a field called like the package that sorts.
//
//rwgen:record
type Maps struct {
	Maps, Slices, Sorted, Keys map[string]string `rw:"sorted"`
}
