package transport

// Landings returns how many bytes of a budget records have arrived in, or are about to, beside what is set aside.
func (b *Budget) Landings() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ledger.Landing()
}

// LandAlways makes a client read into landings whenever there is memory for that, also from connections that are not busy.
func (c *Config) LandAlways() { c.busyBytes = 1 }
