package memory_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

// shareModel drives the shares of a pool and knows what they must answer.
type shareModel struct {
	t      testing.TB
	pool   *memory.Pool
	limit  int64
	shares []*modelShare // open ones
	closed []*modelShare // with something outstanding
	direct []memory.Segment
	steps  struct{ granted, refused, starved, woken, busy, charged, over int }
}

type modelShare struct {
	*memory.Share
	heap     bool
	held     []memory.Segment
	charges  []int64 // of a reservation
	used     int64
	starving bool  // refused within its size, and not woken since
	want     int64 // what it was refused then
}

func newShareModel(t testing.TB, limit int64) *shareModel {
	return &shareModel{t: t, pool: newPool(t, limit), limit: limit}
}

// claimed is what others cannot have.
func (m *shareModel) claimed() (sum int64) {
	for _, s := range m.shares {
		sum += max(s.Min(), s.used)
	}
	for _, s := range m.closed {
		sum += s.used
	}
	return sum + bytesOf(m.direct)
}

func bytesOf(all []memory.Segment) (sum int64) {
	for _, seg := range all {
		sum += int64(len(seg.Bytes()))
	}
	return sum
}

func (m *shareModel) open(least, most int64, heap bool) {
	var guaranteed int64
	for _, s := range m.shares {
		guaranteed += s.Min()
	}
	claimed := m.claimed()
	s := &modelShare{heap: heap}
	var err error
	if heap {
		s.Share, err = m.pool.Reserve(least)
	} else {
		s.Share, err = m.pool.NewShare(least, most, func() {
			m.steps.woken++
			s.starving = false
		})
	}
	switch {
	case guaranteed+least > m.limit:
		if !errors.Is(err, memory.ErrInsufficient) || errors.Is(err, memory.ErrBusy) {
			m.t.Fatalf("%d bytes with %d of %d guaranteed: %v", least, guaranteed, m.limit, err)
		}
	case claimed+least > m.limit:
		m.steps.busy++
		if !errors.Is(err, memory.ErrBusy) {
			m.t.Fatalf("%d bytes with %d of %d taken: %v", least, claimed, m.limit, err)
		}
	case err != nil:
		m.t.Fatalf("%d bytes with %d of %d taken: %v", least, claimed, m.limit, err)
	default:
		m.shares = append(m.shares, s)
	}
}

func (m *shareModel) acquire(s *modelShare, size int) {
	after := s.used + int64(size)
	fits := after <= s.Bytes()
	allowed := m.claimed()+max(s.Min(), after)-max(s.Min(), s.used) <= m.limit
	seg, ok := s.Acquire(size)
	switch {
	case ok && !(fits && allowed):
		m.t.Fatalf("got %d bytes with %d of %d used and %d of %d taken", size, s.used, s.Bytes(), m.claimed(), m.limit)
	case ok:
		m.steps.granted++
		s.held = append(s.held, seg)
		s.used = after
		s.starving = false
	case fits && allowed && size == memory.MinBlock:
		m.t.Fatalf("refused %d bytes with %d of %d used and %d of %d taken", size, s.used, s.Bytes(), m.claimed(), m.limit)
	case fits && !allowed:
		m.steps.starved++
		s.starving, s.want = true, int64(size)
	default:
		m.steps.refused++
	}
}

// charge counts n bytes as in use by a reservation. What is wanted is there exactly if it is reserved, or guaranteed to nobody.
func (m *shareModel) charge(s *modelShare, n int64) {
	whole := (n + memory.MinBlock - 1) / memory.MinBlock * memory.MinBlock
	claim := max(s.Min(), s.used+whole) - max(s.Min(), s.used)
	ok := s.Charge(n)
	if want := claim == 0 || m.claimed()+claim <= m.limit; ok != want {
		m.t.Fatalf("charged: %v, %d bytes beside %d of %d reserved and %d of %d taken", ok, n, s.used, s.Min(), m.claimed(), m.limit)
	}
	if !ok {
		m.steps.over++
		return
	}
	m.steps.charged++
	s.used += whole
	s.charges = append(s.charges, n)
}

