package record

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

// same reports whether two records are the same as far as the format goes: floats by their bits, nil and empty apart, times by their
// instants, maps by their entries, fields outside the format left out.
func same[T any](a, b *T) bool { return sameAt(reflect.TypeFor[T](), ptr(a), ptr(b)) }

func sameAt(rt reflect.Type, p, q ptr) bool {
	switch rt.Kind() {
	case reflect.String:
		return *(*string)(p) == *(*string)(q)
	case reflect.Pointer:
		p, q = *(*ptr)(p), *(*ptr)(q)
		if p == nil || q == nil {
			return p == q
		}
		return sameAt(rt.Elem(), p, q)
	case reflect.Slice:
		a, b := (*sliceHeader)(p), (*sliceHeader)(q)
		return (a.data == nil) == (b.data == nil) && a.len == b.len && sameElems(rt.Elem(), a.len, a.data, b.data)
	case reflect.Array:
		return sameElems(rt.Elem(), rt.Len(), p, q)
	case reflect.Interface:
		a, b := variable(rt, p), variable(rt, q)
		if a.IsNil() || b.IsNil() || a.Elem().Type() != b.Elem().Type() {
			return a.IsNil() && b.IsNil()
		}
		c, d := reflect.New(a.Elem().Type()), reflect.New(a.Elem().Type())
		c.Elem().Set(a.Elem())
		d.Elem().Set(b.Elem())
		return sameAt(a.Elem().Type(), c.UnsafePointer(), d.UnsafePointer())
	case reflect.Map:
		return sameMaps(variable(rt, p), variable(rt, q))
	case reflect.Struct:
		if rt == timeType {
			return (*(*time.Time)(p)).UTC().Round(0) == (*(*time.Time)(q)).UTC().Round(0)
		}
		for i := range rt.NumField() {
			f := rt.Field(i)
			if tag, _ := ParseTag(string(f.Tag)); tag.Skip || f.Name == "_" {
				continue
			}
			if !sameAt(f.Type, at(p, f.Offset), at(q, f.Offset)) {
				return false
			}
		}
		return true
	}
	return bytes.Equal(memory(p, int(rt.Size())), memory(q, int(rt.Size())))
}

func sameElems(rt reflect.Type, n int, p, q ptr) bool {
	if rt.Size() == 0 {
		return true // there may be many millions
	}
	for i := range n {
		if !sameAt(rt, elemAt(p, i, rt.Size()), elemAt(q, i, rt.Size())) {
			return false
		}
	}
	return true
}

// sameMaps pairs up the entries: keys need not be found by lookup, as NaN and pointers show.
func sameMaps(a, b reflect.Value) bool {
	if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
		return false
	}
	variableOf := func(v reflect.Value) ptr {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		return p.UnsafePointer()
	}
	var keys, elems []ptr
	for iter := b.MapRange(); iter.Next(); {
		keys, elems = append(keys, variableOf(iter.Key())), append(elems, variableOf(iter.Value()))
	}
entries:
	for iter := a.MapRange(); iter.Next(); {
		k, v := variableOf(iter.Key()), variableOf(iter.Value())
		for i := range keys {
			if keys[i] != nil && sameAt(a.Type().Key(), k, keys[i]) && sameAt(a.Type().Elem(), v, elems[i]) {
				keys[i] = nil
				continue entries
			}
		}
		return false
	}
	return true
}

// TestSame keeps the other tests honest: what they compare with must tell values apart.
func TestSame(t *testing.T) {
	type rec struct {
		F float32
		S []int
		M map[float64]string
		P *bool
		T time.Time
		X int `rw:"-"`
	}
	base := func() rec {
		return rec{F: 1, S: []int{1}, M: map[float64]string{1: "a", 2: "b"}, P: ref(true), T: time.Unix(1, 0)}
	}
	for name, tc := range map[string]struct {
		change func(*rec)
		want   bool
	}{
		"nothing":     {func(*rec) {}, true},
		"outside":     {func(r *rec) { r.X = 1 }, true},
		"location":    {func(r *rec) { r.T = r.T.In(time.FixedZone("", 3600)) }, true},
		"float":       {func(r *rec) { r.F = 2 }, false},
		"nil slice":   {func(r *rec) { r.S = nil }, false},
		"empty slice": {func(r *rec) { r.S = r.S[:0] }, false},
		"element":     {func(r *rec) { r.S[0] = 2 }, false},
		"nil map":     {func(r *rec) { r.M = nil }, false},
		"entry":       {func(r *rec) { r.M[2] = "c" }, false},
		"pointer":     {func(r *rec) { r.P = nil }, false},
		"pointed":     {func(r *rec) { *r.P = false }, false},
		"instant":     {func(r *rec) { r.T = r.T.Add(1) }, false},
	} {
		a, b := base(), base()
		tc.change(&b)
		if got := same(&a, &b); got != tc.want {
			t.Errorf("%s: same = %v", name, got)
		}
	}
}
