package gate_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/rwgen/rwgen/runtime/gate"
)

// The tests of this file keep what an attempt to break Select has found.

// TestSelectPiecesLikeHeaders: what continues a frame that has arrived in part is not taken for the head of the next one.
func TestSelectPiecesLikeHeaders(t *testing.T) {
	payload := []byte("AB\x00\x00\x00\x01xyzw")
	for cut := range len(payload) + 4 {
		n, a, b := two(t)
		f := frame(payload)
		n.feeds[0].send(0, f[:cut], 100)
		n.feeds[0].send(0, f[cut:], 100)
		mustSelect(t, 0, a, b)
		var v raw
		if ok, _, err := a.TryNext(&v); !ok || err != nil || !bytes.Equal(v.data, payload) {
			t.Errorf("cut at %d: %v, %v, %q, want %q", cut, ok, err, v.data, payload)
		}
		_, _ = a.Close(), b.Close()
		n.close()
	}
}

// TestSelectEndedAndCanceled: a reader that has ended does not keep Select from waiting, nor from its context, also when its gate is canceled then.
func TestSelectEndedAndCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended, other := newNet(t, 1, 1), newNet(t, 1, 1)
		g := ended.gate(gate.Config{}, 0)
		a, b := newReader(t, g), newReader(t, other.gate(gate.Config{}, 0))
		_ = ended.feeds[0].part.Finish()
		mustSelect(t, 0, a, b)
		if _, end, err := a.TryNext(new(raw)); !end || err != nil {
			t.Fatal(end, err)
		}
		g.Cancel(errors.New("canceled"))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := gate.Select(ctx, a, b)
			done <- err
		}()
		synctest.Wait() // for ever, if Select does not wait
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		_, _ = a.Close(), b.Close()
		ended.close()
		other.close()
	})
}

// TestReadersPartAfterSelect: readers that were selected together are woken each for itself when they go to goroutines of their own.
func TestReadersPartAfterSelect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := two(t)
		mustSelectNone(t, a, b)
		got := [2]chan error{make(chan error, 1), make(chan error, 1)}
		for i, r := range []*gate.Reader[raw]{a, b} {
			go func() {
				_, err := r.Next(t.Context(), new(raw))
				got[i] <- err
			}()
			synctest.Wait() // a is the first that waits
		}
		for i := range got {
			n.feeds[0].send(1-i, frame([]byte("x")), 100)
			synctest.Wait()
			select {
			case err := <-got[1-i]:
				if err != nil {
					t.Error(err)
				}
			default:
				t.Fatalf("reader %d has a record and was not woken", 1-i)
			}
		}
		_, _ = a.Close(), b.Close()
		n.close()
	})
}
