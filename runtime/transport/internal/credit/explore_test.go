package credit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"
)

// explorer searches all states of a system, breadth first. It checks every state, that no state but a final one is without a move that must be made, and that such moves never lead in a circle: then every run in which
// nothing more breaks ends in a final state, in whatever order things happen.
type explorer struct {
	t     *testing.T
	name  string
	ids   map[xxh3.Uint128]int32
	from  []int32   // the state from which one was reached first
	move  []uint16  // by which of its moves
	next  [][]int32 // by moves that must be made
	start *system
	final int
}

// maxStates is more than any scenario has; with longer streams there are more.
const maxStates = 1 << 18

// explore returns the number of states.
func explore(t *testing.T, name string, start *system, limit int) int {
	e := &explorer{t: t, name: name, ids: map[xxh3.Uint128]int32{}, start: start}
	type entry struct {
		s  *system
		id int32
	}
	var layer, coming []entry
	add := func(s *system, from int32, move int) int32 {
		key := s.key()
		id, known := e.ids[key]
		if !known {
			id = int32(len(e.from))
			e.ids[key] = id
			e.from, e.move, e.next = append(e.from, from), append(e.move, uint16(move)), append(e.next, nil)
			if err := s.check(); err != nil {
				e.fail(id, err.Error())
			}
			coming = append(coming, entry{s, id})
		}
		return id
	}
	add(start, -1, 0)
	for len(coming) > 0 {
		if len(e.from) > limit {
			e.fail(coming[0].id, "too many states")
		}
		layer, coming = coming, nil
		for _, at := range layer {
			moves := at.s.moves()
			var must []int32
			for i, m := range moves {
				to := at.s.clone()
				if err := to.apply(m); err != nil {
					e.fail(at.id, fmt.Sprintf("%v: %v", m, err))
				}
				if err := to.after(at.s); err != nil {
					e.fail(at.id, fmt.Sprintf("%v: %v", m, err))
				}
				id := add(to, at.id, i)
				if !m.optional() {
					must = append(must, id)
				}
			}
			switch final := at.s.final(); {
			case final:
				e.final++
			case len(must) == 0:
				e.fail(at.id, "nothing can happen, and it is not the end: a deadlock")
			}
			e.next[at.id] = must
		}
	}
	if e.final == 0 {
		t.Fatalf("%s: no final state among %d", name, len(e.from))
	}
	e.circles()
	return len(e.from)
}

// circles fails if moves that must be made lead in a circle: states are taken away as long as there is one that no other leads to.
func (e *explorer) circles() {
	into := make([]int32, len(e.next))
	for _, to := range e.next {
		for _, id := range to {
			into[id]++
		}
	}
	var free []int32
	for id, n := range into {
		if n == 0 {
			free = append(free, int32(id))
		}
	}
	taken := 0
	for len(free) > 0 {
		id := free[len(free)-1]
		free = free[:len(free)-1]
		taken++
		for _, to := range e.next[id] {
			if into[to]--; into[to] == 0 {
				free = append(free, to)
			}
		}
	}
	if taken == len(e.next) {
		return
	}
	for id, n := range into {
		if n > 0 {
			e.fail(int32(id), "moves lead in a circle from here, or to here")
		}
	}
}

// fail tells how a state was reached.
func (e *explorer) fail(id int32, what string) {
	e.t.Helper()
	var path []uint16
	for at := id; e.from[at] >= 0; at = e.from[at] {
		path = append(path, e.move[at])
	}
	var b strings.Builder
	s := e.start.clone()
	for i := len(path) - 1; i >= 0; i-- {
		m := s.moves()[path[i]]
		if err := s.apply(m); err != nil {
			break
		}
		fmt.Fprintf(&b, "\t%v\n", m)
	}
	e.t.Fatalf("%s: %s\nafter\n%sthere is\n%v", e.name, what, b.String(), s)
}
