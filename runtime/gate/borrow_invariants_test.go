//go:build invariants

package gate_test

import (
	"bytes"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
)

// poisoned reports whether nothing of a payload is left.
func poisoned(p []byte) bool { return bytes.Equal(p, bytes.Repeat([]byte{0xdb}, len(p))) }

// twoRecords returns a reader before the records "one" and "two" of one chunk.
func twoRecords(t *testing.T) (*net, *gate.Reader[raw]) {
	t.Helper()
	n := newNet(t, 1, 1)
	r := newReader(t, n.gate(gate.Config{}, 0))
	n.feeds[0].send(0, append(frame([]byte("one")), frame([]byte("two"))...), 100)
	return n, r
}

// TestBorrowEnds: what was borrowed is overwritten by the next call that reads or ends, although its chunk is still there, and not by any other.
func TestBorrowEnds(t *testing.T) {
	for name, call := range map[string]func(t *testing.T, r *gate.Reader[raw]){
		"Next":         func(t *testing.T, r *gate.Reader[raw]) { _, _ = r.Next(t.Context(), new(raw)) },
		"TryNext":      func(_ *testing.T, r *gate.Reader[raw]) { _, _, _ = r.TryNext(new(raw)) },
		"NextBatch":    func(t *testing.T, r *gate.Reader[raw]) { _, _ = r.NextBatch(t.Context(), make([]raw, 1)) },
		"NextBytes":    func(t *testing.T, r *gate.Reader[raw]) { _, _, _ = r.NextBytes(t.Context()) },
		"TryNextBytes": func(_ *testing.T, r *gate.Reader[raw]) { _, _, _, _ = r.TryNextBytes() },
		"Select":       func(t *testing.T, r *gate.Reader[raw]) { _, _ = gate.Select(t.Context(), r) },
		"Close":        func(_ *testing.T, r *gate.Reader[raw]) { _ = r.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			n, r := twoRecords(t)
			kept, ok, err := r.NextBytes(t.Context())
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			r.Last()
			r.Watermark()
			r.Backlog()
			r.Stats()
			r.Core().Idle()
			if string(kept) != "one" {
				t.Errorf("overwritten too early: %q", kept)
			}
			call(t, r)
			if !poisoned(kept) {
				t.Errorf("it is still %q", kept)
			}
			_ = r.Close()
			n.close()
		})
	}
}

// TestBorrowedIsPrivate: who writes to what he has borrowed does not reach the record, nor another reader of the same buffer; and who keeps it notices even while the other reader has it.
func TestBorrowedIsPrivate(t *testing.T) {
	n := newNet(t, 1, 2)
	a, b := newReader(t, n.gate(gate.Config{}, 0)), newReader(t, n.gate(gate.Config{}, 1))
	sendAll(t, n.feeds[0].part, append(frame([]byte("one")), frame([]byte("two"))...))
	ours, _, err1 := a.NextBytes(t.Context())
	theirs, _, err2 := b.NextBytes(t.Context())
	must(t, err1)
	must(t, err2)
	copy(ours, "xxx")
	if string(theirs) != "one" {
		t.Errorf("the other reader has %q", theirs)
	}
	if _, _, err := a.NextBytes(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !poisoned(ours) || string(theirs) != "one" {
		t.Errorf("after the next call of one reader: %q, and the other has %q", ours, theirs)
	}
	_ = a.Close()
	_ = b.Close()
	n.close()
}

// TestSpecBorrow: payloads that generated code decodes in place end with the next call, however they were found; those of a batch together.
func TestSpecBorrow(t *testing.T) {
	n := newNet(t, 1, 1)
	r := newViewReader(t, n.gate(gate.Config{}, 0))
	c := r.core
	var stream []byte
	for _, p := range []string{"first", "frame", "fixed", "same1", "same2", "again"} {
		stream = append(stream, frame([]byte(p))...)
	}
	n.feeds[0].send(0, stream, len(stream))
	cut := frame([]byte("pieces"))
	n.feeds[0].send(0, cut, 7)
	n.feeds[0].send(0, append(frame([]byte("more")), frame([]byte("rest"))...), 100)
	n.feeds[0].send(0, frame([]byte("selected")), 5)

	var kept [][]byte
	step := func(name, want string, next func() ([]byte, bool)) {
		t.Helper()
		p, ok := next()
		if !ok || string(p) != want {
			t.Fatalf("%s: %q, %v, want %q", name, p, ok, want)
		}
		for _, k := range kept {
			if !poisoned(k) {
				t.Errorf("%s: %q is still there", name, k)
			}
		}
		kept = [][]byte{p}
	}
	fill := func() ([]byte, bool) {
		p, ok, err := c.Fill(t.Context())
		must(t, err)
		return p, ok
	}
	tryFill := func() ([]byte, bool) {
		p, ok, _, err := c.TryFill()
		must(t, err)
		return p, ok
	}
	step("Fill", "first", fill)
	step("Frame", "frame", c.Frame)
	step("Fixed", "fixed", func() ([]byte, bool) { p := c.Fixed(5); return p, p != nil })
	dst := make([][]byte, 3)
	k, err := r.NextBatch(t.Context(), dst)
	if k != 3 || err != nil {
		t.Fatal(k, err)
	}
	for i, want := range []string{"same1", "same2", "again"} {
		if string(dst[i]) != want {
			t.Errorf("record %d of the batch is %q, want %q", i, dst[i], want)
		}
	}
	if !poisoned(kept[0]) {
		t.Errorf("%q is still there", kept[0])
	}
	kept = dst
	step("TryFill", "pieces", tryFill)
	step("More", "more", c.More)
	step("Frame", "rest", c.Frame) // of the same chunk
	if i, err := gate.Select(t.Context(), r); i != 0 || err != nil {
		t.Fatal(i, err)
	}
	if !poisoned(kept[0]) {
		t.Errorf("%q is still there after Select", kept[0])
	}
	step("TryFill", "selected", tryFill)
	_ = c.Close()
	if !poisoned(kept[0]) {
		t.Errorf("%q is still there after Close", kept[0])
	}
	n.close()
}
