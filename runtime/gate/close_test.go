package gate_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
)

// block writes records through the builder of a channel, as writers do.
func (f *feed) block(channel int, payloads ...string) {
	f.t.Helper()
	for _, p := range payloads {
		b := &f.builders[channel]
		if b.Free() < 4+len(p) {
			if err := f.part.Acquire(context.Background(), channel, 1<<10); err != nil {
				f.t.Fatal(err)
			}
		}
		dst, _ := b.Tail()
		if n := copy(dst, p); !b.Commit(n) && !b.Confirm() {
			if err := f.part.Announce(channel); err != nil {
				f.t.Fatal(err)
			}
		}
	}
}

// TestCloseGivesEverythingBack closes a reader after each number of records: inside a block, inside a cut frame, before and after the end of a channel.
// The test fails in net.close if anything is kept.
func TestCloseGivesEverythingBack(t *testing.T) {
	cause := errors.New("enough")
	for records := range 12 {
		t.Run(fmt.Sprint(records), func(t *testing.T) {
			n := newNet(t, 3, 1)
			g := n.gate(gate.Config{}, 0)
			r := newReader(t, g)
			// Blocks, one of them open; a frame in pieces that is never complete; a channel that has ended.
			n.feeds[0].block(0, "a", "b", "c")
			if err := n.feeds[0].part.Flush(); err != nil {
				t.Fatal(err)
			}
			n.feeds[0].block(0, string(make([]byte, 900)), string(make([]byte, 900)), "d")
			n.feeds[1].send(0, append(frame([]byte("x")), 0, 0, 0, 9, 1, 2, 3), 3)
			n.feeds[2].send(0, frame(make([]byte, 5000)), 5004)
			n.feeds[2].block(0, "y")
			if err := n.feeds[2].part.Finish(); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // take what there is
			var v raw
			for range records {
				if _, err := r.Next(ctx, &v); err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
			}
			for range 3 {
				if err := r.CloseWithError(cause); err != nil {
					t.Errorf("Close: %v", err)
				}
				if err := r.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			}
			select {
			case <-g.Closed():
			default:
				t.Error("the gate does not count as closed")
			}
			for range 2 {
				if ok, err := r.Next(t.Context(), &v); ok || !errors.Is(err, gate.ErrClosed) {
					t.Errorf("Next after Close: %v, %v", ok, err)
				}
			}
			// The producers that had not ended learn the cause; the one that had does not mind.
			for i, f := range n.feeds {
				err := f.part.Flush()
				switch {
				case i == 2:
					if !errors.Is(err, partition.ErrClosed) {
						t.Errorf("producer %d: %v", i, err)
					}
				case !errors.Is(err, partition.ErrConsumerGone) || !errors.Is(err, cause):
					t.Errorf("producer %d: %v, want ErrConsumerGone with the cause", i, err)
				}
			}
			n.close()
		})
	}
}

// TestReaderAfterClose: a gate is used once.
func TestReaderAfterClose(t *testing.T) {
	n := newNet(t, 1, 1)
	g := n.gate(gate.Config{}, 0)
	if g.Claimed() || g.Channels() != 1 || g.Stats().Channels != 0 {
		t.Errorf("claimed: %v, %d channels, %+v before there is a reader", g.Claimed(), g.Channels(), g.Stats())
	}
	_ = newReader(t, g).Close()
	if _, err := gate.NewReader(g, rawSerializer{}); !errors.Is(err, gate.ErrInUse) {
		t.Errorf("a second reader after the first has closed: %v", err)
	}
	if !g.Claimed() {
		t.Error("not claimed after the reader has closed")
	}
	n.close()
}

// TestOneOfManyFails: the failure of one producer ends the reader after the records of that producer, and stays.
func TestOneOfManyFails(t *testing.T) {
	cause := errors.New("disk on fire")
	n := newNet(t, 3, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	n.feeds[1].block(0, "a", "b")
	if err := n.feeds[1].part.Fail(cause); err != nil {
		t.Fatal(err)
	}
	var v raw
	for _, want := range []string{"a", "b"} {
		if ok, err := r.Next(t.Context(), &v); !ok || err != nil || string(v.data) != want {
			t.Fatalf("%v, %v, %q, want %q", ok, err, v.data, want)
		}
	}
	for range 2 {
		var failed *gate.ProducerError
		if ok, err := r.Next(t.Context(), &v); ok || !errors.As(err, &failed) || failed.Producer != 1 || !errors.Is(err, cause) {
			t.Fatalf("%v, %v, want the failure of producer 1", ok, err)
		}
		n.feeds[0].block(0, "more")
		if err := n.feeds[0].part.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	_ = r.CloseWithError(cause)
	if ok, err := r.Next(t.Context(), &v); ok || !errors.Is(err, cause) {
		t.Errorf("Next after Close: %v, %v", ok, err)
	}
	n.close()
}

// TestStats counts records, bytes, chunks and ends; an end is no chunk.
func TestStats(t *testing.T) {
	n := newNet(t, 2, 1)
	g := n.gate(gate.Config{}, 0)
	r, err := gate.NewReader(g, rawSerializer{}, gate.WithName("reader"), nil)
	if err != nil {
		t.Fatal(err)
	}
	n.feeds[0].block(0, "a", "bc")
	n.feeds[1].send(0, frame([]byte("cut")), 2) // 4 pieces
	for _, f := range n.feeds {
		if err := f.part.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	records := 0
	for _, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		records++
	}
	_ = r.Close()
	want := r.Stats()
	want.Name, want.Records, want.Bytes, want.Chunks, want.Channels, want.Ended = "reader", 3, 5+6+7, 5, 2, 2
	if got := r.Stats(); got != want || g.Stats() != want || records != 3 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	n.close()
}
