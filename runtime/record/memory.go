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

// layout64 returns the size and alignment that a type has on a 64-bit machine, for budgets that are the same on all machines.
// A size beyond 2⁶² is cut to that.
func layout64(rt reflect.Type) (size, align int64) {
	const most = 1 << 62
	switch rt.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return 1, 1
	case reflect.Int16, reflect.Uint16:
		return 2, 2
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return 4, 4
	case reflect.Complex64:
		return 8, 4
	case reflect.Complex128, reflect.String, reflect.Interface:
		return 16, 8
	case reflect.Slice:
		return 24, 8
	case reflect.Array:
		size, align = layout64(rt.Elem())
		if n := int64(rt.Len()); size > 0 && n > most/size {
			return most, align
		}
		return size * int64(rt.Len()), align
	case reflect.Struct:
		align = 1
		for i := range rt.NumField() {
			s, a := layout64(rt.Field(i).Type)
			size = (size+a-1)/a*a + s
			align = max(align, a)
			if i == rt.NumField()-1 && s == 0 && size > 0 {
				size++ // so that the address of the last field stays inside
			}
			size = min(size, most)
		}
		return (size + align - 1) / align * align, align
	}
	return 8, 8
}
