package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/writer"
)

func newMemory(t *testing.T, bytes int64) *memory.Pool {
	t.Helper()
	m, err := memory.NewPool(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// TestSharedMemoryRefused: what does not fit is refused with the numbers, takes nothing, and fits when others are closed.
func TestSharedMemoryRefused(t *testing.T) {
	m := newMemory(t, 64<<10)
	config := exchange.Config{Producers: 1, Consumers: 7, Memory: m, GuaranteedBytes: 8 << 10, LargeBytes: 16 << 10}
	a, b := newExchange(t, config), newExchange(t, config)
	before := m.Stats()
	for name, tt := range map[string]struct {
		change func(*exchange.Config)
		want   string
	}{
		"large":        {func(c *exchange.Config) { c.LargeBytes = 32 << 10 }, "1 × 7 channels, 8192 GuaranteedBytes each, and 32768 LargeBytes: memory: insufficient memory: 40960 bytes are to be guaranteed, 49152 of 65536 are guaranteed already"},
		"blocks":       {func(c *exchange.Config) { c.LargeBytes = 8 << 10; c.Producers = 3 }, "3 × 7 channels, 8192 GuaranteedBytes each, and 8192 LargeBytes: memory: insufficient memory: 32768 bytes are to be guaranteed, 49152 of 65536"},
		"least":        {func(c *exchange.Config) { c.GuaranteedBytes = 7 << 10 }, "7 channels need 8192 bytes, 7168 are to be guaranteed"},
		"more than it": {func(c *exchange.Config) { c.MemoryBytes = 1 << 30; c.LargeBytes = 64 << 10 }, "need 8192 bytes for blocks and have 0 of 65536, 65536 of which are LargeBytes; MemoryBytes of 73728 would be enough"},
		"no room":      {func(c *exchange.Config) { c.LargeBytes = 100 }, "room for large records needs 1024 bytes, MemoryBytes of 0 and LargeBytes of 100 leave less"},
	} {
		c := config
		tt.change(&c)
		x, err := exchange.New(c)
		if x != nil || !errors.Is(err, memory.ErrInsufficient) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v\nwant %s", name, err, tt.want)
		}
		if after := m.Stats(); after != before {
			t.Errorf("%s: %+v, before %+v", name, after, before)
		}
	}
	mustCloseUnused(t, a)
	c := newExchange(t, config)
	mustCloseUnused(t, b)
	mustCloseUnused(t, c)
	if s := m.Stats(); s.Guaranteed != 0 || s.Shares != 0 {
		t.Errorf("%+v is left", s)
	}
}

// TestSmallestSharedMemory: also where a sixteenth is less than a block, there is room for a record.
func TestSmallestSharedMemory(t *testing.T) {
	m := newMemory(t, 4<<10)
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1, Memory: m})
	w, err := writer.New(x.Partition(0), noteSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	n := newNote(0, 0, 0, 500)
	if err := w.Emit(t.Context(), &n); err != nil {
		t.Error(err)
	}
	x.Cancel(nil)
	_ = w.Close()
	_ = x.Close(t.Context())
	if s := m.Stats(); s.Guaranteed != 0 {
		t.Errorf("%+v is left", s)
	}
}

// mustCloseUnused closes an exchange that nobody has used.
func mustCloseUnused(t *testing.T, x *exchange.Exchange) {
	t.Helper()
	if err := x.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestNewContextWaits: an exchange that would fit, if another did not hold more than it is guaranteed, is refused as busy, and NewContext waits until that reader has read.
func TestNewContextWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := memory.NewPool(64 << 10)
		if err != nil {
			t.Fatal(err)
		}
		first := newExchange(t, exchange.Config{Producers: 1, Consumers: 1, Memory: m, GuaranteedBytes: 8 << 10, LargeBytes: 1 << 10, ChannelBytes: 1 << 20})
		w, err := writer.New(first.Partition(0), noteSerializer{})
		if err != nil {
			t.Fatal(err)
		}
		for seq := uint64(0); ; seq++ {
			n := newNote(0, 0, seq, 100)
			if full, err := w.TryEmit(&n); err != nil {
				t.Fatal(err)
			} else if full >= 0 {
				break
			}
		}
		config := exchange.Config{Producers: 2, Consumers: 1, Memory: m, GuaranteedBytes: 16 << 10, LargeBytes: 2 << 10}
		if _, err := exchange.New(config); !errors.Is(err, memory.ErrBusy) || !errors.Is(err, memory.ErrInsufficient) {
			t.Errorf("got %v, want ErrBusy", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := exchange.NewContext(ctx, config); !errors.Is(err, memory.ErrBusy) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want ErrBusy and that of the context", err)
		}
		made := make(chan *exchange.Exchange, 1)
		go func() {
			x, err := exchange.NewContext(t.Context(), config)
			if err != nil {
				t.Error(err)
			}
			made <- x
		}()
		synctest.Wait()
		if len(made) > 0 {
			t.Fatal("made while the other one holds the memory")
		}
		r, err := gate.NewReader(first.Gate(0), noteSerializer{})
		if err != nil {
			t.Fatal(err)
		}
		_ = w.Close()
		for _, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
		}
		second := <-made
		_ = r.Close()
		mustCloseUnused(t, first)
		if second != nil {
			mustCloseUnused(t, second)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestShareFollowsProducers: what a producer that is done could hold goes to those that are not.
func TestShareFollowsProducers(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 2, Consumers: 1, MemoryBytes: 1 << 20})
	w, err := writer.New(x.Partition(0), noteSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Partition(1).Usage().Share; got != 256<<10 {
		t.Errorf("each of two producers may hold %d bytes, want a quarter of 1 MiB", got)
	}
	_ = w.Close()
	if got := x.Partition(1).Usage().Share; got != 512<<10 {
		t.Errorf("the other may hold %d bytes when one is done, want half", got)
	}
	if s := x.Stats().Pool; s.Share != 512<<10 || s.Limit != 1<<20 || s.Area != 512<<10 || s.Held != 0 {
		t.Errorf("%+v", s)
	}
	x.Cancel(nil)
	_ = x.Close(t.Context())
}

// TestTooLittleOfItsOwn: too little MemoryBytes is refused with what would be enough, which is, and a KiB less is not.
func TestTooLittleOfItsOwn(t *testing.T) {
	for _, bytes := range []int64{1, 1023, 1024} {
		c := exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: bytes}
		_, err := exchange.New(c)
		if !errors.Is(err, memory.ErrInsufficient) || !strings.HasSuffix(fmt.Sprint(err), "4096 would be enough") {
			t.Errorf("%d: %v", bytes, err)
		}
	}
	_, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 3 << 10})
	if !errors.Is(err, memory.ErrInsufficient) {
		t.Errorf("3 KiB: %v", err)
	}
	mustCloseUnused(t, newExchange(t, exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 4 << 10}))
}
