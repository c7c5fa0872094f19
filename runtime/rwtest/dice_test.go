package rwtest

import "testing"

// TestDice: inside the bounds, all of them, and different places have different dice.
func TestDice(t *testing.T) {
	d := newDice(1, []string{"a"}, 1)
	seen := map[int64]int{}
	for range 1000 {
		seen[d.between(3, 5)]++
	}
	if len(seen) != 3 || seen[3] < 250 || seen[4] < 250 || seen[5] < 250 {
		t.Errorf("got %v", seen)
	}
	if n := d.between(7, 7); n != 7 {
		t.Errorf("got %d", n)
	}
	if d.happens(0) || !d.happens(1) {
		t.Error("what happens never does, or what happens always does not")
	}
	first := map[uint64]bool{}
	for _, d := range []dice{
		newDice(1, []string{"a", "b"}), newDice(2, []string{"a", "b"}), newDice(1, []string{"ab"}), newDice(1, []string{"b", "a"}),
		newDice(1, []string{"a", "b"}, 0), newDice(1, []string{"a", "b"}, 1), newDice(1, []string{"a", "b"}, 0, 1), newDice(1, []string{"a", "b"}, 1, 0),
	} {
		first[d.source.Uint64()] = true
	}
	if len(first) != 8 {
		t.Errorf("only %d of 8 differ", len(first))
	}
}
