// Package basics has fields of all basic types (NaN and −0: case 35 of the public reports on other generators).
package basics

//go:generate go tool rwgen

// Numbers has a field of each basic type. It is of constant size.
//
//rwgen:record
type Numbers struct {
	Bool       bool
	Int8       int8
	Int16      int16
	Int32      int32
	Int64      int64
	Int        int
	Uint8      uint8
	Uint16     uint16
	Uint32     uint32
	Uint64     uint64
	Uint       uint
	Uintptr    uintptr
	Float32    float32
	Float64    float64
	Complex64  complex64
	Complex128 complex128
	Byte       byte
	Rune       rune
}

// Types whose underlying type is basic.
type (
	Flag     bool
	Tiny     int8
	Short    int16
	Middle   int32
	Long     int64
	Whole    int
	Octet    uint8
	Word     uint16
	Mask     uint32
	Serial   uint64
	Natural  uint
	Address  uintptr
	Celsius  float32
	Metre    float64
	Phasor   complex64
	Waveform complex128
	Label    string
)

//rwgen:record
type Named struct {
	Flag     Flag
	Tiny     Tiny
	Short    Short
	Middle   Middle
	Long     Long
	Whole    Whole
	Octet    Octet
	Word     Word
	Mask     Mask
	Serial   Serial
	Natural  Natural
	Address  Address
	Celsius  Celsius
	Metre    Metre
	Phasor   Phasor
	Waveform Waveform
	Label    Label
}

// Sample is the smallest interesting record: two words.
//
//rwgen:record
type Sample struct {
	ID    uint64
	Value int64
}

// Bits has more bools and pointers than fit into one byte of presence bits.
//
//rwgen:record
type Bits struct {
	A, B, C bool
	D       *int32
	E, F    Flag
	G       *bool
	H, I, J bool
	K       *Flag
	Last    uint8
	L, M, N bool
	O, P, Q bool
}

// Byte is one byte.
//
//rwgen:record
type Byte struct{ B byte }

// OneBool is one presence bit.
//
//rwgen:record
type OneBool struct{ Set bool }

// Mixed has runs of numbers between values of other kinds.
//
//rwgen:record
type Mixed struct {
	A    uint8
	B    int64
	Name string
	C    uint16
	D    float64
	E    bool
	Data []byte
	F    int
	G    complex128
}
