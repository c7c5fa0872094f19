//go:build !purego && (386 || amd64 || arm || arm64 || loong64 || mips64le || mipsle || ppc64le || riscv64 || wasm)

package wire

import "unsafe"

// bulk says that numbers lie in memory as on the wire, lowest byte first, and that this is made use of.
const bulk = true

// putBulk writes the memory of s to the start of dst. E is a number.
func putBulk[E any](dst []byte, s []E) {
	p := memory(s)
	copy(dst[:len(p)], p)
}

// readBulk fills s from the start of src. All bytes must be a valid E.
func readBulk[E any](s []E, src []byte) {
	p := memory(s)
	copy(p, src[:len(p)])
}

// memory returns the bytes that s lies in.
func memory[E any](s []E) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(E))))
}
