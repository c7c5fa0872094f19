package wire_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

// lengths are all at which a string or byte slice is moved in another way, and all short ones.
func lengths() []int {
	var list []int
	for n := range 300 {
		list = append(list, n)
	}
	return append(list, 1<<14-2, 1<<14-1, 1<<14, 1<<14+1, 1<<21-1, 1<<21)
}

// Strings and bytes of every length are written and read where there is exactly the room that they take, one byte less, and more.
func TestEveryLength(t *testing.T) {
	for _, n := range lengths() {
		p := make([]byte, n)
		for i := range p {
			p[i] = byte(i*7 + i>>8 + 1)
		}
		text := append(binary.AppendUvarint(nil, uint64(n)), p...)
		blob := append(binary.AppendUvarint(nil, uint64(n)+1), p...)
		whole := func(room int, want []byte, put func([]byte) int) {
			t.Helper()
			dst := bytes.Repeat([]byte{0xee}, len(want)+2)
			got := put(dst[:room:room])
			switch {
			case room < len(want) && got != 0:
				t.Fatalf("%d bytes into %d: %d", n, room, got)
			case room >= len(want) && (got != len(want) || !bytes.Equal(dst[:got], want)):
				t.Fatalf("%d bytes into %d: %d, %x, want %x", n, room, got, dst, want)
			case slices.ContainsFunc(dst[max(got, room):], func(b byte) bool { return b != 0xee }):
				t.Fatalf("%d bytes into %d wrote beyond", n, room)
			}
		}
		for _, off := range []int{-1, 0, 1, 2} {
			if room := len(text) + off; room >= 0 {
				whole(room, text, func(dst []byte) int { return wire.PutString(dst, string(p)) })
			}
			whole(len(blob)+off, blob, func(dst []byte) int { return wire.PutBytes(dst, p) })
		}
		for _, src := range [][]byte{slices.Clip(text), append(slices.Clone(text), 1, 2)} {
			if got, size := wire.Span(src); !bytes.Equal(got, p) || size != len(text) {
				t.Fatalf("Span of %d bytes: %d, %d", n, len(got), size)
			}
			copies := wire.NewCopies(src)
			if got, size := copies.String(src); got != string(p) || size != len(text) {
				t.Fatalf("a copy of %d bytes: %d, %d", n, len(got), size)
			}
		}
		for _, src := range [][]byte{slices.Clip(blob), append(slices.Clone(blob), 1, 2)} {
			if got, size := wire.ViewBytes(src); !bytes.Equal(got, p) || size != len(blob) || cap(got) != len(got) {
				t.Fatalf("ViewBytes of %d bytes: %d, %d", n, len(got), size)
			}
			if got, size := wire.Bytes(src, []byte(nil)); !bytes.Equal(got, p) || size != len(blob) {
				t.Fatalf("Bytes of %d bytes: %d, %d", n, len(got), size)
			}
		}
		short := text[: len(text)-1 : len(text)-1]
		if got, size := wire.Span(short); got != nil || size != 0 {
			t.Fatalf("Span of %d bytes of %d: %d, %d", n-1, n, len(got), size)
		}
		short = blob[: len(blob)-1 : len(blob)-1]
		if got, size := wire.ViewBytes(short); got != nil || size != 0 {
			t.Fatalf("ViewBytes of %d bytes of %d: %d, %d", n-1, n, len(got), size)
		}
	}
}

// Lengths of two bytes that fit into one are as wrong as before the bytes are looked at together.
func TestLengthsNotShortest(t *testing.T) {
	for _, first := range []byte{0x80, 0x81, 0xff} {
		src := append([]byte{first, 0}, make([]byte, 200)...)
		if p, n := wire.Span(src); p != nil || n >= 0 {
			t.Errorf("Span after %x: %d, %d", first, len(p), n)
		}
		if p, n := wire.ViewBytes(src); p != nil || n >= 0 {
			t.Errorf("ViewBytes after %x: %d, %d", first, len(p), n)
		}
		copies := wire.NewCopies(src)
		if s, n := copies.String(src); s != "" || n >= 0 {
			t.Errorf("a copy after %x: %d, %d", first, len(s), n)
		}
	}
}
