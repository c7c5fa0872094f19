package writers

import (
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// A writer with a selection of its own takes no selector, not even one of the same kind, and leaves it to the writer that has it.
func TestNoSelector(t *testing.T) {
	byUser := selector.Key(func(v *Event) uint64 { return selector.HashString(v.User) })
	x := open(t, 1, 2)
	w, err := NewEventWriter(x.Partition(0), writer.WithSelector(byUser))
	if err != nil {
		t.Fatal(err)
	}
	y := open(t, 1, 2)
	if _, err := NewEventByUserWriter(y.Partition(0), writer.WithSelector(byUser)); err == nil || !strings.Contains(err.Error(), "takes no selector") {
		t.Errorf("got %v", err)
	}
	// It still is in use: nobody has released it.
	if _, err := NewEventWriter(y.Partition(0), writer.WithSelector(byUser)); err == nil {
		t.Error("one selector serves two writers")
	}
	if err := w.Emit(t.Context(), &Event{User: "a"}); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
