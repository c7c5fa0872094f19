package roundtrip

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// values is the number of random values that a serializer is tested with.
const values = 40

// test tests one serializer: against the reflective one, if the format is native.
func test[T any](t *testing.T, s *Suite, ser record.Serializer[T]) {
	if !native(ser) {
		testForeign(t, s, ser)
		return
	}
	// Former names of a record are in a directive or in a schema file, and cannot be seen from its type.
	ref, err := record.Reflect[T](append(slices.Clip(s.options), record.Alias(formerNames(ser.Schema())...))...)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ser.Schema(), ref.Schema(); got != want {
		t.Fatalf("the schemas differ:\ngenerated %+v\nreflected %+v", got, want)
	}
	n, written := values, 0
	if testing.Short() {
		n /= 4
	}
	local := reflect.TypeFor[T]().PkgPath()
	used := new(T)
	for seed := range uint64(n) {
		c := &checker[T]{
			T: t, ser: ser, ref: ref, used: used, rng: rand.New(rand.NewPCG(seed, 1)),
			comparer: comparer{&s.types, local}, filler: filler{knowledge: &s.types, local: local, left: 3, wild: seed%4 == 3},
		}
		c.filler.rng = c.rng
		if c.value(seed > 0) {
			written++
		}
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
	if written == 0 {
		t.Errorf("none of %d values could be written", n)
	}
}

// formerNames returns the aliases of the record itself that a schema tells to readers.
func formerNames(s record.Schema) []string {
	first, _, _ := strings.Cut(s.Reading, ";")
	name, aliases, ok := strings.Cut(first, " alias=")
	if !ok || strings.Contains(name, ".") { // a field
		return nil
	}
	return strings.Split(aliases, "|")
}

type checker[T any] struct {
	*testing.T
	comparer comparer
	filler   filler
	ser, ref record.Serializer[T]
	rng      *rand.Rand
	used     *T // holds the last value read into it
}

// value tests one value, the zero one or a random one, and reports whether it could be written.
func (c *checker[T]) value(random bool) bool {
	v := new(T)
	if random {
		c.filler.fill(reflect.ValueOf(v).Elem())
	}
	multi := c.comparer.multi(reflect.ValueOf(v).Elem())
	b, err := c.ser.Append(nil, v)
	want, refErr := c.ref.Append(nil, v)
	if err != nil || refErr != nil {
		if (err == nil) != (refErr == nil) || !multi && class(err) != class(refErr) {
			c.Errorf("Append: generated %v, reflected %v", err, refErr)
		}
		if _, err := c.ser.Put(make([]byte, max(0, c.ser.Size(v))), v); err == nil {
			c.Error("Put writes what Append does not")
		}
		return false
	}
	if !multi && !bytes.Equal(b, want) {
		c.Errorf("bytes differ\ngenerated %x\nreflected %x", b, want)
	}
	if n, m := c.ser.Size(v), c.ref.Size(v); n != len(b) || m != len(b) {
		c.Errorf("Size is %d, the reflective one %d, Append wrote %d bytes", n, m, len(b))
	}
	c.put(v, len(b))
	c.reading(v, b, want)
	c.helpers(v, b, multi)
	c.truncated(b)
	c.damaged(b)
	return true
}

// put tests that Put writes where there is room, and nothing where there is none.
func (c *checker[T]) put(v *T, size int) {
	for _, room := range append(c.shorter(size), size) {
		dst := bytes.Repeat([]byte{0xa5}, size+8)
		n, err := c.ser.Put(dst[:room:room], v)
		switch {
		case room == size && (n != size || err != nil):
			c.Errorf("Put into %d bytes = %d, %v", size, n, err)
		case room < size && err != wire.ErrShort:
			c.Errorf("Put into %d of %d bytes: %v, want ErrShort", room, size, err)
		}
		if !bytes.Equal(dst[room:], bytes.Repeat([]byte{0xa5}, size+8-room)) {
			c.Errorf("Put into %d of %d bytes wrote beyond them", room, size)
		}
	}
}

// reading tests that what either serializer wrote is read as the value by both.
func (c *checker[T]) reading(v *T, b, reflected []byte) {
	for _, r := range []struct {
		what string
		ser  record.Serializer[T]
		src  []byte
		into *T
	}{
		{"Consume", c.ser, b, new(T)},
		{"Consume of what the reflective serializer wrote", c.ser, reflected, new(T)},
		{"Consume into a used variable", c.ser, b, c.used},
		{"reflective Consume", c.ref, b, new(T)},
	} {
		src := bytes.Clone(r.src) // decoded values may share its memory
		n, err := r.ser.Consume(src, r.into)
		if n != len(src) || err != nil {
			c.Errorf("%s of %d bytes = %d, %v", r.what, len(src), n, err)
			continue
		}
		c.same(r.what, v, r.into)
	}
}

func (c *checker[T]) same(what string, want, got *T) {
	if d := c.comparer.diff("", reflect.ValueOf(want).Elem(), reflect.ValueOf(got).Elem()); d != "" {
		c.Errorf("%s: values differ: %s", what, d)
	}
}

// truncated tests that no beginning of a record passes for a record.
func (c *checker[T]) truncated(b []byte) {
	for _, n := range c.shorter(len(b)) {
		for what, ser := range map[string]record.Serializer[T]{"Consume": c.ser, "reflective Consume": c.ref} {
			if m, err := ser.Consume(bytes.Clone(b[:n]), new(T)); !errors.Is(err, wire.ErrTruncated) || m != 0 {
				c.Errorf("%s of %d of %d bytes = %d, %v, want ErrTruncated", what, n, len(b), m, err)
			}
		}
	}
}

// damaged tests that both serializers agree on whether bytes are a record, and which.
func (c *checker[T]) damaged(b []byte) {
	if len(b) == 0 {
		return
	}
	for range min(20, 1+20_000/len(b)) {
		src := bytes.Clone(b)
		i := c.rng.IntN(len(src))
		switch c.rng.IntN(4) {
		case 0:
			src[i] ^= 1 << c.rng.IntN(8)
		case 1:
			src[i] = byte(c.rng.Uint32())
		case 2:
			src[i] = [...]byte{0, 1, 0x7f, 0x80, 0xff}[c.rng.IntN(5)]
		case 3:
			src = append(src[:i], src[min(len(src), i+1+c.rng.IntN(4)):]...)
		}
		limits := record.Limits{MaxAllocBytes: 1 << 20}
		var byGen, byRef T
		n, err := c.ser.ConsumeLimits(bytes.Clone(src), &byGen, limits)
		m, refErr := c.ref.ConsumeLimits(bytes.Clone(src), &byRef, limits)
		if (err == nil) != (refErr == nil) || n != m {
			c.Fatalf("damaged bytes %x:\ngenerated %d, %v\nreflected %d, %v", src, n, err, m, refErr)
		}
		if err == nil {
			c.same(fmt.Sprintf("Consume of damaged bytes %x", src), &byRef, &byGen)
		}
	}
}

// shorter returns lengths below size: all of them, or some of many.
func (c *checker[T]) shorter(size int) []int {
	var list []int
	if size <= 200 {
		for n := range size {
			list = append(list, n)
		}
		return list
	}
	for range 10 + 4000/size {
		list = append(list, c.rng.IntN(size))
	}
	return append(list, 0, size-1)
}

// class returns the sentinels that a writing error is, in words.
func class(err error) string {
	var is []string
	for _, sentinel := range []error{wire.ErrLimit, wire.ErrDepth, wire.ErrUTF8, wire.ErrRange, wire.ErrMember, wire.ErrNil} {
		if errors.Is(err, sentinel) {
			is = append(is, sentinel.Error())
		}
	}
	return strings.Join(is, ", ")
}
