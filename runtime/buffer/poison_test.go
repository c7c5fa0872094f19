//go:build invariants

package buffer_test

import (
	"bytes"
	"testing"

	"github.com/rwgen/rwgen/runtime/buffer"
)

// TestPoison: memory that was given back does not look like what it held.
func TestPoison(t *testing.T) {
	p := newLocal(t, 1<<20, buffer.Config{Bytes: 8 << 10, Channels: 1})
	large, err := p.Large(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []*buffer.Buffer{mustAcquire(t, p.LocalPool, 0, 2<<10), large} {
		borrowed := b.Bytes()
		copy(borrowed, "a borrowed view")
		b.Retain(1)
		b.Release()
		if !bytes.HasPrefix(borrowed, []byte("a borrowed view")) {
			t.Fatal("poisoned while there is a reference")
		}
		b.Release()
		if want := bytes.Repeat([]byte{0xdb}, len(borrowed)); !bytes.Equal(borrowed, want) {
			t.Errorf("%x… after the last Release, want db in all bytes", borrowed[:16])
		}
	}
}
