package values

import (
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
)

// chain returns a list of n trees, whose last one leads on to end.
func chain(n int, end *Tree) *Tree {
	for range n {
		end = &Tree{Name: "link", Left: end}
	}
	return end
}

// What is nested too deeply to be written is equal to nothing, and has no copy. Nothing runs for ever.
func TestDepth(t *testing.T) {
	var s TreeSerializer
	cycle := &Tree{Name: "cycle"}
	cycle.Left, cycle.Again.Tree = cycle, cycle
	cycle.Children = []Tree{*cycle}
	cycle.Shape = cycle
	inShape := &Tree{}
	inShape.Shape = inShape
	values := map[string]*Tree{
		"cyclic":             cycle,
		"through a union":    inShape,
		"one level too many": chain(record.DefaultMaxDepth-1, nil).up(),
	}
	for name, v := range values {
		t.Run(name, func(t *testing.T) {
			if s.Equal(v, v) {
				t.Error("equal")
			}
			if s.Clone(v) != nil {
				t.Error("there is a clone")
			}
			if first := s.Hash(v); first != s.Hash(v) {
				t.Error("two hashes")
			}
			if _, err := s.Append(nil, v); err == nil {
				t.Error("can be written")
			}
			s.Reset(v)
			if v.Name != "" || v.Left != nil || v.Again.Tree != nil || v.Shape != nil || len(v.Children) != 0 {
				t.Errorf("%v after Reset", v)
			}
		})
	}
	deepest := chain(record.DefaultMaxDepth-1, nil) // the struct without a name is a level as well
	if _, err := s.Append(nil, deepest); err != nil {
		t.Fatal(err)
	}
	if c := s.Clone(deepest); c == nil || !s.Equal(deepest, c) || s.Hash(deepest) != s.Hash(c) {
		t.Error("the deepest value has no clone")
	}
}

// up returns a tree with t one level down.
func (t *Tree) up() *Tree { return &Tree{Children: []Tree{*t}} }

// What has no encoding has no copy and is equal to nothing, but for nil pointers, which are members of their unions.
func TestNoEncoding(t *testing.T) {
	var s DrawingSerializer
	alien := &Drawing{Any: int64(1)}
	first := s.Hash(alien)
	if s.Equal(alien, alien) || s.Clone(alien) != nil || first != s.Hash(alien) {
		t.Error("a value of no member")
	}
	if s.Equal(&Drawing{}, alien) || s.Equal(alien, &Drawing{}) || s.Equal(&Drawing{Any: int32(1)}, alien) {
		t.Error("a value of no member is equal to one of a member")
	}
	empty := &Drawing{Any: (*Square)(nil)}
	if c := s.Clone(empty); c == nil || c.Any != Plain((*Square)(nil)) || !s.Equal(empty, c) || s.Hash(empty) != s.Hash(c) {
		t.Error("a nil pointer")
	}
	if s.Equal(empty, &Drawing{}) || s.Equal(empty, &Drawing{Any: &Square{}}) || s.Equal(&Drawing{Any: &Square{}}, empty) {
		t.Error("a nil pointer is equal to other values")
	}
}
