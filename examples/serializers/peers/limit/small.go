package limit

import (
	"encoding/binary"
	"math"

	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
)

// smallHead is the numbers, three of 64 bits and a bool, and two lengths.
const smallHead = 3*8 + 1 + 2*4

func putSmall(dst []byte, v *small.Record) ([]byte, error) {
	size := smallHead + len(v.Name) + len(v.Phone)
	if len(dst) < size {
		return nil, errShort
	}
	head := (*[smallHead]byte)(dst)
	binary.LittleEndian.PutUint64(head[:], uint64(v.BirthDay))
	binary.LittleEndian.PutUint64(head[8:], uint64(v.Siblings))
	binary.LittleEndian.PutUint64(head[16:], math.Float64bits(v.Money))
	var spouse byte
	if v.Spouse {
		spouse = 1
	}
	head[24] = spouse
	binary.LittleEndian.PutUint32(head[25:], uint32(len(v.Name)))
	binary.LittleEndian.PutUint32(head[29:], uint32(len(v.Phone)))
	n := smallHead + Move(dst[smallHead:], v.Name)
	Move(dst[n:], v.Phone)
	return dst[:size], nil
}

func getSmall(src []byte, v *small.Record, view bool) error {
	if len(src) < smallHead {
		return errCorrupt
	}
	head := (*[smallHead]byte)(src)
	name, phone := uint64(binary.LittleEndian.Uint32(head[25:])), uint64(binary.LittleEndian.Uint32(head[29:]))
	if head[24] > 1 || uint64(len(src)-smallHead) != name+phone {
		return errCorrupt
	}
	v.BirthDay = int64(binary.LittleEndian.Uint64(head[:]))
	v.Siblings = int(binary.LittleEndian.Uint64(head[8:]))
	v.Money = math.Float64frombits(binary.LittleEndian.Uint64(head[16:]))
	v.Spouse = head[24] == 1
	t := textsOf(src[smallHead:], view).rest
	v.Name, v.Phone = t[:name], t[name:]
	return nil
}
