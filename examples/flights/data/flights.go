package data

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

// The data set: 20,000 departures in the United States in 2001, from the Bureau of Transportation Statistics, public domain.
//
//go:embed flights-20k.csv.gz
var flights []byte

// Flights returns the data set: a CSV file with the header date,delay,distance,origin,destination.
func Flights() (io.ReadCloser, error) { return gzip.NewReader(bytes.NewReader(flights)) }
