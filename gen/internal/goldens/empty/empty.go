// Package empty has records, structs and elements that take no bytes (cases 19 and 34 of the public reports on other generators).
package empty

//go:generate go tool rwgen

// Nothing has no fields.
type Nothing struct{}

// Void has fields that take no bytes.
//
//rwgen:record
type Void struct {
	A struct{}
	B [0]string
	C [3]struct{}
	D Nothing
	E [0]Big
}

// Big must not be needed by Void.
type Big struct {
	A, B, C, D, E, F, G, H, I string
}

// Elems has empty elements.
//
//rwgen:record
type Elems struct {
	List  []struct{}
	Map   map[struct{}]struct{}
	Ptr   *struct{}
	Ptrs  []*struct{}
	Keys  map[string]struct{}
	Lists [][]Nothing
	Array [2][]struct{}
}

// Unreached has types that would need memory or a level of nesting, but only in arrays of no elements.
//
//rwgen:record
type Unreached struct {
	Ptrs [0]*int32
	Maps [0]map[string]Big
	Self [0]*Unreached
}
