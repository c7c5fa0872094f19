package wire_test

import (
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

func TestView(t *testing.T) {
	p := []byte("abcdef")
	v := wire.View(p[1:3])
	if string(v) != "bc" || cap(v) != 2 || &v[0] != &p[1] {
		t.Errorf("%q, capacity %d", v, cap(v))
	}
	if v := wire.View(p[2:2]); v == nil || len(v) != 0 || cap(v) != 0 {
		t.Errorf("empty: %v, capacity %d", v, cap(v))
	}
	if wire.View(nil) != nil {
		t.Error("nil is not nil")
	}
}

func TestViewString(t *testing.T) {
	p := []byte("abcdef")
	if s := wire.ViewString(p); s != "abcdef" {
		t.Errorf("%q", s)
	}
	if wire.ViewString(nil) != "" || wire.ViewString(p[3:3]) != "" {
		t.Error("empty")
	}
	s := wire.ViewString(p)
	p[0] = 'x'
	if shared := s[0] == 'x'; shared != viewsShare {
		t.Errorf("shares memory: %v, want %v", shared, viewsShare)
	}
	want := 0.0
	if !viewsShare {
		want = 1
	}
	long, sum := make([]byte, 100), 0
	if n := testing.AllocsPerRun(100, func() {
		s := wire.ViewString(long)
		kept = s
		sum += len(s)
	}); n != want {
		t.Errorf("%v allocations, want %v", n, want)
	}
}

var kept string // so that the compiler cannot do without a copy
