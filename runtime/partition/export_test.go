package partition

import "math"

// Pace makes the writer of p count as fast or as slow from now on, so that tests need neither much data nor a clock for it.
func (p *Partition) Pace(fast bool) {
	p.pace.fast = fast
	p.pace.bytes = math.MinInt / 2 // the window never ends
	if fast {
		p.pace.last.Store(1 << 62)
	} else {
		p.pace.last.Store(-1 << 40)
	}
}
