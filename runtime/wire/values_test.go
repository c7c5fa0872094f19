package wire_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

// put checks that n bytes are written as want, and that nothing is written beyond them or without room for them.
func put(t *testing.T, name, want string, write func(dst []byte) int) {
	t.Helper()
	for size := 0; size <= len(want)+2; size++ {
		dst := bytes.Repeat([]byte{0xee}, len(want)+4)
		n := write(dst[:size])
		if size < len(want) && n != 0 || size >= len(want) && (n != len(want) || string(dst[:n]) != want) {
			t.Errorf("%s into %d bytes = %d, %x, want %x", name, size, n, dst[:min(n, len(dst))], want)
		}
		if beyond := dst[max(n, size):]; !bytes.Equal(beyond, bytes.Repeat([]byte{0xee}, len(beyond))) {
			t.Errorf("%s into %d bytes wrote beyond: %x", name, size, dst)
		}
	}
}

func TestString(t *testing.T) {
	long := strings.Repeat("a", 200)
	for s, want := range map[string]string{"": "\x00", "a": "\x01a", "\xff\x00": "\x02\xff\x00", long: "\xc8\x01" + long} {
		if n := wire.StringLen(s); n != len(want) {
			t.Errorf("StringLen(%q) = %d, want %d", s, n, len(want))
		}
		put(t, "PutString", want, func(dst []byte) int { return wire.PutString(dst, s) })
		src := []byte(want + "x")
		p, n := wire.Span(src)
		if string(p) != s || n != len(want) || len(p) > 0 && &p[0] != &src[n-len(p)] {
			t.Errorf("Span(%q) = %q, %d", src, p, n)
		}
		for n := range want {
			if p, m := wire.Span(src[:n:n]); p != nil || m != 0 {
				t.Errorf("Span(%q) = %q, %d", src[:n], p, m)
			}
		}
	}
	for _, s := range []string{"\x80\x00", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"} {
		if p, n := wire.Span([]byte(s)); p != nil || n >= 0 {
			t.Errorf("Span(%q) = %q, %d", s, p, n)
		}
	}
	if p, n := wire.Span([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01abc")); p != nil || n != 0 {
		t.Errorf("Span of 2⁶⁴−1 bytes = %q, %d", p, n)
	}
}

func TestBytes(t *testing.T) {
	type named []byte
	long := bytes.Repeat([]byte{7}, 127)
	for _, tc := range []struct {
		p    named
		want string
	}{{nil, "\x00"}, {named{}, "\x01"}, {named("ab"), "\x03ab"}, {long, "\x80\x01" + string(long)}} {
		if n := wire.BytesLen(tc.p); n != len(tc.want) {
			t.Errorf("BytesLen(%q) = %d, want %d", tc.p, n, len(tc.want))
		}
		put(t, "PutBytes", tc.want, func(dst []byte) int { return wire.PutBytes(dst, tc.p) })
		src := []byte(tc.want + "x")
		for _, old := range []named{nil, {}, make(named, 3), make(named, 1, 500)} {
			p, n := wire.Bytes(src, old)
			if !bytes.Equal(p, tc.p) || (p == nil) != (tc.p == nil) || n != len(tc.want) {
				t.Errorf("Bytes(%q) = %#v, %d", src, p, n)
			}
			if cap(old) >= len(p) && len(p) > 0 && &p[0] != &old[:1][0] {
				t.Errorf("Bytes(%q) leaves %d bytes of capacity", src, cap(old))
			}
			if len(p) > 0 && &p[0] == &src[n-len(p)] {
				t.Error("Bytes returns a part of the source")
			}
		}
		for n := range tc.want {
			if p, m := wire.Bytes(src[:n:n], named{}); p != nil || m != 0 {
				t.Errorf("Bytes(%q) = %q, %d", src[:n], p, m)
			}
		}
	}
	if p, n := wire.Bytes([]byte("\x81\x00a"), []byte(nil)); p != nil || n >= 0 {
		t.Errorf("Bytes of a length too long = %q, %d", p, n)
	}
	if p, n := wire.Bytes([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01abc"), []byte(nil)); p != nil || n != 0 {
		t.Errorf("Bytes of 2⁶⁴−2 bytes = %q, %d", p, n)
	}
}

func TestCountLen(t *testing.T) {
	for _, tc := range []struct {
		n     int
		isNil bool
		want  string
	}{{0, true, "\x00"}, {0, false, "\x01"}, {126, false, "\x7f"}, {127, false, "\x80\x01"}, {300, false, "\xad\x02"}} {
		if n := wire.CountLen(tc.n, tc.isNil); n != len(tc.want) {
			t.Errorf("CountLen(%d, %v) = %d", tc.n, tc.isNil, n)
		}
		put(t, "PutCount", tc.want, func(dst []byte) int { return wire.PutCount(dst, tc.n, tc.isNil) })
	}
}
