package writer_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/wire"
	"github.com/rwgen/rwgen/runtime/writer"
)

// pickySerializer refuses items with Seq 0, after their first bytes; it would have them large.
type pickySerializer struct{ itemSerializer }

func (s pickySerializer) Put(dst []byte, v *item) (int, error) {
	if v.Seq == 0 && len(dst) >= itemHead {
		return 0, fmt.Errorf("item without a number: %w", wire.ErrLimit)
	}
	return s.itemSerializer.Put(dst, v)
}

// TestRefusedAtOnce: for a record that its serializer refuses in the open block, no room is asked for, so that the answer is the serializer's: not that the record is too large, nor that there is
// no memory, nor that the channel is full.
func TestRefusedAtOnce(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
	w, err := writer.New(x.Partition(0), pickySerializer{}, writer.WithSelector(selector.Global[item]()))
	if err != nil {
		t.Fatal(err)
	}
	emit(t, w, item{Seq: 1, Size: itemHead})
	bad := item{Size: 1 << 30}
	if err := w.Emit(t.Context(), &bad); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("Emit: %v", err)
	}
	if full, err := w.TryEmit(&bad); full != -1 || !errors.Is(err, wire.ErrLimit) {
		t.Errorf("TryEmit: %d, %v", full, err)
	}
	if n, err := w.EmitBatch(t.Context(), []item{{Seq: 2, Size: itemHead}, bad, {Seq: 3, Size: itemHead}}); n != 1 || !errors.Is(err, wire.ErrLimit) {
		t.Errorf("EmitBatch: %d, %v", n, err)
	}
	// One whose size is a sum beyond what an int holds is too large.
	for _, size := range []int{-1, math.MinInt} {
		var large *writer.RecordTooLargeError
		if _, err := w.Core().Room(t.Context(), 0, size); !errors.As(err, &large) || large.Size != math.MaxInt {
			t.Errorf("Room for %d bytes: %v", size, err)
		}
		if _, err := w.Core().RoomAll(t.Context(), size); !errors.Is(err, writer.ErrRecordTooLarge) {
			t.Errorf("RoomAll for %d bytes: %v", size, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := newItemReader(t, x, 0)
	got, ended := readNow(t, r)
	if len(got) != 2 || !ended {
		t.Errorf("read %v, to the end: %t", got, ended)
	}
	_ = r.Close()
	mustClose(t, x)
}
