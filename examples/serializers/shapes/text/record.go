package text

import (
	"bytes"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
)

//go:generate go tool rwgen

// Record is a message.
//
//rwgen:record
type Record struct {
	Text string // 1 KiB
	Data []byte // 200 bytes
	Time int64
}

// Pool returns the records, the same in every run.
func Pool() []Record {
	random := harness.NewRand()
	pool := make([]Record, harness.Records)
	for i := range pool {
		pool[i] = Record{Text: harness.Letters(random, 1024), Data: []byte(harness.Letters(random, 200)), Time: random.Int64N(2e18)}
	}
	return pool
}

// Equal reports whether a and b hold the same. No bytes are as nil, which some formats do not tell apart.
func Equal(a, b *Record) bool {
	return a.Text == b.Text && bytes.Equal(a.Data, b.Data) && a.Time == b.Time
}

// View is a Record whose text and data are part of the input when it is read.
//
//rwgen:record
type View struct {
	Text string `rw:"view"`
	Data []byte `rw:"view"`
	Time int64
}
