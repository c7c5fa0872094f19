//go:build !invariants

package gate_test

import (
	"testing"
	"unsafe"

	"github.com/rwgen/rwgen/runtime/gate"
)

// TestBorrowingAllocatesNothing and copies nothing: payloads of one block lie one behind the other.
func TestBorrowingAllocatesNothing(t *testing.T) {
	n := newNet(t, 1, 2)
	r := newReader(t, n.gate(gate.Config{}, 0))
	v := newViewReader(t, n.gate(gate.Config{}, 1))
	for range 303 {
		n.feeds[0].block(0, "record")
		n.feeds[0].block(1, "record")
	}
	if err := n.feeds[0].part.Flush(); err != nil {
		t.Fatal(err)
	}
	var last []byte
	adjacent := 0
	see := func(p []byte) {
		if last != nil && uintptr(unsafe.Pointer(&p[0])) == uintptr(unsafe.Pointer(&last[0]))+10 {
			adjacent++
		}
		last = p
	}
	dst := make([][]byte, 2)
	for name, next := range map[string]func(){
		"NextBytes": func() {
			p, ok, err := r.NextBytes(t.Context())
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			see(p)
		},
		"TryNextBytes": func() {
			p, ok, _, err := r.TryNextBytes()
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			see(p)
		},
		"Frame and Same": func() {
			k, err := v.NextBatch(t.Context(), dst)
			if k == 0 || err != nil {
				t.Fatal(k, err)
			}
			see(dst[0])
			see(dst[k-1])
		},
	} {
		last, adjacent = nil, 0
		if got := testing.AllocsPerRun(100, next); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
		if adjacent < 90 {
			t.Errorf("%s: %d records of 100 lie behind the one before", name, adjacent)
		}
	}
	_ = r.Close()
	_ = v.core.Close()
	n.close()
}

var _ gate.Input = (*viewReader)(nil)
