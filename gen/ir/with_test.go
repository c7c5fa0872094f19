package ir_test

import (
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/ir"
)

func TestWith(t *testing.T) {
	var all ir.With
	for _, name := range ir.Withs() {
		w, ok := ir.ParseWith(name)
		if !ok || w.String() != name || all.Has(w) {
			t.Errorf("%s: %v, %v", name, w, ok)
		}
		all |= w
	}
	if got := all.String(); got != strings.Join(ir.Withs(), ",") || !all.Has(ir.WithEqual|ir.WithBinary) {
		t.Errorf("all: %s", got)
	}
	if w, ok := ir.ParseWith("equals"); ok || w != 0 || w.String() != "" {
		t.Errorf("equals: %v, %v", w, ok)
	}
}
