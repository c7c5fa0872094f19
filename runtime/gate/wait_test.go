package gate_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
)

// TestNextIsWoken exactly when there is something to do: it goes on waiting through everything that gives it nothing, and ends with what does.
func TestNextIsWoken(t *testing.T) {
	big := string(make([]byte, 900)) // more than one do not fit into a block
	for name, tt := range map[string]struct {
		nothing func(n *net)
		wakes   func(n *net, g *gate.Gate)
		want    string // record, or none
		is      error
	}{
		"flush": {
			func(n *net) { n.feeds[0].block(0, "a") },
			func(n *net, _ *gate.Gate) { _ = n.feeds[0].part.Flush() }, "a", nil,
		},
		"full block": {
			func(n *net) { n.feeds[0].block(0, big) },
			func(n *net, _ *gate.Gate) { n.feeds[0].block(0, big) }, big, nil,
		},
		"large record": {
			func(n *net) { _ = n.feeds[0].part.Flush() },
			func(n *net, _ *gate.Gate) { n.feeds[0].send(0, frame(make([]byte, 5000)), 6000) }, string(make([]byte, 5000)), nil,
		},
		"rest of a record": {
			func(n *net) { n.feeds[0].send(0, frame([]byte("abc"))[:5], 1) },
			func(n *net, _ *gate.Gate) { n.feeds[0].send(0, []byte("bc"), 2) }, "abc", nil,
		},
		"event, then a record": {
			func(n *net) { must(n.t, n.feeds[1].part.Event(0, partition.Event{Kind: partition.LatencyMarker})) },
			func(n *net, _ *gate.Gate) { n.feeds[1].send(0, frame([]byte("b")), 9) }, "b", nil,
		},
		"watermark, then a record": {
			func(n *net) { must(n.t, n.feeds[1].part.Watermark(5)); _ = n.feeds[1].part.Flush() },
			func(n *net, _ *gate.Gate) { n.feeds[1].send(0, frame([]byte("b")), 9) }, "b", nil,
		},
		"one channel ends, then the other": {
			func(n *net) { _ = n.feeds[0].part.Finish() },
			func(n *net, _ *gate.Gate) { _ = n.feeds[1].part.Finish() }, "", nil,
		},
		"failure": {
			func(n *net) { _ = n.feeds[0].part.Finish() },
			func(n *net, _ *gate.Gate) { _ = n.feeds[1].part.Fail(errBad) }, "", errBad,
		},
		"cancel": {
			func(*net) {},
			func(_ *net, g *gate.Gate) { g.Cancel(errBad) }, "", errBad,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNet(t, 2, 1)
				g := n.gate(gate.Config{}, 0)
				r := newReader(t, g)
				var v raw
				var ok bool
				var err error
				done := make(chan struct{})
				go func() {
					defer close(done)
					ok, err = r.Next(context.Background(), &v)
				}()
				synctest.Wait() // it waits
				tt.nothing(n)
				time.Sleep(time.Hour)
				synctest.Wait()
				select {
				case <-done:
					t.Fatalf("Next returned %v, %v, %q for nothing", ok, err, v.data)
				default:
				}
				tt.wakes(n, g)
				<-done
				if ok != (tt.want != "") || ok && string(v.data) != tt.want || !errors.Is(err, tt.is) {
					t.Errorf("%v, %v, %d bytes, want %d and %v", ok, err, len(v.data), len(tt.want), tt.is)
				}
				_ = r.Close()
				n.close()
			})
		})
	}
}

// TestNextIsBounded: a context with a deadline ends Next and Select at that moment, whatever has come in part meanwhile, and nothing is lost.
func TestNextIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNet(t, 1, 1)
		r := newReader(t, n.gate(gate.Config{}, 0))
		whole := frame([]byte("abcdef"))
		var v raw
		for at := range whole {
			start := time.Now()
			go func() {
				time.Sleep(time.Second)
				n.feeds[0].send(0, whole[at:at+1], 1)
			}()
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			var ok bool
			var err error
			if at%2 == 0 {
				ok, err = r.Next(ctx, &v)
			} else if _, err = gate.Select(ctx, r); err == nil {
				ok, err = r.Next(ctx, &v)
			}
			cancel()
			took := time.Since(start)
			if at < len(whole)-1 {
				if ok || !errors.Is(err, context.DeadlineExceeded) || took != 3*time.Second {
					t.Errorf("byte %d: %v, %v after %v", at, ok, err, took)
				}
			} else if !ok || err != nil || took != time.Second || !bytes.Equal(v.data, whole[4:]) {
				t.Errorf("the last byte: %v, %v after %v, %q", ok, err, took, v.data)
			}
		}
		_ = r.Close()
		n.close()
	})
}

// TestLateNotification: what was read before its notification was looked at wakes for nothing, which is not seen: the next call waits as if there had been none.
func TestLateNotification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, policy := range []partition.FlushPolicy{partition.EveryRecord(), partition.OnFull(), partition.After(time.Second), partition.WhenIdle(time.Second)} {
			n := newNetOf(t, 1, 1, policy)
			r := newReader(t, n.gate(gate.Config{}, 0))
			f := n.feeds[0]
			for i := range 3 {
				// Told of each record, and once more by the flush; then all is read at once.
				f.emit(0, []byte("a"))
				f.emit(0, []byte("b"))
				must(t, f.part.Flush())
				must(t, f.part.Flush())
				dst := make([]raw, 3)
				if k, err := r.NextBatch(t.Context(), dst); k != 2 || err != nil {
					t.Fatalf("%v, round %d: %d, %v", policy, i, k, err)
				}
				must(t, f.part.Flush()) // there is nothing
				start := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				if ok, err := r.Next(ctx, &dst[0]); ok || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Minute {
					t.Errorf("%v, round %d: %v, %v after %v", policy, i, ok, err, time.Since(start))
				}
				cancel()
			}
			_ = r.Close()
			n.close()
		}
	})
}
