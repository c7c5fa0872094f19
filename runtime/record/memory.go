package record

import (
	"encoding/binary"
	"reflect"
	"strconv"
	"unsafe"
)

// All arithmetic on addresses is in this file. The codecs see values as a ptr: the address of a variable whose type is the
// one the codec was compiled for. Offsets and sizes come from reflection, so that an address never leaves its variable, and every
// ptr is an unsafe.Pointer all its life, so that the collector sees it.

// ptr is the address of a variable of a type known to the codec that is given it.
type ptr = unsafe.Pointer

// at returns the address of the part of a variable that is offset bytes into it.
func at(p ptr, offset uintptr) ptr { return unsafe.Add(p, offset) }

// elemAt returns the address of element i of elements that are size bytes each.
func elemAt(p ptr, i int, size uintptr) ptr { return unsafe.Add(p, uintptr(i)*size) }

// memory returns the n bytes of memory of a variable.
func memory(p ptr, n int) []byte { return unsafe.Slice((*byte)(p), n) }

// sliceHeader is the memory of a slice.
type sliceHeader struct {
	data     ptr // nil for a nil slice only
	len, cap int
}

// The header is that of the compiler, or this does not compile.
var (
	_ [unsafe.Sizeof(sliceHeader{})]byte  = [unsafe.Sizeof([]byte(nil))]byte{}
	_ [unsafe.Alignof(sliceHeader{})]byte = [unsafe.Alignof([]byte(nil))]byte{}
)

// variable returns the variable of type rt at p.
func variable(rt reflect.Type, p ptr) reflect.Value { return reflect.NewAt(rt, p).Elem() }

// imageHost reports whether numbers lie in this machine's memory as they do on the wire.
func imageHost() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// wideWord reports whether int, uint and uintptr are as wide as they are on the wire.
func wideWord() bool { return strconv.IntSize == 64 }

// layouts remembers the sizes and alignments that types have on a 64-bit machine, for budgets that are the same on all machines. A struct may stand
// in another one many times over, and that in a third.
type layouts map[reflect.Type]layout64

// layout64 is a size and an alignment in bytes. A size beyond 2⁶² is cut to that.
type layout64 struct{ size, align int64 }

// of returns the layout of rt.
func (l layouts) of(rt reflect.Type) layout64 {
	known, ok := l[rt]
	if !ok {
		known = l.measure(rt)
		l[rt] = known
	}
	return known
}

func (l layouts) measure(rt reflect.Type) layout64 {
	const most = 1 << 62
	switch rt.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return layout64{1, 1}
	case reflect.Int16, reflect.Uint16:
		return layout64{2, 2}
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return layout64{4, 4}
	case reflect.Complex64:
		return layout64{8, 4}
	case reflect.Complex128, reflect.String, reflect.Interface:
		return layout64{16, 8}
	case reflect.Slice:
		return layout64{24, 8}
	case reflect.Array:
		elem := l.of(rt.Elem())
		if n := int64(rt.Len()); elem.size > 0 && n > most/elem.size {
			return layout64{most, elem.align}
		}
		return layout64{elem.size * int64(rt.Len()), elem.align}
	case reflect.Struct:
		sum := layout64{0, 1}
		for i := range rt.NumField() {
			f := l.of(rt.Field(i).Type)
			sum.size = (sum.size+f.align-1)/f.align*f.align + f.size
			sum.align = max(sum.align, f.align)
			if i == rt.NumField()-1 && f.size == 0 && sum.size > 0 {
				sum.size++ // so that the address of the last field stays inside
			}
			sum.size = min(sum.size, most)
		}
		sum.size = (sum.size + sum.align - 1) / sum.align * sum.align
		return sum
	}
	return layout64{8, 8}
}
