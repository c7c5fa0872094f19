package partition

import "time"

// pause decides how long an idle reader waits between two rounds of looking at open blocks. A look takes the cursor's cache line away from the writer, which
// costs both as much as several records; so the reader waits longer when its looks find little although it never runs dry, and less when they find much, or
// when it had to park because there was nothing at all.
//
// At low rates the reader parks between records and is woken at once; at high rates it lives on full blocks and looks at most once in maxPause.
type pause struct {
	length time.Duration
	last   time.Time // the last round
	looked int       // channels looked at in it
	found  int       // bytes found since
}

const (
	minPause = 2 * time.Microsecond
	maxPause = time.Millisecond
	spin     = 20 * time.Microsecond // shorter pauses yield the processor, longer ones park
	maxSpins = 64                    // in one call of Next; then it parks: the clock may stand still, as in package synctest

	smallLook = 2 << 10 // bytes a channel; a round that finds less came too early
)

// left returns how long to wait until the next round may start.
func (p *pause) left(now time.Time) time.Duration {
	if p.length == 0 {
		return 0
	}
	return p.last.Add(p.length).Sub(now)
}

// looks starts a round over so many channels and judges the one before.
func (p *pause) looks(channels int, now time.Time) {
	switch {
	case p.looked == 0:
	case p.found < smallLook*p.looked:
		p.length = min(max(2*p.length, minPause), maxPause)
	case p.found > 8*smallLook*p.looked:
		p.length /= 2
	}
	p.last, p.looked, p.found = now, channels, 0
}

// parked says that the reader had nothing at all to do.
func (p *pause) parked() {
	p.length /= 2
	if p.length < minPause {
		p.length = 0
	}
	p.looked, p.found = 0, 0
}
