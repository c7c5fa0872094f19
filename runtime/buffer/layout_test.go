package buffer

import (
	"strconv"
	"testing"
	"unsafe"
)

const cacheLine = 64

func TestBuilderIsOneCacheLine(t *testing.T) {
	if size := unsafe.Sizeof(Builder{}); strconv.IntSize == 64 && size != cacheLine || size > cacheLine {
		t.Errorf("a Builder has %d bytes", size)
	}
}

// TestBuildersShareNoCacheLine: the allocator puts a header of 8 bytes before larger slices with pointers, so that Builders need not
// start on a line. What counts is that the fields of each lie in one line and those of its neighbours in others.
func TestBuildersShareNoCacheLine(t *testing.T) {
	if strconv.IntSize != 64 {
		return // on smaller machines Builders are smaller than a line
	}
	var b Builder
	used := unsafe.Offsetof(b.block) + unsafe.Sizeof(b.block)
	for n := 1; n <= 700; n++ {
		builders := make([]Builder, n)
		var last uintptr
		for i := range builders {
			start := uintptr(unsafe.Pointer(&builders[i]))
			first, end := start/cacheLine, (start+used-1)/cacheLine
			if first != end {
				t.Fatalf("builder %d of %d starts %d bytes into a cache line: its %d bytes of fields reach into the next", i, n, start%cacheLine, used)
			}
			if i > 0 && first == last {
				t.Fatalf("builders %d and %d of %d share a cache line", i-1, i, n)
			}
			last = first
		}
	}
}
