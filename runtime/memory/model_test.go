package memory_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

// model drives a pool and knows what it must answer. Every segment is filled with its own number, so that two segments that share a
// byte are noticed when the first of them is looked at.
type model struct {
	t     testing.TB
	pool  *memory.Pool
	limit int64
	used  int64
	peak  int64
	next  uint64
	live  []tagged
}

type tagged struct {
	memory.Segment
	tag uint64
}

func newModel(t testing.TB, limit int64) *model {
	t.Helper()
	p, err := memory.NewPool(limit)
	if err != nil {
		t.Fatal(err)
	}
	return &model{t: t, pool: p, limit: limit &^ (memory.MinBlock - 1)}
}

// acquire asks for a block and checks what it gets.
func (m *model) acquire(size int) bool {
	m.t.Helper()
	s, ok := m.pool.Acquire(size)
	if !ok {
		if size == memory.MinBlock && m.used < m.limit {
			m.t.Fatalf("no block of %d bytes although %d of %d are used", size, m.used, m.limit)
		}
		if m.used == 0 && int64(size) <= m.limit {
			m.t.Fatalf("no block of %d bytes in an empty pool of %d", size, m.limit)
		}
		return false
	}
	if b := s.Bytes(); len(b) != size || cap(b) != size {
		m.t.Fatalf("asked for %d bytes, got %d with capacity %d", size, len(b), cap(b))
	}
	m.used += int64(size)
	m.peak = max(m.peak, m.used)
	if m.used > m.limit {
		m.t.Fatalf("%d bytes are handed out, the limit is %d", m.used, m.limit)
	}
	m.next++
	fill(s.Bytes(), m.next)
	m.live = append(m.live, tagged{s, m.next})
	return true
}

// release gives back the i-th live segment.
func (m *model) release(i int) {
	m.t.Helper()
	s := m.live[i]
	if err := check(s.Bytes(), s.tag); err != nil {
		m.t.Fatal(err)
	}
	m.pool.Release(s.Segment)
	m.used -= int64(len(s.Bytes()))
	m.live[i] = m.live[len(m.live)-1]
	m.live = m.live[:len(m.live)-1]
}

// stats compares the pool's numbers with the model's.
func (m *model) stats() {
	m.t.Helper()
	got := m.pool.Stats()
	if got.Limit != m.limit || got.Used != m.used || got.Peak != m.peak || got.Mapped < m.used || got.Mapped > m.limit {
		m.t.Fatalf("got %+v, want limit %d, used %d, peak %d and what is mapped between used and limit", got, m.limit, m.used, m.peak)
	}
}

// merged releases everything and takes the whole pool as the fewest blocks that it can consist of.
func (m *model) merged() {
	m.t.Helper()
	for len(m.live) > 0 {
		m.release(len(m.live) - 1)
	}
	for size := memory.MaxBlock; size >= memory.MinBlock; size >>= 1 {
		n := m.limit / memory.MaxBlock
		if size < memory.MaxBlock {
			n = m.limit / int64(size) & 1
		}
		for i := range n {
			if !m.acquire(size) {
				m.t.Fatalf("block %d of %d of %d bytes is not whole again", i+1, n, size)
			}
		}
	}
	if m.used != m.limit {
		m.t.Fatalf("took %d of %d bytes", m.used, m.limit)
	}
	if m.acquire(memory.MinBlock) {
		m.t.Fatal("a full pool gave a block")
	}
	for len(m.live) > 0 {
		m.release(0)
	}
	m.stats()
}

func fill(b []byte, tag uint64) {
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], tag)
	}
}

func check(b []byte, tag uint64) error {
	for i := 0; i < len(b); i += 8 {
		if got := binary.LittleEndian.Uint64(b[i:]); got != tag {
			return fmt.Errorf("segment %d of %d bytes was overwritten at %d by segment %d", tag, len(b), i, got)
		}
	}
	return nil
}

func TestPoolRandom(t *testing.T) {
	limits := []int64{
		1 << 10, 2 << 10, 3 << 10, 31 << 10, 32 << 10, 33 << 10, 63 << 10, 95 << 10, 100 << 10, 256<<10 + 1023,
		1 << 20, 4<<20 - 1<<10, 4 << 20, 4<<20 + 1<<10, 9<<20 + 37<<10,
	}
	for _, limit := range limits {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			for seed := range uint64(3) {
				r := rand.New(rand.NewPCG(seed, uint64(limit)))
				m := newModel(t, limit)
				// Phases of growing and of shrinking, so that pools get full, empty, and fragmented in between.
				for range 6 {
					grow := 1 + r.IntN(9)
					for range 100 {
						if r.IntN(10) < grow {
							m.acquire(memory.MinBlock << r.IntN(6))
						} else if len(m.live) > 0 {
							m.release(r.IntN(len(m.live)))
						}
					}
					m.stats()
				}
				m.merged()
				if err := m.pool.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// FuzzPool takes the limit from the first byte and an operation from each of the others: acquire 1 KiB … 32 KiB, or release one.
func FuzzPool(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte{32, 0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{95, 5, 5, 5, 4, 3, 2, 1, 0, 14, 30, 46})
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) == 0 || len(ops) > 1<<12 {
			return
		}
		m := newModel(t, (int64(ops[0])+1)<<10)
		for _, op := range ops[1:] {
			if k := op % 8; k < 6 {
				m.acquire(memory.MinBlock << k)
			} else if len(m.live) > 0 {
				m.release(int(op/8) % len(m.live))
			}
			m.stats()
		}
		m.merged()
		if err := m.pool.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
