// Package model is the other of two packages of that name.
package model

// Point has the name of a struct of the other package.
type Point struct {
	Lat, Lon float32
	Name     string
}

// Item has the name of a struct of the other package, too.
type Item struct {
	ID   [8]byte
	Refs []*Point
}
