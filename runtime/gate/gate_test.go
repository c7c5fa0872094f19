package gate_test

import (
	"context"
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
)

// TestFairness fills 100 channels unevenly: no channel waits for more than one chunk of each other one.
func TestFairness(t *testing.T) {
	const channels = 100
	n := newNet(t, channels, 1)
	for i, f := range n.feeds {
		for range 1 + i%7*3 {
			f.send(0, frame([]byte{byte(i)}), 100)
		}
	}
	r := newReader(t, n.gate(gate.Config{}, 0))
	waiting := map[byte]int{} // records of others since the last one of a channel
	left := map[byte]int{}
	total := 0
	for i := range channels {
		left[byte(i)] = 1 + i%7*3
		total += left[byte(i)]
	}
	var v raw
	for range total {
		if ok, err := r.Next(context.Background(), &v); !ok || err != nil {
			t.Fatal(ok, err)
		}
		c := v.data[0]
		left[c]--
		waiting[c] = 0
		for other := range left {
			if other != c && left[other] > 0 {
				if waiting[other]++; waiting[other] > channels {
					t.Fatalf("channel %d has waited for %d records of others", other, waiting[other])
				}
			}
		}
	}
	_ = r.Close()
	n.close()
}

// TestOneReader checks that a gate takes one reader, a channel one gate, and that a failed constructor holds nothing back.
func TestOneReader(t *testing.T) {
	n := newNet(t, 1, 3)
	g := n.gate(gate.Config{Name: "consumer 0"}, 0)
	r := newReader(t, g)
	if _, err := gate.NewReader(g, rawSerializer{}); !errors.Is(err, gate.ErrInUse) {
		t.Errorf("second reader of a gate: %v", err)
	}
	both := n.gate(gate.Config{Name: "both"}, 1, 0)
	if _, err := gate.NewReader(both, rawSerializer{}); !errors.Is(err, gate.ErrInUse) {
		t.Errorf("second gate of a channel: %v", err)
	}
	if _, err := gate.New(gate.Config{Name: "nobody"}); err == nil {
		t.Error("a gate without channels was made")
	}
	var contract partition.Contract
	if err := contract.Join("somebody", record.Schema{Text: "other", Fingerprint: 9}); err != nil {
		t.Fatal(err)
	}
	if _, err := gate.NewReader(n.gate(gate.Config{Contract: &contract}, 2), rawSerializer{}); !errors.Is(err, partition.ErrSchema) {
		t.Errorf("reader of another schema: %v", err)
	}
	_ = r.Close()
	n.close()
}

// TestCancelGate checks that Cancel ends the reader's wait and refuses later readers with its error.
func TestCancelGate(t *testing.T) {
	n := newNet(t, 1, 2)
	g, unused := n.gate(gate.Config{}, 0), n.gate(gate.Config{}, 1)
	r := newReader(t, g)
	got := make(chan error)
	go func() {
		var v raw
		_, err := r.Next(context.Background(), &v)
		got <- err
	}()
	g.Cancel(errBad)
	unused.Cancel(errBad)
	if err := <-got; !errors.Is(err, errBad) {
		t.Errorf("next: %v", err)
	}
	select {
	case <-g.Closed():
		t.Error("a gate with an open reader counts as closed")
	case <-unused.Closed():
	}
	if _, err := gate.NewReader(unused, rawSerializer{}); !errors.Is(err, errBad) {
		t.Errorf("reader after cancel: %v", err)
	}
	_ = r.Close()
	<-g.Closed()
	n.close()
}

// TestAll checks that All yields values that may be kept, goes on after a break, and ends with the error.
func TestAll(t *testing.T) {
	n := newNet(t, 1, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	for i := range 5 {
		n.feeds[0].send(0, frame([]byte{byte(i)}), 100)
	}
	_ = n.feeds[0].part.Fail(errBad)
	var kept []*raw
	for v, err := range r.All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if kept = append(kept, v); len(kept) == 2 {
			break
		}
	}
	var last error
	for v, err := range r.All(context.Background()) {
		if last = err; err == nil {
			kept = append(kept, v)
		} else if v != nil {
			t.Error("a record came with the error")
		}
	}
	if !errors.Is(last, errBad) {
		t.Errorf("ended with %v", last)
	}
	for i, v := range kept {
		if v.data[0] != byte(i) {
			t.Errorf("record %d is %d", i, v.data[0])
		}
	}
	if len(kept) != 5 {
		t.Errorf("%d records, want 5", len(kept))
	}
	_ = r.Close()
	if err := r.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
	n.close()
}
