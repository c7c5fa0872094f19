// Package bounds has fields whose tags demand something of their values, or name them.
package bounds

//go:generate go tool rwgen

type Code string

//rwgen:record
//rwgen:writer ByName key=Name
type Record struct {
	Name   string           `rw:"max=10,utf8"`
	Code   Code             `rw:"utf8"`
	Codes  []Code           `rw:"max=3"`
	Bytes  []byte           `rw:"max=16"`
	Octets []Octet          `rw:"max=2"`
	Map    map[int32]string `rw:"max=2"`
	Lists  [][]byte         `rw:"max=4"`
	Large  []Large          `rw:"max=2"`
	Empty  []struct{}       `rw:"max=5"`
	Inner  Inner
	Inners []Inner
	ByKey  map[string]Inner
	Union  Union
	Ptr    *Inner
	Fixed  [2]Inner
}

type Octet uint8

// Inner has bounds of its own.
type Inner struct {
	Text string `rw:"utf8,max=4"`
	More []int16
}

// Large is too large to be read in place (case 29), and the bound of the slice is not that of its elements (case 30).
type Large struct {
	A, B, C, D, E, F, G, H, I, J, K, L []string
	Text                               string `rw:"max=3"`
}

//rwgen:union Inner,*Large
type Union any

// Named has names in the schema that differ little (case 8), and what other versions are told.
//
//rwgen:record
type Named struct {
	A     string `rw:"name=a_b"`
	B     int32  `rw:"name=aB,varint,default=7"`
	C     int32  `rw:"fixed"`
	Note  string `rw:"alias=remark|comment,default='none, yet'"`
	Flag  bool   `rw:"name=flag,default=true"`
	Ptr   *int8  `rw:"name=pointer"`
	Inner Inner  `rw:"name=inner"`
}
