package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

// TestChargeUnmaps: memory that is mapped and not used makes room for what is charged, so that both together are within the limit.
func TestChargeUnmaps(t *testing.T) {
	p := newPool(t, 64*kib)
	share := openShare(t, p, 0, 64*kib, nil)
	releaseAll(share, fillShare(share))
	heap, err := p.Reserve(0)
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Stats(); s.Mapped != 64*kib || !heap.Charge(5*kib) {
		t.Fatalf("%+v", s)
	}
	if s := p.Stats(); s.Mapped+s.Reserved > s.Limit {
		t.Errorf("%+v", s)
	}
	all := fillShare(share)
	if bytesOf(all) != 59*kib {
		t.Errorf("%d bytes are left beside 5 KiB, want 59 KiB", bytesOf(all))
	}
	releaseAll(share, all)
	heap.Discharge(5 * kib)
}

// TestCharge: a reservation holds what it is guaranteed whatever others do, and more only of what nobody is guaranteed. What it gives back wakes those who wait for it.
func TestCharge(t *testing.T) {
	p := newPool(t, 8*kib)
	heap, err := p.Reserve(2 * kib)
	if err != nil {
		t.Fatal(err)
	}
	woken := 0
	other := openShare(t, p, 3*kib, 8*kib, func() { woken++ })
	if !heap.Charge(1) || !heap.Charge(4*kib) || heap.Used() != 5*kib {
		t.Fatalf("%d bytes are charged, want 1 KiB for a byte and 4 KiB", heap.Used())
	}
	all := fillShare(other)
	if bytesOf(all) != 3*kib {
		t.Errorf("the other share gets %d bytes, want its guarantee", bytesOf(all))
	}
	if heap.Charge(1) {
		t.Error("charged what the other share has")
	}
	if _, ok := p.Acquire(memory.MinBlock); ok {
		t.Error("a block of memory that is charged")
	}
	heap.Discharge(1)
	if woken == 0 {
		t.Error("nobody was woken")
	}
	if seg, ok := other.Acquire(memory.MinBlock); !ok {
		t.Error("what was given back is not to be had")
	} else {
		all = append(all, seg)
	}
	if s := p.Stats(); s.Reserved != 4*kib || s.Charged != 4*kib || s.Used != 4*kib {
		t.Errorf("%+v", s)
	}
	releaseAll(other, all)
	if err := p.Close(); !errors.Is(err, memory.ErrInUse) || !strings.Contains(err.Error(), "4096 bytes") {
		t.Errorf("Close with 4 KiB charged: %v", err)
	}
	heap.Close()
	if heap.Charge(1) {
		t.Error("a closed share was charged")
	}
	if s := p.Stats(); s.Reserved != 4*kib || s.Charged != 4*kib {
		t.Errorf("after Close of the share: %+v", s)
	}
	heap.Discharge(4 * kib)
	if s := p.Stats(); s.Reserved != 0 || s.Charged != 0 {
		t.Errorf("at the end: %+v", s)
	}
	if other.Charge(1) {
		t.Error("a share for blocks was charged")
	}
	defer func() {
		if recover() == nil {
			t.Error("more was discharged than was charged")
		}
	}()
	heap.Discharge(1)
}
