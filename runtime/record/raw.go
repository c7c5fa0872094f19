package record

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// Raw returns a serializer of records that are encoded already, in the format of a schema: Size is their length, writing copies them, and reading copies them out, into the room that the slice has. It is the
// counterpart of readers' NextBytes: what was read as bytes is written to another exchange of the same schema without being decoded.
//
//	w, err := writer.New(out, record.Raw(FlightSerializer{}.Schema()), writer.WithSelector(…))
//	…
//	payload, ok, err := r.NextBytes(ctx)
//	err = w.Emit(ctx, &payload) // copied: the payload ends with the next call of r
//
// The bytes are not looked at: those that are no record of the schema are found by whoever decodes them. A selector is given the encoded record, so that it selects by what it knows from elsewhere, like the channel
// that the record came from. Watermarks, idleness, events and the end of data are not records: who forwards records forwards them too, from the handlers of the reader, or does without.
//
// Consume takes all of src for one record.
func Raw(s Schema) Serializer[[]byte] { return raw{s} }

type raw struct{ schema Schema }

func (raw) Size(v *[]byte) int { return len(*v) }

func (raw) Append(dst []byte, v *[]byte) ([]byte, error) { return append(dst, *v...), nil }

func (raw) Put(dst []byte, v *[]byte) (int, error) {
	if len(*v) > len(dst) {
		return 0, fmt.Errorf("%w: a record of %d bytes in %d", wire.ErrShort, len(*v), len(dst))
	}
	return copy(dst, *v), nil
}

func (r raw) Consume(src []byte, v *[]byte) (int, error) { return r.ConsumeLimits(src, v, Limits{}) }

func (raw) ConsumeLimits(src []byte, v *[]byte, l Limits) (int, error) {
	if err := l.CheckSize(len(src)); err != nil {
		return 0, err
	}
	*v = append((*v)[:0], src...)
	return len(src), nil
}

func (r raw) Schema() Schema { return r.schema }
