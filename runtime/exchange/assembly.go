package exchange

import (
	"fmt"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/memory"
)

// Assembly is a snapshot of the memory in which readers put records together that arrive in pieces, in bytes.
type Assembly struct {
	Guaranteed int64 // Config.AssemblyBytes
	Used       int64 // now
	Peak       int64 // at most
}

// assembly is the gate.Room of all readers of an exchange: what is set aside for them, and beyond it what of the budget is guaranteed to nobody and free.
type assembly struct {
	share *memory.Share // a reservation
	limit int64         // the budget
	peak  atomic.Int64
}

// Take charges bytes. It does not wait.
func (a *assembly) Take(bytes int64) error {
	if !a.share.Charge(bytes) {
		return fmt.Errorf("%w: %d bytes more are needed, readers of the exchange have %d for such records, AssemblyBytes is %d, and of the budget of %d bytes not enough is free beside it: raise AssemblyBytes, and MemoryBytes if that does not go into it",
			memory.ErrInsufficient, bytes, a.share.Used(), a.share.Min(), a.limit)
	}
	for used := a.share.Used(); ; {
		peak := a.peak.Load()
		if used <= peak || a.peak.CompareAndSwap(peak, used) {
			return nil
		}
	}
}

// Give takes bytes back.
func (a *assembly) Give(bytes int64) { a.share.Discharge(bytes) }
