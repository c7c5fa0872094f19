package selector

// Cursor walks over a contiguous range of channels in turn, again and again. The zero Cursor is not usable; make one with
// [NewCursor]. A Cursor belongs to one writer and must not be used by two goroutines at a time.
type Cursor struct {
	next, lo, hi int
}

// NewCursor returns a cursor over the channels lo to hi−1 whose first channel is start. A start outside the range counts on
// from its end, or back from its beginning, around the range, so that any random number will do. An empty range counts as the one channel lo.
func NewCursor(lo, hi, start int) Cursor {
	hi = max(hi, lo+1)
	n := hi - lo
	// The remainder of start − lo, made positive; written so that no sum of two far apart numbers overflows.
	d := (start%n - lo%n) % n
	if d < 0 {
		d += n
	}
	return Cursor{next: lo + d, lo: lo, hi: hi}
}

// Next returns the next channel.
func (c *Cursor) Next() int {
	channel := c.next
	c.next++
	if c.next >= c.hi {
		c.next = c.lo
	}
	return channel
}
