//go:build purego || !(386 || amd64 || arm || arm64 || loong64 || mips64le || mipsle || ppc64le || riscv64 || wasm)

package wire

// bulk says that numbers are moved one by one: because the machine may have the highest byte first, or because the build tag purego is set.
const bulk = false

func putBulk[E any]([]byte, []E) {}

func readBulk[E any]([]E, []byte) {}
