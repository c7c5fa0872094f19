// Package text has strings and byte slices.
package text

//go:generate go tool rwgen

type (
	City  string
	Blob  []byte
	Octet uint8
	Raw   []Octet
	ID    [16]byte
	Mac   [6]Octet
)

//rwgen:record
type One struct {
	Only string
}

//rwgen:record
type Many struct {
	A    string
	City City
	B    string
	N    int32
	C    string
}

//rwgen:record
type Bytes struct {
	Data   []byte
	Blob   Blob
	Octets []Octet
	Raw    Raw
	Last   uint8
}

//rwgen:record
type Fixed struct {
	ID  ID
	Mac Mac
	Sum [32]byte
	Any [3]Octet
}

// Apart has too much between its strings for that to be copied along, and so has Around.
//
//rwgen:record
type Apart struct {
	First  string
	Data   [8]uint64
	Second City `rw:"max=100"`
	Third  string
}

//rwgen:record
type Around struct {
	First  string
	Data   []uint64
	Second string
}

// Close has as much between its strings as is copied along, and strings with a tag.
//
//rwgen:record
type Close struct {
	First  string `rw:"max=100"`
	Data   [7]uint64
	N      int16
	Second City
	Empty  string
	Third  string `rw:"utf8"`
	Last   [100]uint8
}

// Parts has strings within large data.
//
//rwgen:record
type Parts struct {
	Name  string
	Parts []Part
}

// Part is a part of Parts.
type Part struct {
	Label string
	Short string `rw:"max=100"`
	Data  []uint64
}

// Lists has strings outside the fields of the record.
//
//rwgen:record
type Lists struct {
	Tags   []string
	Cities []City
	Blobs  [][]byte
	Named  []Blob
	Pair   [2]string
	Opt    *string
	Last   string
}
