package buffer

import (
	"context"
	"slices"

	"github.com/rwgen/rwgen/runtime/memory"
)

// asked is a channel that somebody selects on.
type asked struct {
	lane  int // or -1
	ready chan struct{}
}

// Wait waits until it is worth trying again for a lane: until half of what is not open is free, or one block of the largest size if the lane holds no more
// than that; others leave at least one block of it; and the lane is at most half full. Open blocks, see Opened, do not come back by waiting. It returns early after Wake; it fails with ctx's error, and with that of Err.
func (p *LocalPool) Wait(ctx context.Context, lane int) error {
	p.mu.Lock()
	if p.closed.Load() || p.enough(lane) {
		err := p.err()
		p.refused = false
		p.mu.Unlock()
		return err
	}
	// A token that is left from before only makes the caller look once more. Taking it out here would lose the wake-up
	// of somebody who changed something after the caller's last look.
	p.waiting, p.waitLane = true, lane
	p.mu.Unlock()
	var err error
	select {
	case <-p.wake:
	case <-ctx.Done():
		err = Interrupted(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = false
	if p.closed.Load() {
		return ErrClosed
	}
	return err
}

// Opened says that the writer holds n more bytes in open blocks, or fewer if n is negative: memory that only he can give back. Whoever waits, or asked to be told,
// before that is judged by what is open when memory comes back.
func (p *LocalPool) Opened(n int) { p.open.Add(int64(n)) }

// Available reports whether a block of the largest size would fit into a lane, and at least one of memory.MinBlock bytes is to be had; for lane −1,
// whether the first holds for every lane. After a TryLarge that was refused it also reports whether there is room for that. It is true after Close,
// since nothing has to be waited for. It takes no lock but after such a TryLarge.
func (p *LocalPool) Available(lane int) bool {
	if p.closed.Load() {
		return true
	}
	return p.roomy(lane) && p.share.Room() >= memory.MinBlock && p.largeFree()
}

// roomy reports whether a lane, or each, has room for a block of the largest size below its cap.
func (p *LocalPool) roomy(lane int) bool {
	if lane < 0 {
		return p.crowd.Load() == 0
	}
	return p.lanes[lane].Load()+int64(p.max) <= p.cap
}

// largeFree reports whether there is room for what the last TryLarge did not get.
func (p *LocalPool) largeFree() bool {
	n := p.large.Load()
	return n == 0 || p.area.free(p.member, n)
}

// Ready returns a channel that is closed when it is worth trying again for a lane: when what Wait waits for holds, and there is room for what the last
// TryLarge did not get. For lane −1 it is closed when Available(−1) holds. It is also closed by Wake and Close. It may be closed already; once closed it
// stays so, and the next call says how things stand then. Nothing is to be given back, and nothing has to be done with the channel.
func (p *LocalPool) Ready(lane int) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	woken := p.closed.Load() || p.worthwhile(lane)
	select {
	case <-p.wake: // a Wake that nobody has seen
		woken = true
	default:
	}
	if woken {
		if p.always == nil {
			p.always = make(chan struct{})
			close(p.always)
		}
		return p.always
	}
	for i := range p.asked {
		if a := &p.asked[i]; a.lane == lane {
			return a.ready
		}
	}
	p.asked = append(p.asked, asked{lane, make(chan struct{})})
	return p.asked[len(p.asked)-1].ready
}

// enough reports what Wait waits for. If others are in the way, they will call changed. REQUIRES: mu held.
func (p *LocalPool) enough(lane int) bool {
	share, open, held := p.share.Bytes(), p.open.Load(), p.lanes[lane].Load()
	switch {
	case held > p.cap/2:
		return false
	case p.used <= min(open+(share-open)/2, share-memory.MinBlock):
	case held <= int64(p.max) && p.used <= share-int64(p.max):
		// The lane's reader has read all or nearly all. Half of the share may never be free: others may be full, and their readers slow.
	default:
		return false
	}
	return p.share.Await()
}

// worthwhile reports what Ready waits for. If others are in the way, they will call changed. REQUIRES: mu held.
func (p *LocalPool) worthwhile(lane int) bool {
	if lane < 0 {
		if !p.roomy(lane) || !p.share.Await() {
			return false
		}
	} else if !p.enough(lane) {
		return false
	}
	n := p.large.Load()
	return n == 0 || p.area.watch(n, p)
}

// look wakes whoever waits for what holds now. It is called after every change that can make it hold. REQUIRES: mu held.
func (p *LocalPool) look() {
	if p.waiting && p.enough(p.waitLane) {
		p.waiting = false
		p.token()
	}
	if len(p.asked) > 0 {
		p.asked = slices.DeleteFunc(p.asked, func(a asked) bool {
			if !p.worthwhile(a.lane) {
				return false
			}
			close(a.ready)
			return true
		})
	}
}

// changed looks again because others have given something back, or the share has grown. From any goroutine, without locks.
func (p *LocalPool) changed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.share != nil { // it is not there yet while it is being opened
		p.look()
	}
}

// Wake makes a waiter return and look again, for reasons the pool does not know, and closes the channels of Ready.
func (p *LocalPool) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.token()
	for _, a := range p.asked {
		close(a.ready)
	}
	p.asked = nil
}

func (p *LocalPool) token() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}
