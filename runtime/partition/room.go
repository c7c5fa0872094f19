package partition

// roomFor returns a channel that is closed when the events in the queue leave room for one of so many bytes, or the writer must not wait any more. There is one writer, hence one such channel at a time.
func (s *Subpartition) roomFor(bytes int) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.room == nil {
		s.room = make(chan struct{})
	}
	c := s.room
	s.lack = int32(bytes)
	s.tellRoom()
	return c
}

// tellRoom wakes a writer that waits for room for an event, if there is some. REQUIRES: mu held.
func (s *Subpartition) tellRoom() {
	if s.room != nil && (s.left || s.events+s.lack <= MaxEventBytes) {
		close(s.room)
		s.room = nil
	}
}

// wakeForEvents wakes a writer that waits for room for an event in any case.
func (s *Subpartition) wakeForEvents() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.room != nil {
		close(s.room)
		s.room = nil
	}
}
