package partition

// ring is a growing FIFO without allocation in steady state.
type ring[T any] struct {
	items []T // length is a power of two
	head  int
	n     int
}

func (r *ring[T]) len() int { return r.n }

func (r *ring[T]) push(v T) {
	if r.n == len(r.items) {
		items := make([]T, max(4, 2*len(r.items)))
		for i := range r.n {
			items[i] = *r.at(i)
		}
		r.items, r.head = items, 0
	}
	r.n++
	*r.at(r.n - 1) = v
}

// at returns the i-th item from the front. REQUIRES: 0 ≤ i < len.
func (r *ring[T]) at(i int) *T { return &r.items[(r.head+i)&(len(r.items)-1)] }

// pop removes the front. REQUIRES: len > 0.
func (r *ring[T]) pop() T {
	p := r.at(0)
	v := *p
	var zero T
	*p = zero
	r.head = (r.head + 1) & (len(r.items) - 1)
	r.n--
	return v
}
