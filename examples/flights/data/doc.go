// Package data has the flights that the examples work on.
//
//	r, err := data.Flights()
package data
