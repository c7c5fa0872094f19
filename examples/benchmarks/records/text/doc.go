// Package text is the shape of records of a hundred bytes with two strings.
//
// Its rows.go is a copy of that of package sample; its framed.go is the original of those of the other shapes whose records differ in size.
package text
