package roundtrip

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// native says that a serializer writes the format that the reflective serializer knows.
func native[T any](ser record.Serializer[T]) bool {
	return strings.HasPrefix(ser.Schema().Text, "rwgen/")
}

// testForeign tests a serializer of another format. A value may lose something when it is first written, such as the nanoseconds that a schema has no room for, and
// nothing after that.
func testForeign[T any](t *testing.T, s *Suite, ser record.Serializer[T]) {
	rng := rand.New(rand.NewPCG(0, 2))
	for _, v := range Sample(t, s, ser, values) {
		b, err := ser.Append(nil, v)
		if err != nil {
			t.Fatalf("Append: %v, where it had none", err)
		}
		sized(t, ser, v, b)
		read := new(T)
		if n, err := ser.Consume(bytes.Clone(b), read); n != len(b) || err != nil {
			t.Fatalf("Consume of the %d bytes %x = %d, %v", len(b), b, n, err)
		}
		again(t, s, ser, read)
		for range min(20, 1+20_000/(len(b)+1)) {
			if len(b) > 0 {
				src := bytes.Clone(b)
				src[rng.IntN(len(src))] ^= 1 << rng.IntN(8)
				hostile(t, s, ser, src)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// sized tests Size and Put with the bytes that Append has made.
func sized[T any](t testing.TB, ser record.Serializer[T], v *T, b []byte) {
	t.Helper()
	if n := ser.Size(v); n != len(b) {
		t.Errorf("Size is %d, Append wrote %d bytes", n, len(b))
	}
	dst := bytes.Repeat([]byte{0xa5}, len(b)+8)
	if n, err := ser.Put(dst[:len(b):len(b)], v); n != len(b) || err != nil {
		t.Errorf("Put into %d bytes = %d, %v", len(b), n, err)
	}
	if !bytes.Equal(dst[len(b):], bytes.Repeat([]byte{0xa5}, 8)) {
		t.Errorf("Put into %d bytes wrote beyond them", len(b))
	}
	if len(b) > 0 {
		if n, err := ser.Put(dst[:len(b)-1:len(b)-1], v); !errors.Is(err, wire.ErrShort) {
			t.Errorf("Put into %d of %d bytes = %d, %v, want ErrShort", len(b)-1, len(b), n, err)
		}
	}
}

// again tests that a value that has been read is written to bytes from which the same comes.
func again[T any](t testing.TB, s *Suite, ser record.Serializer[T], v *T) {
	t.Helper()
	b, err := ser.Append(nil, v)
	if err != nil {
		t.Errorf("what was read cannot be written: %v", err)
		return
	}
	read := new(T)
	if n, err := ser.Consume(bytes.Clone(b), read); n != len(b) || err != nil {
		t.Errorf("Consume of the %d bytes %x, which were written, = %d, %v", len(b), b, n, err)
		return
	}
	c := comparer{&s.types, reflect.TypeFor[T]().PkgPath()}
	if native(ser) {
		if d := c.diff("", reflect.ValueOf(v).Elem(), reflect.ValueOf(read).Elem()); d != "" {
			t.Errorf("what was read, written, and read again differs: %s", d)
		}
	}
	twice, err := ser.Append(nil, read)
	if err != nil || len(twice) != len(b) || !c.multi(reflect.ValueOf(v).Elem()) && !bytes.Equal(twice, b) {
		t.Errorf("the same value is written as %x, and then as %x, %v", b, twice, err)
	}
}

// hostile tests that any bytes are read or refused, and that what is read can be written and read again.
func hostile[T any](t testing.TB, s *Suite, ser record.Serializer[T], src []byte) {
	t.Helper()
	v := new(T)
	n, err := ser.ConsumeLimits(bytes.Clone(src), v, record.Limits{MaxAllocBytes: 1 << 20})
	switch {
	case err != nil && n != 0:
		t.Errorf("Consume of %x = %d, %v: an error takes no bytes", src, n, err)
	case err == nil && (n < 0 || n > len(src)):
		t.Errorf("Consume of %x takes %d bytes of %d", src, n, len(src))
	case err == nil:
		again(t, s, ser, v)
	}
}
