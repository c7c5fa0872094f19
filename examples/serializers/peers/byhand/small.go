package byhand

import (
	"encoding/binary"
	"math"

	"github.com/rwgen/rwgen/examples/serializers/peers/limit"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
)

// smallSize is the presence bits, three numbers and two lengths.
const smallSize = 1 + 3*8 + 2

func putSmall(dst []byte, v *small.Record) ([]byte, error) {
	size := smallSize + len(v.Name) + len(v.Phone)
	if len(v.Name) >= 0x80 || len(v.Phone) >= 0x80 || len(dst) < size {
		n, err := small.RecordSerializer{}.Put(dst, v)
		return dst[:n], err
	}
	var spouse byte
	if v.Spouse {
		spouse = 1
	}
	dst[0], dst[1] = spouse, byte(len(v.Name))
	i := 2 + limit.Move(dst[2:], v.Name)
	binary.LittleEndian.PutUint64(dst[i:], uint64(v.BirthDay))
	dst[i+8] = byte(len(v.Phone))
	limit.Move(dst[i+9:], v.Phone)
	last := (*[16]byte)(dst[size-16:])
	binary.LittleEndian.PutUint64(last[:], uint64(v.Siblings))
	binary.LittleEndian.PutUint64(last[8:], math.Float64bits(v.Money))
	return dst[:size], nil
}

func getSmall(src []byte, v *small.Record, view bool) error {
	if len(src) < smallSize || src[0] > 1 {
		return slowSmall(src, v, view)
	}
	name, i := int(src[1]), 2+int(src[1])
	if name >= 0x80 || len(src)-i < 8+1+16 {
		return slowSmall(src, v, view)
	}
	phone := int(src[i+8])
	if phone >= 0x80 || len(src)-i-9-16 != phone {
		return slowSmall(src, v, view)
	}
	siblings := int64(binary.LittleEndian.Uint64(src[len(src)-16:]))
	if int64(int(siblings)) != siblings {
		return slowSmall(src, v, view)
	}
	v.Spouse = src[0] == 1
	v.BirthDay = int64(binary.LittleEndian.Uint64(src[i:]))
	v.Siblings = int(siblings)
	v.Money = math.Float64frombits(binary.LittleEndian.Uint64(src[len(src)-8:]))
	t := textOf(src[2:len(src)-16], view)
	v.Name, v.Phone = t[:name], t[len(t)-phone:]
	return nil
}

//go:noinline
func slowSmall(src []byte, v *small.Record, view bool) error {
	if !view {
		n, err := small.RecordSerializer{}.Consume(src, v)
		return whole(n, err, src)
	}
	n, err := small.ViewSerializer{}.Consume(src, (*small.View)(v))
	return whole(n, err, src)
}
