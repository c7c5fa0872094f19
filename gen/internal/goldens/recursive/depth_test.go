package recursive

import (
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// list returns a list of n nodes.
func list(n int) *List {
	var l *List
	for range n {
		l = &List{Value: int32(n), Next: l}
	}
	return l
}

// loop returns a Loop that is n levels deep, two of them for each unnamed struct on the way.
func loop(n int) *Loop {
	l := &Loop{}
	for range n {
		l = &Loop{Steps: []struct {
			Name string
			Into *Loop
		}{{"s", l}}}
	}
	return l
}

func reflected[T any](t *testing.T) record.Serializer[T] {
	t.Helper()
	ref, err := record.Reflect[T]()
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// atLimit tests that both serializers draw the line at the same value: ok is the deepest value that passes.
func atLimit[T any](t *testing.T, gen record.Serializer[T], ok, deeper *T) {
	t.Helper()
	for name, s := range map[string]record.Serializer[T]{"generated": gen, "reflected": reflected[T](t)} {
		b, err := s.Append(nil, ok)
		if err != nil {
			t.Fatalf("%s: at the limit: %v", name, err)
		}
		var v T
		if n, err := s.Consume(b, &v); n != len(b) || err != nil {
			t.Errorf("%s: reading at the limit: %d, %v", name, n, err)
		}
		if _, err := s.ConsumeLimits(b, &v, record.Limits{MaxDepth: record.DefaultMaxDepth - 1}); !errors.Is(err, wire.ErrDepth) {
			t.Errorf("%s: reading with one level less: %v", name, err)
		}
		dst := []byte("keep")
		got, err := s.Append(dst, deeper)
		if !errors.Is(err, wire.ErrDepth) || !errors.Is(err, wire.ErrLimit) || string(got) != "keep" {
			t.Errorf("%s: beyond the limit: %q, %v", name, got, err)
		}
		if _, err := s.Put(make([]byte, s.Size(deeper)), deeper); !errors.Is(err, wire.ErrDepth) {
			t.Errorf("%s: Put of what is too deep into as many bytes as Size says: %v", name, err)
		}
	}
}

func TestDepthLimit(t *testing.T) {
	const most = record.DefaultMaxDepth
	t.Run("List", func(t *testing.T) { atLimit(t, ListSerializer{}, list(most), list(most+1)) })
	t.Run("Forest", func(t *testing.T) {
		atLimit(t, ForestSerializer{}, &Forest{First: list(most)}, &Forest{First: list(most + 1)})
	})
	t.Run("Loop", func(t *testing.T) {
		// The last Loop has an unnamed struct in it as well.
		atLimit(t, LoopSerializer{}, loop(most/2-1), loop(most/2))
	})
	t.Run("Even", func(t *testing.T) {
		atLimit(t, EvenSerializer{}, even(most), even(most+1))
	})
}

// even returns a value that is n levels deep, Even and Odd in turn.
func even(n int) *Even {
	e := &Even{Next: &Odd{}}
	if n%2 == 1 {
		e = &Even{}
	}
	for n -= 2; n > 0; n -= 2 {
		e = &Even{Next: &Odd{Next: []Even{*e}}}
	}
	return e
}

// Cyclic data is an error, also where following it breadth-first would never end.
func TestCycles(t *testing.T) {
	l := &List{}
	l.Next = l
	cyclic(t, "List", ListSerializer{}, l)

	tree := &Tree{Children: make([]Tree, 2)}
	up := &tree
	tree.Children[0].Parent, tree.Children[1].Parent = up, up
	cyclic(t, "Tree", TreeSerializer{}, tree)

	p := &Person{Name: "p"}
	p.Kids = Kids{p, p, p}
	p.Best = &Friend{Who: *p}
	cyclic(t, "Person", PersonSerializer{}, p)

	lp := &Loop{}
	lp.Once.Again = lp
	cyclic(t, "Loop", LoopSerializer{}, lp)
	cyclic(t, "Forest", ForestSerializer{}, &Forest{First: l, Trees: []Tree{*tree}})
}

func cyclic[T any](t *testing.T, name string, s record.Serializer[T], v *T) {
	t.Helper()
	if got, err := s.Append(nil, v); !errors.Is(err, wire.ErrDepth) || got != nil {
		t.Errorf("%s: Append = %x, %v", name, got, err)
	}
	// Making the room that Size asks for, as writers do, must lead to the same error.
	if _, err := s.Put(make([]byte, s.Size(v)), v); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("%s: Put: %v", name, err)
	}
}

// The path of an error deep inside is there, and short.
func TestDeepErrorPath(t *testing.T) {
	b, err := ListSerializer{}.Append(nil, list(900))
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-5] = 0xfe // presence bits of the last node
	var v List
	_, err = ListSerializer{}.Consume(b, &v)
	var e *wire.Error
	if !errors.As(err, &e) || !errors.Is(err, wire.ErrCorrupt) || e.Offset != len(b)-5 || len(e.Path) > 400 {
		t.Errorf("%v", err)
	}
}
