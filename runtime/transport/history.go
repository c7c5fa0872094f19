package transport

import "github.com/rwgen/rwgen/runtime/transport/internal/message"

// history remembers the processes that were let in most lately, so that one whose place was taken by a newer one of its name is told from one that is newer still. The zero value is empty.
type history struct {
	seen   map[process]bool
	newest map[string]message.Incarnation // of each name
	order  []process                      // a ring
	next   int                            // of order, which is forgotten next when that is full
}

// process is one incarnation of a name.
type process struct {
	name        string
	incarnation message.Incarnation
}

// historyLength is how many processes are remembered.
const historyLength = 4096

// superseded reports whether a process was let in before another one of its name was.
func (h *history) superseded(p process) bool { return h.seen[p] && h.newest[p.name] != p.incarnation }

// add notes that a process was let in.
func (h *history) add(p process) {
	if h.seen[p] {
		return
	}
	if h.seen == nil {
		h.seen, h.newest = make(map[process]bool), make(map[string]message.Incarnation)
	}
	if len(h.order) < historyLength {
		h.order = append(h.order, p)
	} else {
		old := h.order[h.next]
		delete(h.seen, old)
		if h.newest[old.name] == old.incarnation {
			delete(h.newest, old.name)
		}
		h.order[h.next] = p
		h.next = (h.next + 1) % historyLength
	}
	h.seen[p], h.newest[p.name] = true, p.incarnation
}
