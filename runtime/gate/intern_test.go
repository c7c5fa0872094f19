package gate_test

import (
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// TestSpecIntern checks who has a place for strings: readers of records that ask for it, each its own unless it was given one.
func TestSpecIntern(t *testing.T) {
	n := newNet(t, 1, 3)
	defer n.close()
	given := wire.NewInterner(1 << 10)
	interner := func(consumer int, limits record.Limits, intern bool) *wire.Interner {
		c, err := gate.NewCore(n.gate(gate.Config{Limits: limits}, consumer), gate.Spec{Record: "R", Intern: intern})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.Limits().Interner()
	}
	if in := interner(0, record.Limits{}, false); in != nil {
		t.Error("an interner that nobody asked for")
	}
	if in := interner(1, record.Limits{}, true); in == nil || in == given {
		t.Error("no interner")
	}
	if in := interner(2, record.Limits{}.WithInterner(given), true); in != given {
		t.Error("not the interner that was given")
	}
}
