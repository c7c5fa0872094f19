package record

import "github.com/rwgen/rwgen/runtime/wire"

// imageCodec is the codec of values whose n bytes on the wire are their n bytes in memory: arrays, and runs of struct fields.
type imageCodec struct {
	n int
	// parts does the same part by part. It finds out where a source that is too short ends.
	parts codec
}

func (c imageCodec) size(_ ptr, total int64, _ int) int64 { return total + int64(c.n) }

func (c imageCodec) put(dst []byte, i int, p ptr, _ int) (int, error) {
	if len(dst)-i < c.n {
		return i, wire.ErrShort
	}
	return i + copy(dst[i:], memory(p, c.n)), nil
}

func (c imageCodec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	if len(src)-i < c.n {
		return c.parts.get(src, i, p, b)
	}
	return i + copy(memory(p, c.n), src[i:]), nil
}
