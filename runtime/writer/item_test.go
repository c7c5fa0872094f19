package writer_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/wire"
	"github.com/rwgen/rwgen/runtime/writer"
)

// item is a record whose payload has exactly Size bytes, at least itemHead.
type item struct {
	Channel uint32 // for the selector byChannel
	Seq     uint32
	Size    int
}

const itemHead = 8

// itemSerializer counts how often it is asked to put a record, if puts is set.
type itemSerializer struct{ puts *int }

func (itemSerializer) Size(v *item) int { return v.Size }

func (s itemSerializer) Put(dst []byte, v *item) (int, error) {
	if len(dst) < v.Size {
		return 0, wire.ErrShort
	}
	if s.puts != nil {
		*s.puts++
	}
	binary.LittleEndian.PutUint32(dst, v.Channel)
	binary.LittleEndian.PutUint32(dst[4:], v.Seq)
	for i := itemHead; i < v.Size; i++ {
		dst[i] = byte(v.Seq) + byte(i)
	}
	return v.Size, nil
}

func (s itemSerializer) Append(dst []byte, v *item) ([]byte, error) {
	b := make([]byte, v.Size)
	_, _ = s.Put(b, v) // it fits
	return append(dst, b...), nil
}

func (itemSerializer) Consume(src []byte, v *item) (int, error) {
	if len(src) < itemHead {
		return 0, wire.ErrTruncated
	}
	v.Channel, v.Seq, v.Size = binary.LittleEndian.Uint32(src), binary.LittleEndian.Uint32(src[4:]), len(src)
	for i := itemHead; i < len(src); i++ {
		if src[i] != byte(v.Seq)+byte(i) {
			return 0, wire.ErrCorrupt
		}
	}
	return len(src), nil
}

func (s itemSerializer) ConsumeLimits(src []byte, v *item, _ record.Limits) (int, error) {
	return s.Consume(src, v)
}

func (itemSerializer) Schema() record.Schema {
	return record.Schema{Text: "rwgen/1 item{Channel u32,Seq u32,Rest bytes}", Fingerprint: 3}
}

func byChannel() writer.Option {
	return writer.WithSelector(selector.Func(func(v *item, _ int) int { return int(v.Channel) }))
}

func newExchange(t *testing.T, c exchange.Config) *exchange.Exchange {
	t.Helper()
	x, err := exchange.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// newItemWriter returns a writer that selects by item.Channel, unless opts say otherwise.
func newItemWriter(t *testing.T, x *exchange.Exchange, opts ...writer.Option) *writer.Writer[item] {
	t.Helper()
	w, err := writer.New(x.Partition(0), itemSerializer{}, append([]writer.Option{byChannel()}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func newItemReader(t *testing.T, x *exchange.Exchange, consumer int) *gate.Reader[item] {
	t.Helper()
	r, err := gate.NewReader(x.Gate(consumer), itemSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func emit(t *testing.T, w *writer.Writer[item], v item) {
	t.Helper()
	if err := w.Emit(t.Context(), &v); err != nil {
		t.Fatal(err)
	}
}

// readNow reads what can be read without waiting. It says whether the stream has ended.
func readNow(t *testing.T, r *gate.Reader[item]) (items []item, ended bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // consulted when about to wait
	for {
		var v item
		ok, err := r.Next(ctx, &v)
		switch {
		case err != nil && ctx.Err() == err:
			return items, false
		case err != nil:
			t.Fatal(err)
		case !ok:
			return items, true
		}
		items = append(items, v)
	}
}

// mustClose closes an exchange whose writers and readers are closed: everything must have come back.
func mustClose(t *testing.T, x *exchange.Exchange) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := x.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
	if used := x.Stats().Pool.Used; used != 0 {
		t.Errorf("%d bytes of blocks were not given back", used)
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
