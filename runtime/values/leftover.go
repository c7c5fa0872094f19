package values

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// LeftOver returns an error if the n bytes that a record took are not all of src. It wraps [wire.ErrCorrupt].
func LeftOver(n int, src []byte) error {
	if n == len(src) {
		return nil
	}
	return fmt.Errorf("%w: %d bytes are left over after the %d of the record", wire.ErrCorrupt, len(src)-n, n)
}
