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
