package selector_test

import (
	"math"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/selector"
)

// vectors are fixed for all time: records of one key that were written by any release go to the same channel in every other. A line
// may be added but never changed.
var vectors = []struct {
	name string
	hash uint64
	want uint64
	of7  int // channel of 7
	of1k int // channel of 1024
}{
	{"string empty", selector.HashString(""), 0x2d06800538d394c2, 1, 180},
	{"string ORD", selector.HashString("ORD"), 0x9e99e37331053dd2, 4, 634},
	{"string JFK", selector.HashString("JFK"), 0x285b488641389eef, 1, 161},
	{"string not UTF-8", selector.HashString("\xff\xfe"), 0x56e8c7c3d388c786, 2, 347},
	{"string of 16", selector.HashString("0123456789abcdef"), 0x64439946d8fa212d, 2, 401},
	{"string of 100", selector.HashString(digits(100)), 0x2b476d154b2d122c, 1, 173},
	{"string of 240", selector.HashString(digits(240)), 0x73697f089085eabd, 3, 461},
	{"string of 1000", selector.HashString(digits(1000)), 0xdbdf770360da5ac5, 6, 879},
	{"bytes nil", selector.HashBytes(nil), 0x2d06800538d394c2, 1, 180},
	{"bytes ORD", selector.HashBytes([]byte("ORD")), 0x9e99e37331053dd2, 4, 634},
	{"bool false", selector.HashBool(false), 0xc44bdff4074eecdb, 5, 785},
	{"bool true", selector.HashBool(true), 0xe12ef9d2eb86ceeb, 6, 900},
	{"int8 −1", selector.Hash8(0xff), 0xd6bcec3c6b29d72e, 5, 858},
	{"uint8 1", selector.Hash8(1), 0xe12ef9d2eb86ceeb, 6, 900},
	{"uint16 1", selector.Hash16(1), 0xab94ac0ace7276c0, 4, 686},
	{"int16 −2", selector.Hash16(0xfffe), 0x00e7cbba5da9e337, 0, 3},
	{"uint32 0", selector.Hash32(0), 0x48b2c92616fc193d, 1, 290},
	{"uint32 1", selector.Hash32(1), 0xdb02334e96d65708, 5, 876},
	{"int32 −1", selector.Hash32(math.MaxUint32), 0xcd6b1c920d3f662c, 5, 821},
	{"uint64 0", selector.Hash64(0), 0xc77b3abb6f87acd9, 5, 797},
	{"uint64 1", selector.Hash64(1), 0x2fbc593564db792e, 1, 190},
	{"int64 −1", selector.Hash64(math.MaxUint64), 0x5111c7e47d784413, 2, 324},
	{"int64 least", selector.Hash64(1 << 63), 0x828f2476789a0e5f, 3, 522},
	{"float32 0", selector.HashFloat32(0), 0x48b2c92616fc193d, 1, 290},
	{"float32 −0", selector.HashFloat32(float32(math.Copysign(0, -1))), 0x48b2c92616fc193d, 1, 290},
	{"float32 1.5", selector.HashFloat32(1.5), 0xadeb6dc039f44db0, 4, 695},
	{"float32 NaN", selector.HashFloat32(float32(math.NaN())), 0x4168a78ef3f05bd3, 1, 261},
	{"float64 0", selector.HashFloat64(0), 0xc77b3abb6f87acd9, 5, 797},
	{"float64 −0", selector.HashFloat64(math.Copysign(0, -1)), 0xc77b3abb6f87acd9, 5, 797},
	{"float64 1.5", selector.HashFloat64(1.5), 0x2561a4889ff63458, 1, 149},
	{"float64 NaN", selector.HashFloat64(math.NaN()), 0x0aa61dcfa381c167, 0, 42},
	{"float64 NaN with payload", selector.HashFloat64(math.Float64frombits(0xfff8000000000042)), 0x0aa61dcfa381c167, 0, 42},
	{"float64 −Inf", selector.HashFloat64(math.Inf(-1)), 0x966b04ab6a2f4836, 4, 601},
	{"time zero", selector.HashTime(time.Time{}), 0xb498da1b01fc6cba, 4, 722},
	{"time 2001-02-03T04:05:06.000000007Z", selector.HashTime(time.Date(2001, 2, 3, 4, 5, 6, 7, time.UTC)), 0x870c76ba53743638, 3, 540},
	{"time the same in another zone", selector.HashTime(time.Date(2001, 2, 3, 6, 5, 6, 7, time.FixedZone("", 7200))), 0x870c76ba53743638, 3, 540},
	{"composite ORD, JFK", selector.HashBytes(selector.AppendString(selector.AppendString(nil, "ORD"), "JFK")), 0x8ba8767ee3c176a5, 3, 558},
	{"composite of all", selector.HashBytes(composite()), 0xcb17da684d8ec2b7, 5, 812},
}

func digits(n int) string {
	s := make([]byte, n)
	for i := range s {
		s[i] = '0' + byte(i%10)
	}
	return string(s)
}

func composite() []byte {
	k := selector.AppendString(nil, "key")
	k = selector.AppendBytes(k, []byte{1, 2, 3})
	k = selector.AppendBool(k, true)
	k = selector.Append8(k, 1)
	k = selector.Append16(k, 2)
	k = selector.Append32(k, 3)
	k = selector.Append64(k, 4)
	k = selector.AppendFloat32(k, 5)
	k = selector.AppendFloat64(k, 6)
	return selector.AppendTime(k, time.Unix(7, 8))
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		if v.hash != v.want || selector.Scale(v.hash, 7) != v.of7 || selector.Scale(v.hash, 1024) != v.of1k {
			t.Errorf("{%q: %#016x, %d, %d}, want %#016x, %d, %d", v.name, v.hash, selector.Scale(v.hash, 7), selector.Scale(v.hash, 1024),
				v.want, v.of7, v.of1k)
		}
	}
}
