package rwtest

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestRing compares the ring with a slice.
func TestRing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var q ring
	var want []byte
	for range 100_000 {
		switch k := r.IntN(100); {
		case k < 50:
			p := make([]byte, r.IntN(200))
			for i := range p {
				p[i] = byte(r.Uint32())
			}
			q.write(p)
			want = append(want, p...)
		case k < 99:
			p := make([]byte, r.IntN(min(q.n, 250)+1))
			q.read(p)
			if !bytes.Equal(p, want[:len(p)]) {
				t.Fatalf("read %x, want %x", p, want[:len(p)])
			}
			want = want[len(p):]
		default:
			n := r.IntN(q.n + 1)
			q.cut(n)
			want = want[:n]
		}
		if q.n != len(want) {
			t.Fatalf("%d bytes, want %d", q.n, len(want))
		}
	}
}
