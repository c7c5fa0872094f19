package wire_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

// hostileLengths are sources that begin with a length of a string, and may be cut off within it or after it.
func hostileLengths() [][]byte {
	list := [][]byte{nil, {0x80}, {0x80, 0x00}, {0xff, 0x00}, {0x80, 0x80}, bytes.Repeat([]byte{0xff}, 11), binary.AppendUvarint(nil, 1<<63), binary.AppendUvarint(nil, 1<<64-1)}
	for _, n := range []int{0, 1, 2, 7, 126, 127, 128, 129, 130, 255, 256, 1 << 13, 1<<14 - 1, 1 << 14, 1<<14 + 1} {
		whole := append(binary.AppendUvarint(nil, uint64(n)), bytes.Repeat([]byte{'x'}, n+1)...)
		for _, cut := range []int{0, 1, 2, 3, n} {
			list = append(list, whole[:max(0, len(whole)-cut)])
		}
		list = append(list, whole[:1], whole[:2])
	}
	return list
}

// What a quick function knows is what the function that it belongs to says, and it knows what is short and nothing that is wrong.
func TestQuick(t *testing.T) {
	for _, src := range hostileLengths() {
		for _, before := range []int{0, 1, 200} {
			all := append(make([]byte, before), src...)
			for _, spare := range []int{0, 3} { // bytes of the array behind the source, which may not be read
				all := append(all[:len(all):len(all)], 9, 9, 9)[: len(all) : len(all)+spare]
				testQuick(t, all, before)
			}
		}
	}
}

func testQuick(t *testing.T, all []byte, i int) {
	t.Helper()
	src := all[i:]
	short := len(src) > 0 && src[0] < 0x80
	check := func(name string, known bool, got, want []byte, n, wantN int) {
		t.Helper()
		switch {
		case n == 0 && known && wantN > 0:
			t.Fatalf("%s does not know %.20x at %d", name, src, i)
		case n != 0 && (n != wantN || !bytes.Equal(got, want)):
			t.Fatalf("%s of %.20x at %d: %d bytes, %d, want %d, %d", name, src, i, len(got), n, len(want), wantN)
		}
	}
	want, wantN := wire.Span(src)
	p, n := wire.QuickSpan(all, i)
	check("QuickSpan", short, p, want, n, wantN)
	s, n := wire.QuickText(all, i)
	check("QuickText", short && src[0] > 0, []byte(s), want, n, wantN)
	if s, n = wire.ViewText(src); n != wantN || s != string(want) {
		t.Fatalf("ViewText of %.20x: %d bytes, %d, want %d, %d", src, len(s), n, len(want), wantN)
	}
	text := wire.NewCopies(all)
	if s, n = text.Quick(all, i); n != 0 {
		t.Fatalf("%q of no stretch", s)
	}
	if i > 0 { // a stretch from the start
		text.Take(all[:1])
		s, n = text.Quick(all, i)
		check("Copies.Quick", false, []byte(s), want, n, wantN)
	}
	want, wantN = wire.ViewBytes(src)
	p, n = wire.QuickBytes(all, i)
	check("QuickBytes", len(src) > 1 && src[0] != 0 && src[1] < 0x80 && wantN < 1<<14, p, want, n, wantN)
	if n != 0 && (p == nil || cap(p) != len(p)) {
		t.Fatalf("QuickBytes of %.20x: %v, capacity %d", src, p, cap(p))
	}
}

// A Copies knows at once the short strings of the stretch that it has copied last, in whatever part of the source they are asked for.
func TestCopiesQuick(t *testing.T) {
	payload, want := textRecord(5, 0, 127, 30, 128, 3)
	text := wire.NewCopies(payload)
	i := 0
	for k, w := range want {
		_, size := wire.Span(payload[i:])
		s, n := text.Quick(payload, i)
		if known := k > 0 && len(w) < 0x80; known != (n == size) || known && s != w || !known && n != 0 {
			t.Errorf("string %d, known %t: %q, %d", k, known, s, n)
		}
		if again, m := text.Quick(payload[i:], 0); again != s || m != n {
			t.Errorf("string %d of its own part: %q, %d, want %q, %d", k, again, m, s, n)
		}
		text.String(payload[i:])
		i += size
	}
	if s, n := text.Quick(payload, len(payload)); n != 0 {
		t.Errorf("%q at the end", s)
	}
}
