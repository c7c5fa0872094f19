package selector

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// TestMurmur2 compares with the vectors of Kafka's own test, which have a sign.
func TestMurmur2(t *testing.T) {
	for k, want := range map[string]int32{
		"21":                         -973932308,
		"foobar":                     -790332482,
		"a-little-bit-long-string":   -985981536,
		"a-little-bit-longer-string": -1486304829,
		"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
		"abc": 479470107,
	} {
		if got := int32(murmur2(k)); got != want {
			t.Errorf("murmur2(%q) = %d, want %d", k, got, want)
		}
		if got := int32(murmur2([]byte(k))); got != want {
			t.Errorf("murmur2 of the bytes of %q = %d, want %d", k, got, want)
		}
		for name, got := range map[string]uint32{"KafkaString": KafkaString(k), "KafkaBytes": KafkaBytes([]byte(k))} {
			if got != uint32(want)&0x7fffffff {
				t.Errorf("%s(%q) = %d, want %d", name, k, got, uint32(want)&0x7fffffff)
			}
		}
	}
}

// TestKafkaNumbers compares the hashes of numbers with those of the bytes that Kafka's serializers write.
func TestKafkaNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	values := []uint64{0, 1, 0x7f, 0x80, 0xff, 0x8000, 1 << 31, math.MaxUint32, 1 << 32, 1 << 63, math.MaxUint64}
	for range 1000 {
		values = append(values, r.Uint64()>>r.IntN(64))
	}
	for _, v := range values {
		for _, tc := range []struct {
			name  string
			got   uint32
			bytes []byte
		}{
			{"Kafka8", Kafka8(uint8(v)), []byte{uint8(v)}},
			{"Kafka16", Kafka16(uint16(v)), binary.BigEndian.AppendUint16(nil, uint16(v))},
			{"Kafka32", Kafka32(uint32(v)), binary.BigEndian.AppendUint32(nil, uint32(v))},
			{"Kafka64", Kafka64(v), binary.BigEndian.AppendUint64(nil, v)},
			{"KafkaFloat32", KafkaFloat32(float32(v)), binary.BigEndian.AppendUint32(nil, math.Float32bits(float32(v)))},
			{"KafkaFloat64", KafkaFloat64(-float64(v)), binary.BigEndian.AppendUint64(nil, math.Float64bits(-float64(v)))},
		} {
			if want := KafkaBytes(tc.bytes); tc.got != want {
				t.Errorf("%s(%#x) = %d, want %d", tc.name, v, tc.got, want)
			}
		}
	}
}

func TestKafkaEdges(t *testing.T) {
	negative := math.Copysign(0, -1)
	for name, pair := range map[string][2]uint32{
		"false":                  {KafkaBool(false), KafkaBytes([]byte{0})},
		"true":                   {KafkaBool(true), KafkaBytes([]byte{1})},
		"nil and empty bytes":    {KafkaBytes(nil), KafkaBytes([]byte{})},
		"nil bytes and string":   {KafkaBytes(nil), KafkaString("")},
		"float64 NaNs":           {KafkaFloat64(math.NaN()), KafkaFloat64(math.Float64frombits(0xfff8000000000042))},
		"float64 NaN is quiet":   {KafkaFloat64(math.NaN()), Kafka64(0x7ff8000000000000)},
		"float32 NaN as it is":   {KafkaFloat32(math.Float32frombits(0xffc00001)), Kafka32(0xffc00001)},
		"float64 −0 as it is":    {KafkaFloat64(negative), Kafka64(1 << 63)},
		"float32 −0 as it is":    {KafkaFloat32(float32(negative)), Kafka32(1 << 31)},
		"string as its bytes":    {KafkaString("\xff\xfe"), KafkaBytes([]byte{0xff, 0xfe})},
		"sign bit taken away":    {KafkaString("21"), 1173551340},
		"without sign, as it is": {KafkaString("abc"), 479470107},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %d and %d", name, pair[0], pair[1])
		}
	}
	if KafkaFloat64(negative) == KafkaFloat64(0) {
		t.Error("−0 and 0 are one key")
	}
	for _, tc := range []struct {
		hash     uint32
		channels int
		want     int
	}{{0, 1, 0}, {math.MaxInt32, 1, 0}, {math.MaxInt32, 10, 7}, {1173551340, 7, 1173551340 % 7}, {5, math.MaxInt32, 5}} {
		if got := KafkaChannel(tc.hash, tc.channels); got != tc.want {
			t.Errorf("KafkaChannel(%d, %d) = %d, want %d", tc.hash, tc.channels, got, tc.want)
		}
	}
}
