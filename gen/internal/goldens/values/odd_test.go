package values

import (
	"math"
	"net/netip"
	"testing"
)

// odd returns a value whose maps have keys that are not found by looking them up. Its NaNs are different keys with the same bits.
func odd() *Odd {
	nan := math.NaN()
	text, same := Text("key"), Text("key")
	return &Odd{
		Floats:   map[float64]string{nan: "a", -nan: "b", 1: "c", math.Copysign(0, -1): "d", math.NaN(): "a"},
		Structs:  map[ByFloat][]int8{{X: 1, T: &text}: {1}, {X: 1, T: &same}: {2}, {X: 1}: nil},
		Pointing: map[*Many]Nothing{nil: {}, {Name: "x"}: {}, {Name: "y"}: {}},
		Trees:    map[*Tree]Tree{{Name: "k", Left: &Tree{}}: {Name: "v"}},
		Codecs:   map[netip.Prefix]int8{netip.MustParsePrefix("10.0.0.0/8"): 1, netip.MustParsePrefix("10.0.0.0/9"): 2},
		Nothing:  map[Nothing]Nothing{{}: {}},
		Nested:   map[ByFloat]map[float32]int8{{X: 2}: {float32(nan): 1}, {X: 3}: {}},
	}
}

func TestOdd(t *testing.T) {
	var s OddSerializer
	changes := map[string]func(*Odd){
		"a value":                 func(v *Odd) { v.Floats[1] = "x" },
		"a key":                   func(v *Odd) { delete(v.Floats, 1); v.Floats[2] = "c" },
		"the sign of zero":        func(v *Odd) { delete(v.Floats, 0); v.Floats[0] = "d" },
		"the bits of a NaN":       func(v *Odd) { v.Structs[ByFloat{X: 1}] = []int8{} },
		"what a pointer leads to": func(v *Odd) { *anyKey(v.Structs).T = "other" },
		"a key behind a pointer":  func(v *Odd) { delete(v.Pointing, nil); v.Pointing[&Many{}] = Nothing{} },
		"a deep key": func(v *Odd) {
			for k := range v.Trees {
				k.Left.Left = &Tree{}
			}
		},
		"nothing":      func(v *Odd) { clear(v.Nothing) },
		"a codec":      func(v *Odd) { v.Codecs[netip.MustParsePrefix("10.0.0.0/8")] = 3 },
		"a nested map": func(v *Odd) { v.Nested[ByFloat{X: 3}][1] = 1 },
	}
	a, b := odd(), odd()
	if !s.Equal(a, b) || !s.Equal(b, a) || s.Hash(a) != s.Hash(b) {
		t.Fatal("two values are not equal")
	}
	clone := s.Clone(a)
	if !s.Equal(a, clone) || s.Hash(a) != s.Hash(clone) {
		t.Fatal("the clone is not equal")
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			c := s.Clone(a)
			change(c)
			if s.Equal(a, c) || s.Equal(c, a) || s.Hash(a) == s.Hash(c) {
				t.Error("nothing has changed")
			}
			if !s.Equal(a, b) {
				t.Error("the original has changed, too")
			}
		})
	}
	// One entry twice is not two entries.
	x := &Odd{Pointing: map[*Many]Nothing{{Name: "x"}: {}, {Name: "x"}: {}}}
	y := &Odd{Pointing: map[*Many]Nothing{{Name: "x"}: {}, {Name: "y"}: {}}}
	if s.Equal(x, y) || s.Equal(y, x) || !s.Equal(x, s.Clone(x)) {
		t.Error("entries are not counted")
	}
}

// anyKey returns a key with a pointer.
func anyKey(m map[ByFloat][]int8) ByFloat {
	for k := range m {
		if k.T != nil {
			return k
		}
	}
	return ByFloat{}
}
