package record

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// CheckSize returns an error that is [wire.ErrLimit] if a payload of n bytes is more than l allows.
func (l Limits) CheckSize(n int) error {
	if n <= l.MaxRecordBytes || l.MaxRecordBytes <= 0 && n <= DefaultMaxRecordBytes {
		return nil
	}
	return tooLarge(n, l.MaxRecordBytes)
}

// tooLarge is kept out of line so that CheckSize fits into its callers.
//
//go:noinline
func tooLarge(n, limit int) error {
	if limit <= 0 {
		limit = DefaultMaxRecordBytes
	}
	return fmt.Errorf("record of %d bytes, the limit is %d: %w", n, limit, wire.ErrLimit)
}
