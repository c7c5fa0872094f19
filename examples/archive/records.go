package archive

import "time"

//go:generate go tool rwgen

// Reading is what a station has measured.
//
//rwgen:record with=equal,clone,reset,hash,binary
type Reading struct {
	Station string
	At      time.Time
	Values  []float64
	Labels  map[string]string `rw:"sorted,max=100"`
}

// Packet has fields that are not copied when they are read.
//
//rwgen:record
type Packet struct {
	Topic   string `rw:"view"`
	Payload []byte `rw:"view"`
}

// Measurement is what Reading is called in the next version of the program.
//
//rwgen:record alias=Reading
type Measurement struct {
	Station string
	Unit    string    `rw:"default=celsius"`
	Time    int64     `rw:"default=-1"`
	Samples []float64 `rw:"alias=Values"`
}
