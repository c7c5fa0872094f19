package rwimpl_test

import (
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/rwimpl"
)

func TestZero(t *testing.T) {
	n := 7
	if got := rwimpl.Zero(&n); got != 0 || n != 7 {
		t.Errorf("Zero of 7 = %d, and it became %d", got, n)
	}
	if got := rwimpl.Zero((*[]string)(nil)); got != nil {
		t.Errorf("Zero of no slice = %q", got)
	}
	var locked sync.Mutex
	locked.Lock()
	free := rwimpl.Zero(&locked)
	if !free.TryLock() {
		t.Error("Zero copied a locked mutex")
	}
}
