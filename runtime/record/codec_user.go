package record

import (
	"reflect"

	"github.com/rwgen/rwgen/runtime/wire"
)

// lengthCodec is the codec of types with an encoding of their own: a length and what the encoding makes of the value.
type lengthCodec struct {
	*userCodec
	rt reflect.Type
}

// size encodes the value: there is no other way to know. An error is left to put, which meets it in the same place.
func (c *lengthCodec) size(p ptr, total int64, _ int) int64 {
	b, err := c.append(nil, p)
	if err != nil {
		return total + 1
	}
	return total + int64(wire.UvarintLen(uint64(len(b)))) + int64(len(b))
}

func (c *lengthCodec) put(dst []byte, i int, p ptr, _ int) (int, error) {
	var room []byte // right behind a length of one byte, where most values are at their place
	if i < len(dst) {
		room = dst[i+1 : i+1 : len(dst)]
	}
	b, err := c.append(room, p)
	if err != nil {
		return i, userError(i, err)
	}
	n := wire.PutSized(dst[i:], b)
	if n == 0 {
		return i, wire.ErrShort
	}
	return i + n, nil
}

func (c *lengthCodec) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	span, n := wire.Span(src[i:])
	if n <= 0 {
		return i, wire.UvarintError(n)
	}
	variable(c.rt, p).SetZero() // so that nothing is shared with the value before
	if err := c.consume(wire.View(span), p); err != nil {
		return i, userError(i, err)
	}
	return i + n, nil
}

// userError makes an error of user code one of the value at index i, whatever it is.
func userError(i int, err error) error { return &wire.Error{Offset: i, Err: err} }
