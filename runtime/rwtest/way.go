package rwtest

import (
	"math"
	"sync"
	"time"
)

const (
	// never is the time of what does not happen. All times are durations since the network was made.
	never = time.Duration(math.MaxInt64)

	defaultWindow = 64 << 10
	packet        = 1460 // bytes of what is paced, or lost, in one piece
)

// lane is all that runs between two hosts. Its lock guards everything in it: both ways, the connections, and their ends. It is held for moments only; whoever waits does so on
// a condition.
type lane struct {
	network *Network
	hosts   [2]string
	setup   sync.Once // for what EachLink has to say

	mu      sync.Mutex
	ways    [2]*way // from hosts[0] to hosts[1], and back
	conns   []*pair // those of which an end is open
	stats   LinkStats
	dialing sync.Cond // woken when a dial may go on
	closed  bool
}

// way is one direction of a lane.
type way struct {
	lane     *lane
	from, to string

	latencyLow, latencyHigh time.Duration
	bytesPerSecond          int64   // 0 is no limit
	split                   int     // most bytes of a Read; 0 is no limit
	loss                    float64 // probability for each packet
	retransmit              time.Duration
	wakeups                 time.Duration // most by which somebody who waited is late
	window                  int
	refuse                  bool

	dropped bool
	free    time.Duration // when the wire has sent what was written
	cutter  *cutter
	framing *framing
}

func newLane(n *Network, from, to string) *lane {
	l := &lane{network: n, hosts: [2]string{from, to}}
	l.dialing.L = &l.mu
	l.ways[0] = &way{lane: l, from: from, to: to, window: defaultWindow}
	l.ways[1] = &way{lane: l, from: to, to: from, window: defaultWindow}
	return l
}

// arrival says when n bytes that are written at a time arrive. REQUIRES: lane.mu held.
func (w *way) arrival(at time.Duration, n int, d *dice) time.Duration {
	if w.bytesPerSecond > 0 {
		at = max(at, w.free) + time.Duration(float64(n)/float64(w.bytesPerSecond)*float64(time.Second))
		w.free = at
	}
	if w.latencyHigh > 0 {
		at += d.duration(w.latencyLow, w.latencyHigh)
	}
	if w.loss > 0 && w.retransmit > 0 {
		// A packet that is lost again is sent again after twice the time. Ten times in a row ends it even if everything is lost.
		for i := 0; i < 10 && d.happens(w.loss); i++ {
			at += w.retransmit << i
		}
	}
	return at
}

// late sleeps for as long as somebody who has waited shall be late. The lock is not held meanwhile. It says whether it has slept. REQUIRES: lane.mu held.
func (w *way) late(d *dice) bool {
	if w.wakeups <= 0 {
		return false
	}
	delay := d.duration(0, w.wakeups)
	w.lane.mu.Unlock()
	time.Sleep(delay)
	w.lane.mu.Lock()
	return true
}

// wait waits on a condition of the lane until it is woken, at the latest at a time. The timer is that of all who wait on the condition. REQUIRES: lane.mu held.
func (l *lane) wait(c *sync.Cond, timer **time.Timer, until time.Duration) {
	if until != never {
		delay := until - l.network.now()
		if *timer == nil {
			*timer = time.AfterFunc(delay, func() {
				l.mu.Lock()
				defer l.mu.Unlock()
				c.Broadcast()
			})
		} else {
			(*timer).Reset(delay)
		}
	}
	c.Wait()
}

// pipes calls f for what runs this way. REQUIRES: lane.mu held.
func (w *way) pipes(f func(*pipe)) {
	for _, c := range w.lane.conns {
		for i := range c.pipes {
			if c.pipes[i].way == w {
				f(&c.pipes[i])
			}
		}
	}
}

// drop stops what is under way. REQUIRES: lane.mu held.
func (w *way) drop() {
	if w.dropped {
		return
	}
	w.dropped = true
	now := w.lane.network.now()
	w.pipes(func(p *pipe) { p.hold(now) })
	w.lane.dialing.Broadcast() // what is on its way stays behind
}

// heal sends on what was stopped. REQUIRES: lane.mu held.
func (w *way) heal() {
	if !w.dropped {
		return
	}
	w.dropped = false
	now := w.lane.network.now()
	w.free = now
	w.pipes(func(p *pipe) { p.resume(now) })
	w.lane.dialing.Broadcast()
}