func (m *shareModel) discharge(s *modelShare, i int) {
	n := s.charges[i]
	s.charges = slices.Delete(s.charges, i, i+1)
	s.used -= (n + memory.MinBlock - 1) / memory.MinBlock * memory.MinBlock
	s.Discharge(n)
}

func (m *shareModel) release(s *modelShare, i int) {
	seg := s.held[i]
	s.held = slices.Delete(s.held, i, i+1)
	s.used -= int64(len(seg.Bytes()))
	s.Release(seg)
}

func (m *shareModel) close(i int) {
	s := m.shares[i]
	m.shares = slices.Delete(m.shares, i, i+1)
	m.closed = append(m.closed, s)
	s.starving = false
	s.Close()
}

// check looks at everything that must hold after every step.
func (m *shareModel) check() {
	m.t.Helper()
	var sizes, guaranteed, reserved, charged, used int64
	starving := 0
	for _, s := range m.shares {
		sizes += s.Bytes()
		guaranteed += s.Min()
		if s.heap {
			reserved += max(s.Min(), s.used)
			charged += s.used
		} else {
			used += s.used
		}
		if s.Used() != s.used || s.Bytes() < s.Min() || s.Bytes() > s.Max() {
			m.t.Fatalf("%d bytes are used, want %d; the size is %d, between %d and %d", s.Used(), s.used, s.Bytes(), s.Min(), s.Max())
		}
		if want := min(s.Bytes()-s.used, max(s.Min()-s.used, 0)+m.limit-m.claimed()); !s.heap && s.Room() != max(want, 0) {
			m.t.Fatalf("room for %d bytes, want %d", s.Room(), want)
		}
		if s.starving {
			starving++
			if s.Room() >= s.want {
				m.t.Fatalf("there are %d bytes for a share that was refused %d and not woken", s.Room(), s.want)
			}
		}
	}
	for _, s := range m.closed {
		if s.heap {
			reserved += s.used
			charged += s.used
		} else {
			used += s.used
		}
		if s.Used() != s.used || s.Bytes() != 0 || s.Room() != 0 {
			m.t.Fatalf("a closed share has %d bytes, holds %d, has room for %d", s.Bytes(), s.Used(), s.Room())
		}
	}
	used += bytesOf(m.direct)
	got := m.pool.Stats()
	if got.Used != used || got.Guaranteed != guaranteed || got.Reserved != reserved || got.Charged != charged || got.Shares != len(m.shares) || got.Starving < starving {
		m.t.Fatalf("%+v, want %d used, %d guaranteed, %d reserved, %d charged, %d shares, at least %d starving", got, used, guaranteed, reserved, charged, len(m.shares), starving)
	}
	if sizes > m.limit || guaranteed > m.limit || m.claimed() > m.limit || used+reserved > m.limit || got.Mapped > m.limit {
		m.t.Fatalf("%d bytes dealt, %d guaranteed, %d taken, %d used, %d reserved, %d mapped of %d",
			sizes, guaranteed, m.claimed(), used, reserved, got.Mapped, m.limit)
	}
	if len(m.closed) == 0 && len(m.direct) == 0 {
		var most int64
		for _, s := range m.shares {
			most += s.Max()
		}
		if want := min(m.limit, most); sizes != want {
			m.t.Fatalf("%d bytes dealt, want %d", sizes, want)
		}
	}
}

// guarantees takes the guarantees of all shares at once, and gives them back.
func (m *shareModel) guarantees() {
	m.t.Helper()
	var taken []func()
	for _, s := range m.shares {
		for !s.heap && s.Used() < s.Min() {
			seg, ok := s.Acquire(memory.MinBlock)
			if !ok {
				m.t.Fatalf("a share with %d of %d guaranteed bytes gets nothing", s.Used(), s.Min())
			}
			s.starving = false // it was refused a larger block
			taken = append(taken, func() { s.Release(seg) })
		}
	}
	for _, release := range taken {
		release()
	}
}

