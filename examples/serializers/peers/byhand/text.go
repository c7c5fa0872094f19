package byhand

import (
	"encoding/binary"

	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

// usualText says that two lengths on the wire, one of them with one added, take two bytes each.
func usualText(a, b int) bool { return a>>7 != 0 && a>>14 == 0 && b>>7 != 0 && b>>14 == 0 }

func putText(dst []byte, v *text.Record) ([]byte, error) {
	n, data := len(v.Text), len(v.Data)
	size := 2 + n + 2 + data + 8
	if !usualText(n, data+1) || len(dst) < size {
		n, err := text.RecordSerializer{}.Put(dst, v)
		return dst[:n], err
	}
	dst = dst[:size]
	dst[0], dst[1] = byte(n)|0x80, byte(n>>7)
	copy(dst[2:], v.Text)
	dst[2+n], dst[3+n] = byte(data+1)|0x80, byte((data+1)>>7)
	copy(dst[4+n:], v.Data)
	binary.LittleEndian.PutUint64(dst[size-8:], uint64(v.Time))
	return dst, nil
}

func getText(src []byte, v *text.Record, view bool) error {
	if len(src) < 2+2+8 {
		return slowText(src, v, view)
	}
	n := int(src[0]) - 0x80 + int(src[1])<<7
	if src[0] < 0x80 || src[1] >= 0x80 || src[1] == 0 || n > len(src)-(2+2+8) {
		return slowText(src, v, view)
	}
	t, rest := src[2:2+n], src[2+n:]
	data := int(rest[0]) - 0x80 + int(rest[1])<<7 - 1
	if rest[0] < 0x80 || rest[1] >= 0x80 || rest[1] == 0 || data != len(rest)-(2+8) {
		return slowText(src, v, view)
	}
	v.Time = int64(binary.LittleEndian.Uint64(rest[len(rest)-8:]))
	v.Text = textOf(t, view)
	rest = rest[2 : len(rest)-8]
	if view {
		v.Data = rest[:len(rest):len(rest)]
	} else {
		v.Data = append(v.Data[:0], rest...)
	}
	return nil
}

//go:noinline
func slowText(src []byte, v *text.Record, view bool) error {
	if !view {
		n, err := text.RecordSerializer{}.Consume(src, v)
		return whole(n, err, src)
	}
	n, err := text.ViewSerializer{}.Consume(src, (*text.View)(v))
	return whole(n, err, src)
}
