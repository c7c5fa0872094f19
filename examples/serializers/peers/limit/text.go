package limit

import (
	"encoding/binary"

	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

// textHead is the time and two lengths.
const textHead = 8 + 2*4

func putText(dst []byte, v *text.Record) ([]byte, error) {
	size := textHead + len(v.Text) + len(v.Data)
	if len(dst) < size {
		return nil, errShort
	}
	binary.LittleEndian.PutUint64(dst, uint64(v.Time))
	binary.LittleEndian.PutUint32(dst[8:], uint32(len(v.Text)))
	binary.LittleEndian.PutUint32(dst[12:], uint32(len(v.Data)))
	n := textHead + copy(dst[textHead:], v.Text)
	copy(dst[n:], v.Data)
	return dst[:size], nil
}

func getText(src []byte, v *text.Record, view bool) error {
	if len(src) < textHead {
		return errCorrupt
	}
	v.Time = int64(binary.LittleEndian.Uint64(src))
	n, data := uint64(binary.LittleEndian.Uint32(src[8:])), uint64(binary.LittleEndian.Uint32(src[12:]))
	if n+data != uint64(len(src)-textHead) {
		return errCorrupt
	}
	t := src[textHead:]
	v.Text = textsOf(t[:n], view).rest
	if view {
		v.Data = t[n:]
	} else {
		v.Data = append(v.Data[:0], t[n:]...)
	}
	return nil
}
