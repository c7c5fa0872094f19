// Package view is the shape of package text with strings that are views: what is decoded shares the memory of what it is decoded from, in all rows that decode with the generated serializer.
//
// Its rows.go and tcp.go are copies of those of package sample, its framed.go, message.go and prefix.go of those of package text.
package view
