package rwtest

import (
	"io"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

// NewPool returns a pool of memory for the length of a test, rounded down as by [memory.NewPool]. When the test and the cleanups that were registered later have ended, the pool is closed. The test fails with
// what was not given back: the bytes of blocks, what is charged, and shares that are open.
func NewPool(t testing.TB, bytes int64) *memory.Pool {
	t.Helper()
	p, err := memory.NewPool(bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s := p.Stats(); s.Used != 0 || s.Charged != 0 || s.Shares != 0 {
			t.Errorf("rwtest: not given back to the pool of %d bytes: %d bytes of blocks, %d bytes charged, %d shares open, to which %d bytes are guaranteed", s.Limit, s.Used, s.Charged, s.Shares, s.Guaranteed)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// MustClose closes c when the test and the cleanups that were registered later have ended, and fails the test with the error. It fits what checks for leaks in Close, such as [Network.Close].
func MustClose(t testing.TB, c io.Closer) {
	t.Helper()
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}
