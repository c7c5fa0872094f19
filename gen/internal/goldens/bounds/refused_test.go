package bounds

import (
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/wire"
	"github.com/rwgen/rwgen/runtime/writer"
)

// For a record that a tag refuses in the open block, no room is asked for: the answer is that of the tag, not that the record is too large, and TryEmit does not call the channel full.
func TestRefusedAtOnce(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewRecordByNameWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	good, bad := Record{Name: "good"}, Record{Name: strings.Repeat("bad", 100<<20)}
	if err := w.Emit(t.Context(), &good); err != nil {
		t.Fatal(err)
	}
	refused := func(how string, err error) {
		t.Helper()
		var e *wire.Error
		if !errors.Is(err, wire.ErrLimit) || !errors.As(err, &e) || e.Path != "Name" || errors.Is(err, writer.ErrRecordTooLarge) {
			t.Errorf("%s: %v", how, err)
		}
	}
	refused("Emit", w.Emit(t.Context(), &bad))
	full, err := w.TryEmit(&bad)
	refused("TryEmit", err)
	if full != -1 {
		t.Errorf("TryEmit: channel %d is full", full)
	}
	n, err := w.EmitBatch(t.Context(), []Record{good, bad, good})
	refused("EmitBatch", err)
	if n != 1 {
		t.Errorf("EmitBatch: %d records", n)
	}
	b, err := (RecordSerializer{}).Append(make([]byte, 0, 100), &bad)
	refused("Append", err)
	if len(b) != 0 {
		t.Errorf("Append: %d bytes", len(b))
	}
	if n := w.Stats().Records; n != 2 {
		t.Errorf("%d records were written", n)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
