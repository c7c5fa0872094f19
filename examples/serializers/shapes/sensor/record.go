package sensor

import (
	"math/rand/v2"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
)

//go:generate go tool rwgen

// Record is a reading of a sensor: 74 bytes of data.
//
//rwgen:record
type Record struct {
	Device, Sequence uint64
	X, Y             int32
	Temperature      float64
	Pressure         float64
	Humidity         float64
	Voltage          float64
	Latitude         float64
	Longitude        float64
	Valid            bool
	Quality          uint8
}

// Pool returns the records, the same in every run.
func Pool() []Record {
	random := harness.NewRand()
	pool := make([]Record, harness.Records)
	for i := range pool {
		pool[i] = record(random)
	}
	return pool
}

func record(random *rand.Rand) Record {
	return Record{
		Device:      random.Uint64N(1 << 48),
		Sequence:    random.Uint64N(1 << 32),
		X:           random.Int32N(20_000) - 10_000,
		Y:           random.Int32N(20_000) - 10_000,
		Temperature: 100*random.Float64() - 50,
		Pressure:    1000 * random.Float64(),
		Humidity:    random.Float64(),
		Voltage:     12 * random.Float64(),
		Latitude:    180*random.Float64() - 90,
		Longitude:   360*random.Float64() - 180,
		Valid:       random.IntN(2) == 1,
		Quality:     uint8(random.IntN(256)),
	}
}

// Equal reports whether a and b hold the same.
func Equal(a, b *Record) bool { return *a == *b }
