package rwtest

// cutter says behind which byte a connection is cut: once, or again and again at random distances. The zero cutter never cuts.
type cutter struct {
	armed     bool
	left      int64 // bytes that pass before the next cut
	low, high int64 // of the distance of random cuts; high 0 is none
	dice      dice
}

// once returns a cutter for one cut behind n bytes.
func once(n int64) *cutter { return &cutter{armed: true, left: max(n, 0)} }

// every returns a cutter for cuts that are low to high bytes apart.
func every(low, high int64, d dice) *cutter {
	low = max(low, 1)
	c := &cutter{armed: true, low: low, high: max(low, high), dice: d}
	c.left = c.dice.between(c.low, c.high)
	return c
}

// pass says how many of n > 0 bytes pass, and whether there is a cut behind them.
func (c *cutter) pass(n int) (passed int, cut bool) {
	if c == nil || !c.armed {
		return n, false
	}
	if int64(n) < c.left {
		c.left -= int64(n)
		return n, false
	}
	passed = int(c.left)
	if c.high == 0 {
		c.armed = false
	} else {
		c.left = c.dice.between(c.low, c.high)
	}
	return passed, true
}
