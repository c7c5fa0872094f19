package wire_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/rwgen/rwgen/runtime/wire"
)

// textRecord returns a payload of strings with those lengths, and the strings.
func textRecord(lengths ...int) (payload []byte, want []string) {
	for i, n := range lengths {
		s := strings.Repeat(string(rune('a'+i%26)), n)
		payload = wire.AppendUvarint(payload, uint64(n))
		payload = append(payload, s...)
		want = append(want, s)
	}
	return payload, want
}

// readTexts reads n strings from the start of src.
func readTexts(t *testing.T, src []byte, n int) []string {
	t.Helper()
	var got []string
	text := wire.NewCopies(src)
	for i := 0; n > 0; n-- {
		s, size := text.String(src[i:])
		if size <= 0 {
			t.Fatalf("string %d at %d: %d", len(got), i, size)
		}
		i += size
		got = append(got, s)
	}
	return got
}

func TestCopies(t *testing.T) {
	for name, lengths := range map[string][]int{
		"one":               {5},
		"empty":             {0, 0, 0},
		"short":             {1, 0, 2, 31, 32, 33, 7},
		"two bytes":         {127, 128, 129, 200},
		"to the stretch":    {127, 255},
		"across stretches":  {100, 50, 100, 300, 600, 10, 1000},
		"longer than those": {5, 5000, 5, 20000},
		"many":              {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49},
	} {
		payload, want := textRecord(lengths...)
		for _, behind := range []int{0, 1, 100, 10000} { // that many bytes follow on the record
			for _, spare := range []int{0, 3} { // and those are beyond the length
				src := append(append(append([]byte(nil), payload...), make([]byte, behind)...), make([]byte, spare)...)
				src = src[: len(payload)+behind : len(src)]
				got := readTexts(t, src, len(want))
				clear(src)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s, %d bytes behind: %q", name, behind, got)
				}
			}
		}
	}
}

// Every end within a string is found, without a look beyond it.
func TestCopiesTruncated(t *testing.T) {
	payload, want := textRecord(10, 0, 130, 40)
	for end := range payload {
		src := payload[:end:end]
		text := wire.NewCopies(src)
		i, got := 0, 0
		for got < len(want) {
			s, n := text.String(src[i:])
			if n == 0 {
				break
			}
			if n < 0 || s != want[got] {
				t.Fatalf("%d bytes, string %d: %q, %d", end, got, s, n)
			}
			i += n
			got++
		}
		if got == len(want) {
			t.Errorf("%d of %d bytes have all strings", end, len(payload))
		}
	}
	for _, bad := range []string{"\x80\x00", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"} {
		text := wire.NewCopies([]byte(bad))
		if s, n := text.String([]byte(bad)); s != "" || n >= 0 {
			t.Errorf("%q: %q, %d", bad, s, n)
		}
	}
}

func TestCopiesTake(t *testing.T) {
	src := []byte("\x03abc....\x02de")
	text := wire.NewCopies(src)
	abc, _ := text.String(src)
	if s := text.Take(src[8:8]); s != "" {
		t.Errorf("nothing is %q", s)
	}
	de := text.Take(src[9:11])
	if abc != "abc" || de != "de" {
		t.Errorf("%q, %q", abc, de)
	}
	if unsafe.StringData(de) != (*byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(abc)), 8)) {
		t.Error("the strings of a short record are not in one piece of memory")
	}
}

func TestCopiesAllocate(t *testing.T) {
	for _, tc := range []struct {
		name    string
		lengths []int
		want    float64
	}{
		{"nothing", []int{0, 0}, 0},
		{"up to 128 bytes", []int{30, 30, 30, 30}, 1},
		{"up to 1 KiB", slices.Repeat([]int{31}, 32), 1},
		{"more than 1 KiB", slices.Repeat([]int{31}, 33), 4},
		{"long ones", []int{2000, 2000}, 2},
	} {
		src, want := textRecord(tc.lengths...)
		var last string
		got := testing.AllocsPerRun(100, func() {
			text := wire.NewCopies(src)
			for i := 0; i < len(src); {
				s, n := text.String(src[i:])
				last = s
				i += n
			}
		})
		if got != tc.want || last != want[len(want)-1] {
			t.Errorf("%s: %v allocations, want %v", tc.name, got, tc.want)
		}
	}
}

// All stretches together are at most twice the record; what follows on it adds 1 KiB at the end of the source, and else 128 bytes, or twice what was copied last.
func TestCopiesCopyLittle(t *testing.T) {
	for _, length := range []int{1, 20, 100, 120, 700, 1500} {
		for _, behind := range []int{0, 1 << 16} {
			payload, want := textRecord(slices.Repeat([]int{length}, 40)...)
			src := append(payload, make([]byte, behind)...)
			allowed := uint64(2*len(payload) + 2048)
			const runs = 50
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range runs {
				text := wire.NewCopies(src)
				i := 0
				for range want {
					_, n := text.String(src[i:])
					i += n
				}
			}
			runtime.ReadMemStats(&after)
			if got := (after.TotalAlloc - before.TotalAlloc) / runs; got > allowed*5/4 { // sizes of allocations are rounded up
				t.Errorf("40 strings of %d bytes, %d bytes behind: %d bytes allocated, want %d at most", length, behind, got, allowed)
			}
		}
	}
}
