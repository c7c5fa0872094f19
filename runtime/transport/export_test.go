package transport

// Landings returns how many bytes of a budget records have arrived in, or are about to, beside what is set aside.
func (b *Budget) Landings() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ledger.Landing()
}

// LandAlways makes a client read into landings whenever there is memory for that, also from connections that are not busy.
func (c *Config) LandAlways() { c.busyBytes = 1 }

// Waiting returns how many OPENs wait for partitions that are not there.
func (r *Registry) Waiting() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, all := range r.waiting {
		n += len(all)
	}
	return n
}
