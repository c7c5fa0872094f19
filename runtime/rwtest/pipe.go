package rwtest

import "time"

// pipe is one direction of a connection: the bytes that were written and not read, with the times at which they arrive, and how it ends.
//
//	read ◄── arrived ──┬── under way ◄── written
//	         at ≤ now  │   at > now, or never while the way is dropped
//	                   └─ behind the last byte: fin (clean), rst (not)
type pipe struct {
	way      *way
	sender   *Conn
	receiver *Conn

	entered int64 // bytes that were taken, those behind cuts and for nobody too
	bytes   ring
	read    int64   // position in the stream up to which was read
	written int64   // and up to which was written; bytes holds what is between
	chunks  []chunk // of the bytes, in order of position and time
	last    time.Duration

	finAt, rstAt time.Duration // never: none, or not now
	fin, rst     bool          // it was sent

	severed bool // nothing arrives any more, and nobody is told
	gone    bool // nobody will read what has not arrived yet
	writing bool // somebody is inside Write

	splitAt int64 // position at which the current read has to stop; at most read is none
	cutAt   int64 // position chosen by a hook, −1 is none
	frame   frame

	dice, splits dice
}

// chunk is what arrives at one time: the bytes up to a position.
type chunk struct {
	end int64
	at  time.Duration
}

// stamp says when something of n bytes that enters at now arrives: after what is before it. REQUIRES: lane.mu held.
func (p *pipe) stamp(now time.Duration, n int) time.Duration {
	if p.severed || p.way.dropped {
		p.last = never
	} else {
		p.last = max(p.last, p.way.arrival(now, n, &p.dice))
	}
	return p.last
}

// enter takes b. If there is nobody any more, it is answered with a reset as soon as it arrives. REQUIRES: lane.mu held.
func (p *pipe) enter(b []byte, now time.Duration) {
	p.entered += int64(len(b))
	if p.gone && p.passes() {
		p.bounce(len(b), now)
		return
	}
	p.bytes.write(b)
	p.stampBytes(len(b), now)
}

// passes says whether what is sent will arrive by itself.
func (p *pipe) passes() bool { return !p.severed && !p.way.dropped }

// stampBytes adds the chunks for n bytes behind what was written.
func (p *pipe) stampBytes(n int, now time.Duration) {
	piece := n
	if p.way.bytesPerSecond > 0 || p.way.loss > 0 {
		piece = packet
	}
	for n > 0 {
		k := min(n, piece)
		at := p.stamp(now, k)
		p.written += int64(k)
		n -= k
		if last := len(p.chunks) - 1; last >= 0 && p.chunks[last].at == at {
			p.chunks[last].end = p.written
		} else {
			p.chunks = append(p.chunks, chunk{p.written, at})
		}
	}
}

// arrived returns how many bytes can be read, and when there will be more of them. REQUIRES: lane.mu held.
func (p *pipe) arrived(now time.Duration) (n int, next time.Duration) {
	end, next := p.read, never
	for _, c := range p.chunks {
		if c.at > now {
			next = c.at
			break
		}
		end = c.end
	}
	return int(end - p.read), next
}

// take reads into b, which is not empty, out of the n bytes that have arrived. REQUIRES: lane.mu held.
func (p *pipe) take(b []byte, n int) int {
	if most := p.way.split; most > 0 {
		if p.splitAt <= p.read {
			p.splitAt = p.read + p.splits.between(1, int64(most))
		}
		n = min(n, int(p.splitAt-p.read))
	}
	n = min(n, len(b))
	p.bytes.read(b[:n])
	p.passed(n)
	return n
}

// forget drops the first n bytes. REQUIRES: lane.mu held.
func (p *pipe) forget(n int) {
	p.bytes.read(make([]byte, n))
	p.passed(n)
}

// passed moves on by n bytes that were taken out.
func (p *pipe) passed(n int) {
	p.read += int64(n)
	drop := 0
	for drop < len(p.chunks) && p.chunks[drop].end <= p.read {
		drop++
	}
	if drop > 0 {
		p.chunks = append(p.chunks[:0], p.chunks[drop:]...)
	}
}

