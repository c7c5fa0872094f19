package buffer

// Kept returns how many Buffers are kept to be used again.
func (p *LocalPool) Kept() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.free)
}
