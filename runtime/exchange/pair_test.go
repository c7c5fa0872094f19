package exchange_test

import (
	"context"
	"encoding/binary"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/wire"
	"github.com/rwgen/rwgen/runtime/writer"
)

// pair is a fixed-size record with a hand-written serializer, writer and reader of the shape that the generator emits, so that the
// runtime can be tested without it.
type pair struct {
	ID    uint64
	Value int64
}

type pairSerializer struct{}

func (pairSerializer) Size(*pair) int { return 16 }

func (pairSerializer) Put(dst []byte, v *pair) (int, error) {
	if len(dst) < 16 {
		return 0, wire.ErrShort
	}
	binary.LittleEndian.PutUint64(dst, v.ID)
	binary.LittleEndian.PutUint64(dst[8:], uint64(v.Value))
	return 16, nil
}

func (s pairSerializer) Append(dst []byte, v *pair) ([]byte, error) {
	var b [16]byte
	_, _ = s.Put(b[:], v)
	return append(dst, b[:]...), nil
}

func (pairSerializer) Consume(src []byte, v *pair) (int, error) {
	if len(src) < 16 {
		return 0, wire.ErrTruncated
	}
	v.ID = binary.LittleEndian.Uint64(src)
	v.Value = int64(binary.LittleEndian.Uint64(src[8:]))
	return 16, nil
}

func (s pairSerializer) ConsumeLimits(src []byte, v *pair, _ record.Limits) (int, error) {
	return s.Consume(src, v)
}

func (pairSerializer) Schema() record.Schema {
	return record.Schema{Text: "rwgen/1 pair{ID u64,Value i64}", Fingerprint: 1}
}

func emitPair(ctx context.Context, c *writer.Core, channel int, v *pair) error {
	var s pairSerializer
	dst, err := c.Room(ctx, channel, s.Size(v))
	if err != nil {
		return err
	}
	n, err := s.Put(dst, v)
	if err != nil {
		return c.Undo(channel, err)
	}
	return c.Place(channel, n)
}

type pairByIDWriter struct {
	core     *writer.Core
	channels int
}

func newPairByIDWriter(out writer.Output, opts ...writer.Option) (*pairByIDWriter, error) {
	core, err := writer.NewCore(out, writer.Spec{
		Record: "pair", Schema: pairSerializer{}.Schema(), Selection: selector.KindKeyed, Key: "ID",
	}, opts...)
	if err != nil {
		return nil, err
	}
	return &pairByIDWriter{core: core, channels: core.Channels()}, nil
}

func (w *pairByIDWriter) Emit(ctx context.Context, v *pair) error {
	channel := selector.Scale(selector.Hash64(v.ID), w.channels)
	b := w.core.Builder(channel)
	if dst, ok := b.Tail(); ok {
		if n, err := (pairSerializer{}).Put(dst, v); err == nil {
			if b.Commit(n) {
				return nil
			}
			return w.core.Announce(channel)
		}
	}
	return emitPair(ctx, w.core, channel, v)
}

func (w *pairByIDWriter) Close() error { return w.core.Close() }

type pairReader struct{ core *gate.Core }

func newPairReader(g *gate.Gate) (*pairReader, error) {
	core, err := gate.NewCore(g, gate.Spec{Record: "pair", Schema: pairSerializer{}.Schema()})
	if err != nil {
		return nil, err
	}
	return &pairReader{core: core}, nil
}

func (r *pairReader) Next(ctx context.Context, v *pair) (bool, error) {
	src, ok := r.core.Frame()
	if !ok {
		var err error
		if src, ok, err = r.core.Fill(ctx); !ok {
			return false, err
		}
	}
	n, err := (pairSerializer{}).Consume(src, v)
	if err != nil || n != len(src) {
		return false, r.core.Corrupt(n, err)
	}
	return true, nil
}

func (r *pairReader) Close() error { return r.core.Close() }
