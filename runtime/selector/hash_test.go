package selector_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/wire"
)

func TestHashIsXXH3(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []uint64{0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0xffff, 1 << 31, math.MaxUint32, 1 << 32, 1 << 63, math.MaxUint64}
	for range 1000 {
		values = append(values, r.Uint64()>>r.IntN(64))
	}
	for _, v := range values {
		var k [8]byte
		binary.LittleEndian.PutUint64(k[:], v)
		for _, tc := range []struct {
			name string
			got  uint64
			n    int
		}{
			{"Hash8", selector.Hash8(uint8(v)), 1},
			{"Hash16", selector.Hash16(uint16(v)), 2},
			{"Hash32", selector.Hash32(uint32(v)), 4},
			{"Hash64", selector.Hash64(v), 8},
			{"HashBytes", selector.HashBytes(k[:7]), 7},
			{"HashString", selector.HashString(string(k[:5])), 5},
		} {
			if want := xxh3.Hash(k[:tc.n]); tc.got != want {
				t.Errorf("%s(%#x) = %#x, want %#x", tc.name, v, tc.got, want)
			}
		}
	}
	for v, k := range map[bool]byte{false: 0, true: 1} {
		if got, want := selector.HashBool(v), xxh3.Hash([]byte{k}); got != want {
			t.Errorf("HashBool(%v) = %#x, want %#x", v, got, want)
		}
	}
}

func TestHashTimeIsHashOfWireTime(t *testing.T) {
	for _, v := range []time.Time{{}, time.Unix(0, 0), time.Now(), time.Unix(math.MaxInt64, 999999999)} {
		var k [wire.TimeLen]byte
		wire.PutTime(k[:], v)
		if got, want := selector.HashTime(v), xxh3.Hash(k[:]); got != want {
			t.Errorf("HashTime(%v) = %#x, want %#x", v, got, want)
		}
		if got := selector.AppendTime([]byte("x"), v); string(got) != "x"+string(k[:]) {
			t.Errorf("AppendTime(%v) = %x, want %x", v, got[1:], k)
		}
	}
}

func TestHashFoldsEqualKeys(t *testing.T) {
	zone := time.FixedZone("", -12345)
	now := time.Now()
	negative := math.Copysign(0, -1)
	for name, pair := range map[string][2]uint64{
		"nil and empty bytes":     {selector.HashBytes(nil), selector.HashBytes([]byte{})},
		"empty bytes and string":  {selector.HashBytes(nil), selector.HashString("")},
		"bytes and string":        {selector.HashBytes([]byte("\xff")), selector.HashString("\xff")},
		"float64 zeros":           {selector.HashFloat64(0), selector.HashFloat64(negative)},
		"float32 zeros":           {selector.HashFloat32(0), selector.HashFloat32(float32(negative))},
		"float64 NaNs":            {selector.HashFloat64(math.NaN()), selector.HashFloat64(math.Float64frombits(0xfff0000000000001))},
		"float32 NaNs":            {selector.HashFloat32(float32(math.NaN())), selector.HashFloat32(math.Float32frombits(0xff800001))},
		"float64 NaN is quiet":    {selector.HashFloat64(math.NaN()), selector.Hash64(0x7ff8000000000000)},
		"float32 NaN is quiet":    {selector.HashFloat32(float32(math.NaN())), selector.Hash32(0x7fc00000)},
		"float64 by its bits":     {selector.HashFloat64(-1.5), selector.Hash64(math.Float64bits(-1.5))},
		"float32 by its bits":     {selector.HashFloat32(-1.5), selector.Hash32(math.Float32bits(-1.5))},
		"locations":               {selector.HashTime(now), selector.HashTime(now.In(zone))},
		"monotonic readings":      {selector.HashTime(now), selector.HashTime(now.Round(0))},
		"composite float64 zeros": {selector.HashBytes(selector.AppendFloat64(nil, 0)), selector.HashBytes(selector.AppendFloat64(nil, negative))},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %#x and %#x", name, pair[0], pair[1])
		}
	}
}

func TestHashAllocatesNothing(t *testing.T) {
	s, b, now := "a string of some length, beyond what fits into registers", make([]byte, 300), time.Now()
	var sum uint64
	if n := testing.AllocsPerRun(100, func() {
		sum += selector.HashString(s) + selector.HashBytes(b) + selector.HashBool(true) + selector.Hash8(1) + selector.Hash16(1) +
			selector.Hash32(1) + selector.Hash64(1) + selector.HashFloat32(1) + selector.HashFloat64(1) + selector.HashTime(now)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	channels := 0
	if n := testing.AllocsPerRun(100, func() {
		h := selector.FlinkCombine(selector.FlinkString(s), selector.FlinkBytes(b))
		channels += selector.FlinkChannel(selector.FlinkCombine(h, selector.FlinkTime(now)), 128, 10) +
			selector.KafkaChannel(selector.KafkaString(s), 10) + selector.KafkaChannel(selector.KafkaBytes(b), 10) +
			selector.KafkaChannel(selector.KafkaFloat64(1), 10)
	}); n != 0 {
		t.Errorf("%v allocations with hashes of Flink and Kafka", n)
	}
}

func BenchmarkHash(b *testing.B) {
	s, now := "ORD", time.Now()
	for name, f := range map[string]func() uint64{
		"64":     func() uint64 { return selector.Hash64(12345) },
		"string": func() uint64 { return selector.HashString(s) },
		"time":   func() uint64 { return selector.HashTime(now) },
	} {
		b.Run(name, func(b *testing.B) {
			sum := 0
			for b.Loop() {
				sum += selector.Scale(f(), 100)
			}
		})
	}
	for name, f := range map[string]func() int{
		"flink 64":     func() int { return selector.FlinkChannel(selector.Flink64(12345), 256, 100) },
		"flink string": func() int { return selector.FlinkChannel(selector.FlinkString(s), 256, 100) },
		"kafka 64":     func() int { return selector.KafkaChannel(selector.Kafka64(12345), 100) },
		"kafka string": func() int { return selector.KafkaChannel(selector.KafkaString(s), 100) },
	} {
		b.Run(name, func(b *testing.B) {
			sum := 0
			for b.Loop() {
				sum += f()
			}
		})
	}
}
