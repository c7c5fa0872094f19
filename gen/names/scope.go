package names

import "strconv"

// Scope is a set of identifiers that are taken, within those of the scopes around it. The zero Scope is not usable: see [NewScope].
// A Scope is for one goroutine at a time.
type Scope struct {
	parent *Scope
	taken  map[string]bool
}

// NewScope returns an outermost scope, in which Go's keywords, its predeclared names and the blank identifier are taken.
func NewScope() *Scope { return &Scope{taken: map[string]bool{}} }

// Child returns a new scope inside s. What is taken in s, also later, is taken in the child; names of the child are free again
// in its siblings.
func (s *Scope) Child() *Scope { return &Scope{parent: s, taken: map[string]bool{}} }

// Reserve makes names taken in s. Names that are taken already stay so.
func (s *Scope) Reserve(names ...string) {
	for _, name := range names {
		s.taken[name] = true
	}
}

// Taken reports whether name cannot be handed out in s.
func (s *Scope) Taken(name string) bool {
	if Reserved(name) {
		return true
	}
	for ; s != nil; s = s.parent {
		if s.taken[name] {
			return true
		}
	}
	return false
}

// Claim takes name and reports whether it was free.
func (s *Scope) Claim(name string) bool {
	if s.Taken(name) {
		return false
	}
	s.taken[name] = true
	return true
}

// Pick takes the first candidate that is free and returns it. If none is, it takes the first candidate with the smallest number
// from 2 that makes it free. It panics without a candidate.
func (s *Scope) Pick(candidates ...string) string {
	for _, name := range candidates {
		if s.Claim(name) {
			return name
		}
	}
	for n := 2; ; n++ {
		if name := candidates[0] + strconv.Itoa(n); s.Claim(name) {
			return name
		}
	}
}
