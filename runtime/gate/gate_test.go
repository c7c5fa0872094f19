package gate_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
)

// TestFairness fills many channels unevenly, some of them much more than the others: none waits for more than one chunk of each other one, whether it is read by Next or in batches.
func TestFairness(t *testing.T) {
	for _, tt := range []struct {
		producers, channels int // of each producer
		batch               int
	}{{100, 1, 1}, {100, 1, 7}, {1, 1000, 1}, {10, 100, 50}} {
		t.Run(fmt.Sprintf("%d producers with %d channels/batches of %d", tt.producers, tt.channels, tt.batch), func(t *testing.T) {
			n := newNet(t, tt.producers, tt.channels)
			all := tt.producers * tt.channels
			left, total := make([]int, all), 0 // records, by channel
			consumers := make([]int, tt.channels)
			for c := range consumers {
				consumers[c] = c
				for p, f := range n.feeds {
					i := c*tt.producers + p
					left[i] = 1 + i%7
					if i%100 == 50 {
						left[i] = 100
					}
					total += left[i]
					for range left[i] {
						f.send(c, frame(binary.BigEndian.AppendUint16(nil, uint16(i))), 100)
					}
				}
			}
			r := newReader(t, n.gate(gate.Config{}, consumers...))
			waited := make([]int, all) // for records of others since the last one of a channel
			dst := make([]raw, tt.batch)
			for total > 0 {
				k, err := r.NextBatch(t.Context(), dst)
				if k == 0 || err != nil {
					t.Fatal(k, err)
				}
				for _, v := range dst[:k] {
					i := int(binary.BigEndian.Uint16(v.data))
					left[i]--
					total--
					waited[i] = 0
					for other := range left {
						if other != i && left[other] > 0 {
							if waited[other]++; waited[other] > all {
								t.Fatalf("channel %d has waited for %d records of others", other, waited[other])
							}
						}
					}
				}
			}
			_ = r.Close()
			n.close()
		})
	}
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
	if err := contract.JoinWriter("somebody", record.Schema{Text: "other", Fingerprint: 9}); err != nil {
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
