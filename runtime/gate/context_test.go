package gate_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
)

// TestContextLeavesReaderUsable ends Next by its context before, inside and after a frame: nothing is lost, and the reader goes on.
func TestContextLeavesReaderUsable(t *testing.T) {
	cause := errors.New("no time")
	canceled, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	stream := append(frame([]byte("first")), frame([]byte("second"))...)
	for cut := range len(stream) + 1 {
		n := newNet(t, 1, 1)
		r := newReader(t, n.gate(gate.Config{}, 0))
		var v raw
		var got [][]byte
		// next takes what there is, and is then ended by its context, more than once.
		next := func() {
			t.Helper()
			for tries := 0; tries < 2; {
				ok, err := r.Next(canceled, &v)
				switch {
				case ok:
					got = append(got, bytes.Clone(v.data))
				case errors.Is(err, context.Canceled) && errors.Is(err, cause):
					tries++
				default:
					t.Fatalf("cut at %d: %v, %v", cut, ok, err)
				}
			}
		}
		next()
		n.feeds[0].send(0, stream[:cut], len(stream))
		next()
		n.feeds[0].send(0, stream[cut:], len(stream))
		next()
		if len(got) != 2 || string(got[0]) != "first" || string(got[1]) != "second" {
			t.Fatalf("cut at %d: got %q", cut, got)
		}
		if err := n.feeds[0].part.Finish(); err != nil {
			t.Error(err)
		}
		// The end does not need to be waited for.
		if ok, err := r.Next(canceled, &v); ok || err != nil {
			t.Fatalf("cut at %d: %v, %v at the end", cut, ok, err)
		}
		_ = r.Close()
		n.close()
	}
}

// TestContextEndsWait ends a Next that waits.
func TestContextEndsWait(t *testing.T) {
	n := newNet(t, 1, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan error)
		go func() {
			var v raw
			_, err := r.Next(ctx, &v)
			got <- err
		}()
		cancel()
		if err := <-got; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	_ = r.Close()
	n.close()
}