// step does what two bytes say.
func (m *shareModel) step(op, arg byte) {
	n := int(arg)
	switch op := op % 32; {
	case op < 15:
		if len(m.shares) > 0 {
			s := m.shares[n%len(m.shares)]
			if s.heap {
				m.charge(s, (int64(n)*m.limit>>10)+int64(op))
			} else {
				m.acquire(s, memory.MinBlock<<(op%6))
			}
		}
	case op < 21:
		if all := slices.Concat(m.shares, m.closed); len(all) > 0 {
			s := all[n%len(all)]
			if len(s.held) > 0 {
				m.release(s, int(op)%len(s.held))
			} else if len(s.charges) > 0 {
				m.discharge(s, int(op)%len(s.charges))
			}
			m.closed = slices.DeleteFunc(m.closed, func(s *modelShare) bool { return s.used == 0 })
		}
	case op < 25:
		blocks := m.limit / memory.MinBlock
		least := int64(n) % (blocks/3 + 2)
		m.open(least*memory.MinBlock, least*memory.MinBlock+int64(op-21)*m.limit/4, op == 21 && n%3 == 0)
	case op < 27:
		if len(m.shares) > 0 {
			m.close(n % len(m.shares))
			m.closed = slices.DeleteFunc(m.closed, func(s *modelShare) bool { return s.used == 0 })
		}
	case op < 28:
		size := memory.MinBlock << (n % 6)
		claimed := m.claimed()
		seg, ok := m.pool.Acquire(size)
		if ok && claimed+int64(size) > m.limit || !ok && n%6 == 0 && claimed < m.limit {
			m.t.Fatalf("%v for %d bytes without a share with %d of %d taken", ok, size, claimed, m.limit)
		}
		if ok {
			m.direct = append(m.direct, seg)
		}
	case op < 30:
		if len(m.direct) > 0 {
			i := n % len(m.direct)
			seg := m.direct[i]
			m.direct = slices.Delete(m.direct, i, i+1)
			m.pool.Release(seg)
		}
	default:
		m.guarantees()
	}
	m.check()
}

// end closes everything. Closed shares must have given everything back.
func (m *shareModel) end() {
	m.t.Helper()
	for len(m.shares) > 0 {
		m.close(0)
		m.check()
	}
	for _, s := range m.closed {
		for len(s.held) > 0 {
			m.release(s, 0)
		}
		for len(s.charges) > 0 {
			m.discharge(s, 0)
		}
	}
	for len(m.direct) > 0 {
		m.pool.Release(m.direct[0])
		m.direct = m.direct[1:]
	}
	m.closed = nil
	m.check()
	s := openShare(m.t, m.pool, m.limit, 0, nil)
	all := fillShare(s)
	if bytesOf(all) != m.limit {
		m.t.Fatalf("%d of %d bytes are there at the end", bytesOf(all), m.limit)
	}
	releaseAll(s, all)
}

func TestSharesRandom(t *testing.T) {
	var all shareModel
	for _, limit := range []int64{1, 2, 5, 31, 64, 100, 1000, 9<<10 + 37} {
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, uint64(limit)))
			m := newShareModel(t, limit*kib)
			for range 500 {
				m.step(byte(r.Uint32()), byte(r.Uint32()))
			}
			m.end()
			all.steps.granted += m.steps.granted
			all.steps.refused += m.steps.refused
			all.steps.starved += m.steps.starved
			all.steps.woken += m.steps.woken
			all.steps.busy += m.steps.busy
			all.steps.charged += m.steps.charged
			all.steps.over += m.steps.over
		}
	}
	if s := all.steps; s.granted < 100 || s.refused < 100 || s.starved < 50 || s.woken < 100 || s.busy < 10 || s.charged < 100 || s.over < 50 {
		t.Errorf("%+v: the schedules do not test much", s)
	}
}

// FuzzShares takes the limit from the first byte and a step from each two of the others.
func FuzzShares(f *testing.F) {
	f.Add([]byte{0, 23, 0, 0, 0})
	f.Add([]byte{15, 24, 2, 0, 0, 0, 0, 0, 0, 24, 3, 0, 1, 0, 1, 0, 1, 15, 0, 25, 0, 16, 1})
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) == 0 || len(ops) > 1<<10 {
			return
		}
		m := newShareModel(t, (int64(ops[0])+1)*kib)
		for ops = ops[1:]; len(ops) > 1; ops = ops[2:] {
			m.step(ops[0], ops[1])
		}
		m.end()
	})
}
