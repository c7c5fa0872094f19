package record

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// CheckSize returns an error that is [wire.ErrLimit] if a payload of n bytes is more than l allows.
func (l Limits) CheckSize(n int) error {
	limit := l.MaxRecordBytes
	if limit <= 0 {
		limit = DefaultMaxRecordBytes
	}
	if n > limit {
		return tooLarge(n, limit)
	}
	return nil
}

//go:noinline
func tooLarge(n, limit int) error {
	return fmt.Errorf("record of %d bytes, the limit is %d: %w", n, limit, wire.ErrLimit)
}
