// Package diag holds what the generator has to say about its input: diagnostics with a position, a stable category, a message
// and, where there is a way out, a hint.
//
// A run collects all of its diagnostics in a [List] and reports them together:
//
//	var list diag.List
//	list.Addf(pos, diag.Field, "Order.Done: a channel has no encoding").Hint = `leave the field out with the tag rw:"-"`
//	if err := list.Err(); err != nil {
//		list.Write(os.Stderr, dir)
//	}
//
// which prints
//
//	order.go:9:2: Order.Done: a channel has no encoding [field]
//		try: leave the field out with the tag rw:"-"
//
// Values of this package are plain data: they may be shared between goroutines as long as nobody changes them.
package diag
