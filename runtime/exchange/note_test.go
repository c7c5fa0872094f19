package exchange_test

import (
	"encoding/binary"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/wire"
	"github.com/rwgen/rwgen/runtime/writer"
)

// note is a record of any size. It says where it comes from, so that order and completeness can be checked at the other end.
type note struct {
	Producer uint32
	Channel  uint32
	Seq      uint64 // per producer and channel
	Data     []byte // filled with the low byte of Seq
}

func newNote(producer, channel int, seq uint64, size int) note {
	n := note{Producer: uint32(producer), Channel: uint32(channel), Seq: seq, Data: make([]byte, size)}
	for i := range n.Data {
		n.Data[i] = byte(seq)
	}
	return n
}

// valid reports whether the data are what newNote made.
func (n *note) valid() bool {
	for _, b := range n.Data {
		if b != byte(n.Seq) {
			return false
		}
	}
	return true
}

type noteSerializer struct{}

func (noteSerializer) Size(v *note) int {
	return 16 + wire.UvarintLen(uint64(len(v.Data))+1) + len(v.Data)
}

func (s noteSerializer) Put(dst []byte, v *note) (int, error) {
	if len(dst) < s.Size(v) {
		return 0, wire.ErrShort
	}
	binary.LittleEndian.PutUint32(dst, v.Producer)
	binary.LittleEndian.PutUint32(dst[4:], v.Channel)
	binary.LittleEndian.PutUint64(dst[8:], v.Seq)
	n := 16 + wire.PutUvarint(dst[16:], uint64(len(v.Data))+1)
	return n + copy(dst[n:], v.Data), nil
}

func (s noteSerializer) Append(dst []byte, v *note) ([]byte, error) {
	b := make([]byte, s.Size(v))
	_, _ = s.Put(b, v)
	return append(dst, b...), nil
}

func (noteSerializer) Consume(src []byte, v *note) (int, error) {
	if len(src) < 17 {
		return 0, wire.ErrTruncated
	}
	v.Producer = binary.LittleEndian.Uint32(src)
	v.Channel = binary.LittleEndian.Uint32(src[4:])
	v.Seq = binary.LittleEndian.Uint64(src[8:])
	size, n := wire.Uvarint(src[16:])
	if n <= 0 || size == 0 || size-1 > uint64(len(src)-16-n) {
		return 0, wire.ErrTruncated
	}
	n += 16
	v.Data = append(v.Data[:0], src[n:n+int(size-1)]...)
	return n + int(size-1), nil
}

func (s noteSerializer) ConsumeLimits(src []byte, v *note, _ record.Limits) (int, error) {
	return s.Consume(src, v)
}

func (noteSerializer) Schema() record.Schema {
	return record.Schema{Text: "rwgen/1 note{Producer u32,Channel u32,Seq u64,Data bytes}", Fingerprint: 2}
}

// byNoteChannel selects the channel that the record names.
func byNoteChannel() writer.Option {
	return writer.WithSelector(selector.Func(func(v *note, _ int) int { return int(v.Channel) }))
}
