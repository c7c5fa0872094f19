package transport

import (
	"fmt"
	"testing"

	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

func TestHistory(t *testing.T) {
	var h history
	at := func(name string, i byte) process { return process{name, message.Incarnation{i}} }
	h.add(at("a", 1))
	h.add(at("b", 1))
	h.add(at("a", 2))
	h.add(at("a", 1)) // nothing new
	for p, want := range map[process]bool{at("a", 1): true, at("a", 2): false, at("a", 3): false, at("b", 1): false} {
		if got := h.superseded(p); got != want {
			t.Errorf("%v: %v", p, got)
		}
	}
	for i := range 3 * historyLength {
		h.add(process{fmt.Sprint(i), message.Incarnation{}})
	}
	if len(h.seen) != historyLength || len(h.newest) != historyLength || len(h.order) != historyLength || h.superseded(at("a", 1)) {
		t.Errorf("%d, %d and %d are remembered", len(h.seen), len(h.newest), len(h.order))
	}
}
