package tape_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
)

// idleSpy counts how often its output is told that the producer is idle.
type idleSpy struct {
	partition.Output
	idle int
}

func (s *idleSpy) Idle(idle bool) error {
	if idle {
		s.idle++
	}
	return s.Output.Idle(idle)
}

// TestWatermarkEndsIdlenessOnTape: a producer that was idle once, and went on, is so at most once in the replay: or its watermark would not count while its records come.
func TestWatermarkEndsIdlenessOnTape(t *testing.T) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 1}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	for n := uint32(1); n < 20_000; n++ {
		if n == 1000 {
			if err := w.Core().Idle(true); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Core().Watermark(time.UnixMicro(int64(n))); err != nil {
			t.Fatal(err)
		}
		if err := w.Emit(t.Context(), &item{Number: n + 1, Pad: make([]byte, 4)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		t.Fatal(err)
	}
	spy := &idleSpy{Output: x.Partition(0)}
	done := make(chan error, 1)
	go func() { done <- drop(t, x.Gate(0)) }()
	if err := tape.Feed(t.Context(), open(t, file.Bytes()), spy); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if spy.idle > 1 {
		t.Errorf("idle %d times in the replay, want at most once", spy.idle)
	}
	if err := x.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
