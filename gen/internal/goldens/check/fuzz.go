package check

import (
	"reflect"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
)

// Fuzz reads arbitrary bytes with a generated serializer and the reflective one. They must agree on whether the bytes are a record, and on which; what
// was read must be written as the same bytes again unless there are maps or methods of others, which read more than they write. If they are none, they say so of the same place.
func Fuzz[T any](f *testing.F, ser record.Serializer[T], opts ...Option) {
	w := newWorld(opts)
	ref, err := record.Reflect[T](w.reflect...)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(nil))
	for _, v := range Random[T](8, opts...) {
		b, err := ser.Append(nil, &v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	used := new(T)
	f.Fuzz(func(t *testing.T, src []byte) {
		limits := record.Limits{MaxAllocBytes: 1 << 20, MaxDepth: 50}
		var byGen, byRef T
		n, err := ser.ConsumeLimits(src, &byGen, limits)
		m, refErr := ref.ConsumeLimits(src, &byRef, limits)
		if n != m || !sameError(err, refErr) {
			t.Fatalf("generated %d, %v\nreflected %d, %v", n, err, m, refErr)
		}
		usedN, usedErr := ser.ConsumeLimits(src, used, limits)
		if (usedErr == nil) != (err == nil) || err == nil && usedN != n {
			t.Fatalf("into a used variable %d, %v, into a fresh one %d, %v", usedN, usedErr, n, err)
		}
		if err != nil {
			return
		}
		for what, v := range map[string]*T{"reflected": &byRef, "used": used} {
			if d := w.difference(reflect.ValueOf(&byGen).Elem(), reflect.ValueOf(v).Elem()); d != "" {
				t.Fatalf("%s: values differ: %s", what, d)
			}
		}
		b, err := ser.Append(nil, &byGen)
		if err == nil && (len(w.makers) > 0 || w.several(reflect.ValueOf(&byGen).Elem(), true)) {
			// Methods of others may read what they do not write, such as a text in two forms, and sorted maps are read in any order. What was written is what counts then.
			var again T
			if n, err = ser.ConsumeLimits(b, &again, limits); err != nil {
				t.Fatalf("read %x\nwrote %x, which is no record: %v", src, b, err)
			}
			if d := w.difference(reflect.ValueOf(&byGen).Elem(), reflect.ValueOf(&again).Elem()); d != "" {
				t.Fatalf("what is written has another value: %s", d)
			}
			byGen, src = again, b
			b, err = ser.Append(nil, &byGen)
		}
		if err != nil || len(b) != n {
			t.Fatalf("writing again gives %d of %d bytes, %v", len(b), n, err)
		}
		if !w.multi(reflect.ValueOf(&byGen).Elem()) && string(b) != string(src[:n]) {
			t.Fatalf("read %x\nwrote %x", src[:n], b)
		}
	})
}
