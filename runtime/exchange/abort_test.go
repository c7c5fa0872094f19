package exchange_test

import (
	"context"
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestAbort: an exchange whose writers and readers nobody has any more gives its memory back, and to who has one after all it is closed.
func TestAbort(t *testing.T) {
	ctx := context.Background()
	m := newMemory(t, 256<<10)
	x, err := exchange.New(exchange.Config{Producers: 2, Consumers: 2, Memory: m})
	if err != nil {
		t.Fatal(err)
	}
	w, r := newNoteWriter(t, x, 0, writer.FlushOnFull()), newNoteReader(t, x, 1) // the others were never made
	for _, channel := range []int{0, 1} {
		fill(t, w, channel)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	var n note
	if ok, err := r.Next(ctx, &n); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := x.Abort(errTest); errors.Is(err, memory.ErrInUse) {
		t.Error(err)
	}
	if s := m.Stats(); s.Shares != 0 || s.Used != 0 || s.Guaranteed != 0 || s.Reserved != 0 {
		t.Errorf("left: %+v", s)
	}
	if err := w.Emit(ctx, &n); !errors.Is(err, partition.ErrCanceled) || !errors.Is(err, errTest) {
		t.Errorf("the writer: %v", err)
	}
	if ok, err := r.Next(ctx, &n); ok || err == nil {
		t.Errorf("the reader: %v, %v", ok, err)
	}
	_, _ = w.Close(), r.Close()
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// TestSplit: exchanges that are made of one share take no more than their Guarantee of it, and nothing of what others hold.
func TestSplit(t *testing.T) {
	m := newMemory(t, 64<<10)
	c := exchange.Config{Producers: 2, Consumers: 3, GuaranteedBytes: 5000, LargeBytes: 3000, AssemblyBytes: 2500, Memory: m}
	bytes, err := c.Guarantee()
	if want := int64(2*4<<10 + 2<<10 + 2<<10); err != nil || bytes != want {
		t.Fatalf("a guarantee of %d bytes, %v, want %d", bytes, err, want)
	}
	whole, err := m.NewShare(2*bytes, 2*bytes, nil)
	if err != nil {
		t.Fatal(err)
	}
	others, err := m.Reserve(m.Stats().Limit - 2*bytes)
	if err != nil {
		t.Fatal(err)
	}
	var all []*exchange.Exchange
	for range 2 {
		x, err := exchange.Split(whole, c)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	if _, err := exchange.Split(whole, c); !errors.Is(err, memory.ErrInsufficient) {
		t.Errorf("a third of two: %v", err)
	}
	whole.Close()
	if got := m.Stats().Guaranteed; got != m.Stats().Limit {
		t.Errorf("%d bytes are guaranteed of %d", got, m.Stats().Limit)
	}
	for _, x := range all {
		mustCloseUnused(t, x)
	}
	others.Close()
	if s := m.Stats(); s.Shares != 0 || s.Guaranteed != 0 {
		t.Errorf("left: %+v", s)
	}
}
