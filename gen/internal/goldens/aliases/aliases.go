// Package aliases has records that are known by other names.
package aliases

import "github.com/rwgen/rwgen/gen/internal/goldens/aliases/inner"

//go:generate go tool rwgen

// Item is a record of another package.
//
//rwgen:record
//rwgen:writer ByName key=Name
type Item = inner.Item

// Entry is an instance.
//
//rwgen:record
type Entry = inner.Pair[string, []Item]

// Local is another name for a record of this package.
//
//rwgen:record
type Local = local

type local struct {
	A, B int64
	Rec  []*Item
}

// Defined has the fields of another type.
//
//rwgen:record
type Defined inner.Item

// The names of case 16.
type (
	L          = []*Item
	A          int
	B          = A
	Text       = string
	Matrix     = [2][3]float32
	Temps      = map[Text]inner.Celsius
	Vec[T any] = []T
	Anon       = struct{ X, Y int16 }
)

//rwgen:record
type Record struct {
	X       L
	A       A
	B       B
	Bs      []B
	Text    Text
	Matrix  Matrix
	Temps   Temps
	Strings Vec[string]
	Anon    Anon
	Anons   []Anon
	Rune    rune
	Byte    byte
	Bytes   []byte
}

// Outer embeds by aliases.
//
//rwgen:record
type Outer struct {
	Item
	*Entry
	B
}
