package wire_test

import (
	"testing"
	"unsafe"

	"github.com/rwgen/rwgen/runtime/wire"
)

func TestText(t *testing.T) {
	src := []byte("abcdef")
	text := wire.NewText(5)
	a, empty, b := text.Take(src[:2]), text.Take(nil), text.Take(src[3:])
	if a != "ab" || empty != "" || b != "def" {
		t.Fatalf("took %q, %q, %q", a, empty, b)
	}
	if unsafe.StringData(b) != (*byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(a)), 2)) {
		t.Error("the strings are not in one piece of memory")
	}
	more := text.Take(src)
	copy(src, "......")
	if a != "ab" || b != "def" || more != "abcdef" {
		t.Errorf("after more than announced, and the source overwritten: %q, %q, %q", a, b, more)
	}
}

func TestTextAllocates(t *testing.T) {
	src := []byte("abcdef")
	var s [3]string
	if got := testing.AllocsPerRun(100, func() {
		text := wire.NewText(0)
		s[0], s[1] = text.Take(nil), text.Take(src[:0])
	}); got != 0 {
		t.Errorf("%v allocations for no bytes", got)
	}
	if got := testing.AllocsPerRun(100, func() {
		text := wire.NewText(6)
		s[0], s[1], s[2] = text.Take(src[:3]), text.Take(src[3:3]), text.Take(src[3:])
	}); got != 1 {
		t.Errorf("%v allocations for three strings, want 1", got)
	}
}
