package main

import (
	"fmt"
	"time"
)

//go:generate go tool rwgen

// Size is that of an animal.
type Size uint8

// The sizes, from the smallest.
const (
	Small Size = iota
	Medium
	Large
)

// Strike is one collision of an aircraft with an animal.
//
//rwgen:record
//rwgen:writer ByAirport key=Airport
type Strike struct {
	ID      int32     // number of the row, from 0
	Date    time.Time // a day
	Airport string
	Species string
	Size    Size
	Cost    int64 `rw:"varint"` // dollars
}

// sizeNamed returns the size with a name of the data set.
func sizeNamed(name string) (Size, error) {
	switch name {
	case "Small":
		return Small, nil
	case "Medium":
		return Medium, nil
	case "Large":
		return Large, nil
	}
	return 0, fmt.Errorf("unknown size %.40q", name)
}
