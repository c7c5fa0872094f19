package memory

// RefuseMapping makes the system refuse more memory, until it is called with nil.
func (p *Pool) RefuseMapping(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.newSlab = newSlab
	if err != nil {
		p.newSlab = func(int) ([]byte, error) { return nil, err }
	}
}