// sendFin ends the stream cleanly. REQUIRES: lane.mu held.
func (p *pipe) sendFin(now time.Duration) {
	if !p.fin && !p.rst {
		p.fin, p.finAt = true, p.stamp(now, 0)
		p.wake()
	}
}

// sendReset tells the receiver, behind all bytes, that there is no connection. REQUIRES: lane.mu held.
func (p *pipe) sendReset(now time.Duration) {
	if !p.rst {
		p.rst, p.rstAt = true, p.stamp(now, 0)
		p.wake()
	}
}

// wake makes the receiver look again: he may be reading, or writing to somebody who is not there.
func (p *pipe) wake() {
	p.receiver.readers.Broadcast()
	p.receiver.writers.Broadcast()
}

// lose drops what has not arrived. REQUIRES: lane.mu held.
func (p *pipe) lose(now time.Duration) {
	n, _ := p.arrived(now)
	p.bytes.cut(n)
	p.written = p.read + int64(n)
	for len(p.chunks) > 0 && p.chunks[len(p.chunks)-1].at > now {
		p.chunks = p.chunks[:len(p.chunks)-1]
	}
	if p.finAt > now {
		p.fin, p.finAt = false, never
	}
	if p.rstAt > now {
		p.rst, p.rstAt = false, never
	}
	p.last = now
}

// leave is called when nobody will read what has not arrived. While the way is dropped it stays in the window. It returns how much is lost. REQUIRES: lane.mu held.
func (p *pipe) leave(now time.Duration) (lost int) {
	p.gone = true
	n, _ := p.arrived(now)
	if lost = p.bytes.n - n; p.severed || !p.way.dropped {
		p.lose(now)
	}
	p.sender.writers.Broadcast()
	return lost
}

// abandon is called when nobody will read anything any more. What is under way will be answered with a reset. REQUIRES: lane.mu held.
func (p *pipe) abandon(now time.Duration) {
	last := p.last
	if n, _ := p.arrived(now); n > 0 {
		p.forget(n)
	}
	if p.leave(now) > 0 && p.passes() {
		p.receiver.out.sendReset(last)
	}
}

// bounce answers n bytes that enter for nobody with a reset. REQUIRES: lane.mu held.
func (p *pipe) bounce(n int, now time.Duration) {
	if n > 0 {
		p.receiver.out.sendReset(p.stamp(now, n))
	}
}

// room returns how many bytes can be written. REQUIRES: lane.mu held.
func (p *pipe) room() int {
	if p.gone && p.passes() {
		return packet // nobody keeps them
	}
	return p.way.window - p.bytes.n
}

// hold stops what is under way. REQUIRES: lane.mu held.
func (p *pipe) hold(now time.Duration) {
	p.last = now
	for i := range p.chunks {
		if p.chunks[i].at > now {
			p.chunks[i].at, p.last = never, never
		}
	}
	if p.fin && p.finAt > now {
		p.finAt, p.last = never, never
	}
	if p.rst && p.rstAt > now {
		p.rstAt, p.last = never, never
	}
}

// resume sends what was stopped. REQUIRES: lane.mu held.
func (p *pipe) resume(now time.Duration) {
	arrived, _ := p.arrived(now)
	stopped := int(p.written-p.read) - arrived
	for len(p.chunks) > 0 && p.chunks[len(p.chunks)-1].at == never {
		p.chunks = p.chunks[:len(p.chunks)-1]
	}
	p.last = now
	p.written -= int64(stopped)
	if p.gone && p.passes() {
		p.bytes.cut(arrived)
		p.bounce(stopped, now)
		p.sender.writers.Broadcast()
	} else {
		p.stampBytes(stopped, now)
	}
	if p.fin && p.finAt == never {
		p.finAt = p.stamp(now, 0)
	}
	if p.rst && p.rstAt == never {
		p.rstAt = p.stamp(now, 0)
	}
	p.wake()
}
