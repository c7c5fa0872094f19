// Package unexported has unexported records and fields.
package unexported

//go:generate go tool rwgen

type point struct{ x, y int16 }

// row is an unexported record.
//
//rwgen:record
//rwgen:writer ByKey key=key
//rwgen:writer All broadcast
type row struct {
	key    string
	values []float64
	at     point
	path   []point
	next   *row
	_      bool
}

// Exported has unexported fields.
//
//rwgen:record
type Exported struct {
	id    uint64
	names []string
	inner struct{ a, b string }
}
