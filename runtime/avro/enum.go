package avro

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// SymbolRefused returns the error, which is [ErrRange], for writing a value of an enum that none of its symbols has.
//
//go:noinline
func SymbolRefused(v int32, symbols int) error {
	return fmt.Errorf("symbol %d of an enum with %d: %w", v, symbols, ErrRange)
}

// SymbolError is the error for reading such a value, which is [wire.ErrCorrupt].
//
//go:noinline
func SymbolError(v int32, symbols int) error {
	return fmt.Errorf("symbol %d of an enum with %d: %w", v, symbols, wire.ErrCorrupt)
}

// BranchError returns the error, which is [wire.ErrCorrupt], for an index of no branch of a union.
//
//go:noinline
func BranchError(index int64, branches int) error {
	return fmt.Errorf("branch %d of a union of %d: %w", index, branches, wire.ErrCorrupt)
}

// ErrNull is the error for writing nil as a value of a union that has no null.
var ErrNull = fmt.Errorf("avro: nil for a union without null: %w", wire.ErrNil)
