package check

import (
	"context"
	"encoding/binary"
	"errors"
	"reflect"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
)

// frame returns payload behind its length.
func frame(payload []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), payload...)
}

// readOne has one payload, whatever it is, read by a generated reader under limits.
func readOne[T any, R Reader[T]](
	t *testing.T, schema record.Schema, newReader func(*gate.Gate, ...gate.Option) (R, error), payload []byte, l record.Limits,
) (failed error) {
	t.Helper()
	Pieces(t, schema, newReader, l, [][]byte{frame(payload)}, func(ctx context.Context, r R) error {
		ok, err := r.Next(ctx, new(T))
		if ok == (err != nil) {
			t.Errorf("Next = %v, %v", ok, err)
		}
		failed = err
		return err
	})
	return failed
}

// FuzzFrames has a generated reader read arbitrary bytes, cut into arbitrary pieces. It must return the records that are in the frames of the whole, up to the first that is none, and an
// error there.
func FuzzFrames[T any, R Reader[T]](
	f *testing.F, ser record.Serializer[T], newReader func(*gate.Gate, ...gate.Option) (R, error), opts ...Option,
) {
	w := newWorld(opts)
	var whole []byte
	for _, v := range Random[T](5, opts...) {
		b, err := ser.Append(nil, &v)
		if err != nil {
			f.Fatal(err)
		}
		whole = append(whole, frame(b)...)
		f.Add(whole, []byte{1, 2, 3})
		f.Add(whole[:len(whole)-1], []byte{200})
	}
	f.Add(append(frame(nil), 0x80, 0, 0, 0), []byte{})
	f.Add([]byte{0x7f, 0xff, 0xff, 0xff, 1}, []byte{3})
	limits := record.Limits{MaxRecordBytes: 1 << 10, MaxAllocBytes: 1 << 20, MaxDepth: 50}
	f.Fuzz(func(t *testing.T, stream, cuts []byte) {
		if len(stream) > 16<<10 {
			return
		}
		want, damaged := frames(ser, stream, limits)
		var pieces [][]byte
		rest := stream
		for _, c := range cuts {
			n := min(int(c)+1, len(rest))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		Pieces(t, ser.Schema(), newReader, limits, append(pieces, rest), func(ctx context.Context, r R) error {
			for i := range want {
				var v T
				if ok, err := r.Next(ctx, &v); !ok || err != nil {
					t.Fatalf("record %d of %d: %v, %v", i, len(want), ok, err)
				}
				if d := w.difference(reflect.ValueOf(&want[i]).Elem(), reflect.ValueOf(&v).Elem()); d != "" {
					t.Fatalf("record %d: values differ: %s", i, d)
				}
			}
			ok, err := r.Next(ctx, new(T))
			if ok || errors.Is(err, gate.ErrCorrupt) != damaged || (err != nil) != damaged {
				t.Fatalf("after %d records: %v, %v, damaged: %v", len(want), ok, err, damaged)
			}
			return err
		})
	})
}

// frames returns the records in a stream up to the first that is none, and whether there is such.
func frames[T any](ser record.Serializer[T], stream []byte, limits record.Limits) (list []T, damaged bool) {
	for len(stream) > 0 {
		if len(stream) < 4 {
			return list, true
		}
		n := binary.BigEndian.Uint32(stream)
		if n>>31 != 0 || int(n) > limits.MaxRecordBytes || int(n) > len(stream)-4 {
			return list, true
		}
		var v T
		if m, err := ser.ConsumeLimits(stream[4:4+n], &v, limits); err != nil || m != int(n) {
			return list, true
		}
		list, stream = append(list, v), stream[4+n:]
	}
	return list, false
}

// Pieces sends pieces of a stream of a writer of the schema, whatever they are, each as a chunk of its own, and calls read with a reader of that stream under limits. read returns the
// error that it got from the reader.
func Pieces[T any, R Reader[T]](
	t *testing.T, schema record.Schema, newReader func(*gate.Gate, ...gate.Option) (R, error), l record.Limits, pieces [][]byte,
	read func(context.Context, R) error,
) {
	t.Helper()
	ctx := t.Context()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, AssemblyBytes: 1 << 20, Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	p := x.Partition(0)
	if _, err := p.Claim(partition.Claim{Schema: schema}); err != nil {
		t.Fatal(err)
	}
	for _, piece := range pieces {
		if len(piece) == 0 {
			continue
		}
		buf, err := p.Large(ctx, 0, len(piece))
		if err != nil {
			t.Fatal(err)
		}
		copy(buf.Bytes(), piece)
		if err := p.Append(0, buf, len(piece)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	r, err := newReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	failed := read(ctx, r)
	if err := r.Close(); err != nil && !errors.Is(err, failed) {
		t.Error(err)
	}
	if err := x.Close(ctx); err != nil {
		t.Error(err)
	}
}
