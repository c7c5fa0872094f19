package record

import "github.com/rwgen/rwgen/runtime/wire"

// Budget returns a fresh budget for one record under l, with defaults for its zero fields and the interner of l.
func (l Limits) Budget() wire.Budget {
	l = l.WithDefaults()
	return wire.NewBudget(l.MaxAllocBytes, l.MaxDepth).WithInterner(l.interner)
}
