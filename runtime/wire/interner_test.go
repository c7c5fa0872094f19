package wire_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/rwgen/rwgen/runtime/wire"
)

func sameMemory(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }

func TestInternerKeeps(t *testing.T) {
	in := wire.NewInterner(1 << 16)
	a := in.Take([]byte("ORD"), "")
	b := in.Take([]byte("JFK"), "")
	if a != "ORD" || b != "JFK" {
		t.Fatalf("%q, %q", a, b)
	}
	if s := in.Take([]byte("ORD"), b); s != a || !sameMemory(s, a) {
		t.Errorf("%q, not the string kept", s)
	}
	old := strings.Clone("ORD")
	if s := in.Take([]byte("ORD"), old); !sameMemory(s, old) {
		t.Error("the old string is equal, but not used")
	}
	if s := in.Take(nil, "x"); s != "" {
		t.Errorf("%q for nothing", s)
	}
}

// TestInternerBound feeds strings that never repeat. Every answer is right, and memory stays within the bound.
func TestInternerBound(t *testing.T) {
	const most = 1 << 16
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	in := wire.NewInterner(most)
	for i := range 100_000 {
		p := fmt.Appendf(nil, "%0*d", 1+i%wire.MaxInternLen, i)
		if s := in.Take(p, ""); s != string(p) {
			t.Fatalf("%q for %q", s, p)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > most+8<<10 {
		t.Errorf("%d bytes of memory, bound %d", grown, most)
	}
	runtime.KeepAlive(in)
}

func TestInternerCapacity(t *testing.T) {
	for _, most := range []int{-1, 0, 1, 159, 160, 319, 320, 1 << 12, 1<<16 + 1, 256 << 10} {
		in := wire.NewInterner(most)
		p := []byte("ab") // strings of one byte share memory anyway
		if kept := sameMemory(in.Take(p, ""), in.Take(p, "")); kept != (most >= 160) {
			t.Errorf("with %d bytes: keeps %v", most, kept)
		}
	}
	in := wire.NewInterner(1 << 16)
	long := []byte(strings.Repeat("a", wire.MaxInternLen+1))
	if sameMemory(in.Take(long, ""), in.Take(long, "")) {
		t.Error("a string above the limit is kept")
	}
	long = long[1:]
	if !sameMemory(in.Take(long, ""), in.Take(long, "")) {
		t.Error("a string at the limit is not kept")
	}
}

func TestInternerNil(t *testing.T) {
	var in *wire.Interner
	old := strings.Clone("ab")
	if s := in.Take([]byte("ab"), old); !sameMemory(s, old) {
		t.Error("the old string is equal, but not used")
	}
	if s := in.Take([]byte("cd"), old); s != "cd" {
		t.Errorf("%q", s)
	}
}

func TestInternerAllocations(t *testing.T) {
	in := wire.NewInterner(1 << 16)
	words := [][]byte{[]byte("ORD"), []byte("JFK")}
	for _, w := range words {
		in.Take(w, "")
	}
	if n := testing.AllocsPerRun(100, func() {
		for _, w := range words {
			in.Take(w, "other")
		}
	}); n != 0 {
		t.Errorf("a string that is kept: %v allocations", n)
	}
	var none *wire.Interner
	if n := testing.AllocsPerRun(100, func() { none.Take(words[0], "ORD") }); n != 0 {
		t.Errorf("an old string: %v allocations", n)
	}
}

// TestInternerWorkingSet checks that what is used most survives strings that do not repeat.
func TestInternerWorkingSet(t *testing.T) {
	in := wire.NewInterner(256 << 10)
	r := rand.New(rand.NewPCG(1, 2))
	hits, asked := 0, 0
	last := map[string]string{}
	for i := range 20_000 {
		w := fmt.Sprintf("airport-%d", r.IntN(100))
		s := in.Take([]byte(w), "")
		if old, ok := last[w]; ok {
			asked++
			if sameMemory(old, s) {
				hits++
			}
		}
		last[w] = s
		if i%4 == 0 {
			in.Take(fmt.Appendf(nil, "noise-%d", i), "")
		}
	}
	if hits < asked*9/10 {
		t.Errorf("%d of %d", hits, asked)
	}
}

func BenchmarkInterner(b *testing.B) {
	in := wire.NewInterner(256 << 10)
	words := make([][]byte, 64)
	for i := range words {
		words[i] = fmt.Appendf(nil, "airport-%d", i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		in.Take(words[i%len(words)], "")
	}
}
