// Package builds has records in files of different builds, which share a struct.
package builds

//go:generate go tool rwgen

// Shared is used by the records of several files. Only always.go would need all of its functions.
type Shared struct {
	Name  string
	Items []Part
}

// Part is used through Shared.
type Part struct {
	Sku string
	N   int32
}

// Rare is used in files that are not part of every build.
type Rare struct {
	Names []string
	Part  *Part
}

// Always is part of every build.
//
//rwgen:record
type Always struct {
	One  Shared
	List []Part
}
