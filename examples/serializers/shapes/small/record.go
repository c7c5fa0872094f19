package small

import "github.com/rwgen/rwgen/examples/serializers/internal/harness"

//go:generate go tool rwgen

// Record is a person.
//
//rwgen:record
type Record struct {
	Name     string // 16 bytes
	BirthDay int64  // Unix time in nanoseconds
	Phone    string // 10 bytes
	Siblings int
	Spouse   bool
	Money    float64
}

// Pool returns the records, the same in every run.
func Pool() []Record {
	random := harness.NewRand()
	pool := make([]Record, harness.Records)
	for i := range pool {
		pool[i] = Record{
			Name:     harness.Letters(random, 16),
			BirthDay: random.Int64N(2e18),
			Phone:    harness.Letters(random, 10),
			Siblings: random.IntN(5),
			Spouse:   random.IntN(2) == 1,
			Money:    random.Float64(),
		}
	}
	return pool
}

// Equal reports whether a and b hold the same.
func Equal(a, b *Record) bool { return *a == *b }

// View is a Record whose strings are part of the input when it is read.
//
//rwgen:record
type View struct {
	Name     string `rw:"view"`
	BirthDay int64
	Phone    string `rw:"view"`
	Siblings int
	Spouse   bool
	Money    float64
}
