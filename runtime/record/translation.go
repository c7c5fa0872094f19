package record

import (
	"errors"
	"fmt"
	"math"

	"github.com/rwgen/rwgen/runtime/wire"
)

// ErrUnknownMember says that a record has a value of a member of a union that its reader lacks. The record is whole, but cannot be read.
var ErrUnknownMember = errors.New("record: the reader's union has no such member")

// Translation turns the payloads of a writer's schema into those of a reader's: see [Resolve]. It works on the bytes: what is the same in both is copied, field after field
// in one piece where they are neighbours, and the rest is skipped, written anew or put in another place. Its result is for the ordinary decoder of the reader, which checks what was copied.
//
// A Translation is for one goroutine at a time. After its first records it allocates nothing of its own.
type Translation struct {
	steps []step
	mover mover
	other Translator // of a format other than the native one
}

// Put writes the reader's form of the record at the start of src to the start of dst, and returns how many bytes that are and how many it took of src. It does not allocate: if the record does not
// fit into len(dst) bytes the error is [wire.ErrShort], unless it is beyond limits.MaxRecordBytes. src may hold anything: every other error is a [wire.Error] with the path, in the names of the reader's schema where it has
// them, and offset in src. Limits count as in decoding. After an error the contents of dst are unspecified.
func (t *Translation) Put(dst, src []byte, limits Limits) (n, consumed int, err error) {
	if t.other != nil {
		return t.other.Put(dst, src, limits)
	}
	limits = limits.WithDefaults()
	m := &t.mover
	most := dst[:min(len(dst), limits.MaxRecordBytes)]
	m.src, m.dst, m.at = src[:min(len(src), math.MaxInt32)], most, 0
	m.budget, m.offsets = limits.Budget(), m.offsets[:0]
	i, err := m.run(t.steps, 0, frame{})
	m.src, m.dst = nil, nil
	switch {
	case err == nil:
		return m.at, i, nil
	case err == wire.ErrShort && len(most) < limits.MaxRecordBytes:
		return 0, 0, err
	case err == wire.ErrShort:
		err = fmt.Errorf("record of more bytes than the limit of %d in the reader's schema: %w", limits.MaxRecordBytes, wire.ErrLimit)
	}
	if _, ok := err.(*wire.Error); !ok {
		err = &wire.Error{Offset: i, Err: err}
	}
	return 0, 0, err
}

// Append is [Translation.Put] that appends to dst, which grows as needed. On an error it returns dst unchanged.
func (t *Translation) Append(dst, src []byte, limits Limits) (grown []byte, consumed int, err error) {
	room := dst[len(dst):cap(dst)]
	for {
		n, consumed, err := t.Put(room, src, limits)
		if err == nil && len(dst)+n <= cap(dst) {
			return dst[:len(dst)+n], consumed, nil
		}
		if err == nil {
			return append(dst, room[:n]...), consumed, nil
		}
		if err != wire.ErrShort {
			return dst, 0, err
		}
		room = make([]byte, TranslationRoom(len(room), len(src), limits))
	}
}

// TranslationRoom returns how many bytes to try after [Translation.Put] has failed with [wire.ErrShort] for a dst of tried bytes: at least twice as many, and for the first time what a payload of src bytes
// most likely needs.
func TranslationRoom(tried, src int, limits Limits) int {
	const least = 256
	return min(max(2*tried, src+src/2, least), limits.WithDefaults().MaxRecordBytes)
}

// mover is the state of one translation.
type mover struct {
	src, dst []byte
	at       int // in dst
	budget   wire.Budget
	offsets  []int // of fields in src, of the structs that are being translated and have them in another order
}
