package recursive

import (
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// What is too deep in a map may be met by Size before the other entries, and by Put after them, where the room ends: whoever writes the record is told the reason all the same.
func TestTooDeepBesideOthers(t *testing.T) {
	deep := Tree{}
	for range record.DefaultMaxDepth + 1 {
		deep = Tree{ByName: map[string]Tree{"": deep}}
	}
	wide := Tree{Children: make([]Tree, 5000)}
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewForestWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 { // each time the order of a map is another one
		v := Tree{ByName: map[string]Tree{"deep": deep, "wide": wide, "wider": wide}}
		if b, err := (TreeSerializer{}).Append([]byte("dst"), &v); !errors.Is(err, wire.ErrDepth) || string(b) != "dst" {
			t.Fatalf("Append: %d bytes, %v", len(b), err)
		}
		f := Forest{Trees: []Tree{v}}
		if err := w.Emit(t.Context(), &f); !errors.Is(err, wire.ErrDepth) {
			t.Fatalf("Emit: %v", err)
		}
		if full, err := w.TryEmit(&f); full != -1 || !errors.Is(err, wire.ErrDepth) {
			t.Fatalf("TryEmit: %d, %v", full, err)
		}
		if err := w.Broadcast(t.Context(), &f); !errors.Is(err, wire.ErrDepth) {
			t.Fatalf("Broadcast: %v", err)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
