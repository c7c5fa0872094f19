package record

import (
	"math"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

// unixNanoCodec is the codec of fields tagged unixnano.
type unixNanoCodec struct{}

func (unixNanoCodec) size(_ ptr, total int64, _ int) int64 { return total + wire.UnixNanoLen }

func (unixNanoCodec) put(dst []byte, i int, p ptr, _ int) (int, error) {
	if len(dst)-i < wire.UnixNanoLen {
		return i, wire.ErrShort
	}
	if err := wire.PutUnixNano(dst[i:], *(*time.Time)(p)); err != nil {
		return i, err
	}
	return i + wire.UnixNanoLen, nil
}

func (unixNanoCodec) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	if len(src)-i < wire.UnixNanoLen {
		return i, wire.ErrTruncated
	}
	*(*time.Time)(p) = wire.UnixNano(src[i:])
	return i + wire.UnixNanoLen, nil
}

// internCodec is the codec of strings tagged intern.
type internCodec struct{ textCodec }

func (internCodec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	span, n := wire.Span(src[i:])
	if n <= 0 {
		return i, wire.UvarintError(n)
	}
	s := (*string)(p)
	*s = b.Interner().Take(span, *s)
	return i + n, nil
}

// viewCodec is the codec of strings tagged view.
type viewCodec struct{ textCodec }

func (viewCodec) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	span, n := wire.Span(src[i:])
	if n <= 0 {
		return i, wire.UvarintError(n)
	}
	*(*string)(p) = wire.ViewString(span)
	return i + n, nil
}

// viewBytesCodec is the codec of []byte tagged view.
type viewBytesCodec struct{ bytesCodec }

func (viewBytesCodec) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	n1, j, err := getUvarint(src, i)
	if err != nil {
		return i, err
	}
	if n1 == 0 {
		*(*[]byte)(p) = nil
		return j, nil
	}
	n, err := wire.Count(n1, 1, len(src)-j)
	if err != nil {
		return i, err
	}
	*(*[]byte)(p) = wire.View(src[j : j+n])
	return j + n, nil
}

// utf8Codec is the codec of strings tagged utf8: of with a check.
type utf8Codec struct{ of codec }

func (c utf8Codec) size(p ptr, total int64, depth int) int64 { return c.of.size(p, total, depth) }

func (c utf8Codec) put(dst []byte, i int, p ptr, depth int) (int, error) {
	if err := wire.CheckUTF8(*(*string)(p)); err != nil {
		return i, err
	}
	return c.of.put(dst, i, p, depth)
}

func (c utf8Codec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	if span, n := wire.Span(src[i:]); n > 0 {
		if err := wire.CheckUTF8(span); err != nil {
			return i, err
		}
	}
	return c.of.get(src, i, p, b)
}

// maxCodec is the codec of fields tagged max: of with a bound on the length.
type maxCodec struct {
	of   codec
	most int
	len  func(ptr) int
	plus uint64 // what the length on the wire is more than the length
}

func (c *maxCodec) size(p ptr, total int64, depth int) int64 { return c.of.size(p, total, depth) }

func (c *maxCodec) put(dst []byte, i int, p ptr, depth int) (int, error) {
	if err := wire.CheckMax(c.len(p), c.most); err != nil {
		return i, err
	}
	return c.of.put(dst, i, p, depth)
}

func (c *maxCodec) get(src []byte, i int, p ptr, b *wire.Budget) (int, error) {
	// Before of allocates memory for a length. What is wrong with one that is none, it knows better.
	if n, _, err := getUvarint(src, i); err == nil && n > c.plus {
		if err := wire.CheckMax(int(min(n-c.plus, math.MaxInt)), c.most); err != nil {
			return i, err
		}
	}
	return c.of.get(src, i, p, b)
}
