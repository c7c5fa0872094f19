package record

import (
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

// timeCodec is the codec of time.Time.
type timeCodec struct{}

func (timeCodec) size(_ ptr, total int64, _ int) int64 { return total + wire.TimeLen }

func (timeCodec) put(dst []byte, i int, p ptr, _ int) (int, error) {
	if len(dst)-i < wire.TimeLen {
		return i, wire.ErrShort
	}
	wire.PutTime(dst[i:], *(*time.Time)(p))
	return i + wire.TimeLen, nil
}

func (timeCodec) get(src []byte, i int, p ptr, _ *wire.Budget) (int, error) {
	t, err := wire.Time(src[i:])
	if err != nil {
		return i, err
	}
	*(*time.Time)(p) = t
	return i + wire.TimeLen, nil
}
