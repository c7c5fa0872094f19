package memory

import "fmt"

// Charge counts n more bytes of memory that comes from elsewhere, such as the Go heap, as in use by a reservation ([Pool.Reserve]). What is reserved can be charged at any time, whatever others do;
// more only out of what nobody is guaranteed, like [Pool.Acquire]. n is rounded up to a multiple of [MinBlock]. It never waits: it returns false, and changes nothing, if there is not so much, if
// n is negative, if the share or the pool is closed, or if the share is no reservation.
func (s *Share) Charge(n int64) bool {
	p := s.pool
	if n < 0 || n > p.limit { // the sums below cannot overflow
		return false
	}
	n = roundUp(n)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || s.closed.Load() || !s.heap {
		return false
	}
	used := s.used.Load()
	claim := max(s.min, used+n) - max(s.min, used)
	if claim > p.limit-p.claimed.Load() && claim > 0 {
		return false
	}
	s.used.Store(used + n)
	p.charged += n
	if claim > 0 {
		p.claimed.Add(claim)
		p.reserved += claim
		p.trim()
	}
	return true
}

// Discharge takes back n bytes of a Charge, also after Close. n is rounded up as there; it panics if less is charged, or if n is negative.
func (s *Share) Discharge(n int64) { wake(s.pool.discharge(s, n)) }

// discharge is Discharge. It returns who has to be woken.
func (p *Pool) discharge(s *Share, n int64) []*Share {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !s.heap || n < 0 || n > s.used.Load() {
		panic(fmt.Sprintf("memory: %d bytes discharged of a share that holds %d", n, s.used.Load()))
	}
	n = roundUp(n) // what is held is a multiple of MinBlock too
	p.charged -= n
	return p.shrink(s, n)
}

func roundUp(n int64) int64 { return (n + MinBlock - 1) &^ (MinBlock - 1) }
