package roundtrip

import (
	"bytes"
	"context"
	"reflect"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Writer is what a stream needs of a generated writer.
type Writer[T any] interface {
	Emit(ctx context.Context, v *T) error
	Close() error
	CloseWithError(cause error) error
}

// Reader is what a stream needs of a generated reader.
type Reader[T any] interface {
	Next(ctx context.Context, v *T) (bool, error)
	Close() error
	CloseWithError(cause error) error
}

// Stream adds a test that writes values into an exchange of one producer and one consumer, where they must arrive in their order, each once. The name is that of the test; ser is the
// serializer of the records.
func Stream[T any, W Writer[T], R Reader[T]](
	s *Suite, name string, ser record.Serializer[T],
	newWriter func(writer.Output, ...writer.Option) (W, error), newReader func(*gate.Gate, ...gate.Option) (R, error),
) {
	s.records = append(s.records, entry{name, func(t *testing.T) { stream(t, s, ser, newWriter, newReader) }})
}

func stream[T any, W Writer[T], R Reader[T]](
	t *testing.T, s *Suite, ser record.Serializer[T],
	newWriter func(writer.Output, ...writer.Option) (W, error), newReader func(*gate.Gate, ...gate.Option) (R, error),
) {
	list := Sample(t, s, ser, values)
	c := comparer{&s.types, reflect.TypeFor[T]().PkgPath()}
	n := 0
	Pipe(t, newWriter, newReader, func(ctx context.Context, w W) error {
		for _, v := range list {
			if err := w.Emit(ctx, v); err != nil {
				return err
			}
		}
		return nil
	}, func(v *T) {
		if n++; n > len(list) {
			return
		}
		want := list[n-1]
		if native(ser) {
			if d := c.diff("", reflect.ValueOf(want).Elem(), reflect.ValueOf(v).Elem()); d != "" {
				t.Errorf("record %d differs: %s", n-1, d)
			}
			return
		}
		// What was sent, as the format has it.
		b, err := ser.Append(nil, want)
		if err != nil {
			t.Error(err)
		}
		local := new(T)
		if _, err := ser.Consume(bytes.Clone(b), local); err != nil {
			t.Error(err)
		}
		x, errX := ser.Append(nil, local)
		y, errY := ser.Append(nil, v)
		if errX != nil || errY != nil || len(x) != len(y) || !c.multi(reflect.ValueOf(want).Elem()) && !bytes.Equal(x, y) {
			t.Errorf("record %d: %x and %x, %v, %v", n-1, x, y, errX, errY)
		}
	})
	if n != len(list) {
		t.Errorf("%d of %d records arrived", n, len(list))
	}
}

// Pipe runs an exchange of one producer and one consumer until write has returned and all records have been read: each is given to read, in another goroutine than the one that writes, and only during the call. Write
// runs in the goroutine of the caller. What fails fails the test.
func Pipe[T any, W Writer[T], R Reader[T]](
	t testing.TB,
	newWriter func(writer.Output, ...writer.Option) (W, error), newReader func(*gate.Gate, ...gate.Option) (R, error),
	write func(ctx context.Context, w W) error, read func(v *T),
) {
	t.Helper()
	ctx := t.Context()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := x.Close(ctx); err != nil {
			t.Errorf("closing the exchange: %v", err)
		}
	}()
	w, err := newWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReader(x.Gate(0))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		v := new(T)
		for {
			ok, err := r.Next(ctx, v)
			if err != nil {
				r.CloseWithError(err) // so that nobody writes for ever
				done <- err
				return
			}
			if !ok {
				done <- r.Close()
				return
			}
			read(v)
		}
	}()
	if err := write(ctx, w); err != nil {
		t.Errorf("writing: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Errorf("closing the writer: %v", err)
	}
	if err := <-done; err != nil {
		t.Errorf("reading: %v", err)
	}
}
