package rwtest

import (
	"fmt"
	"slices"
	"time"
)

// Link is a handle on what runs between two hosts, in both directions, or, after [Link.From], in one. What it sets holds for all connections between the two, those that are open and those to come, until it is
// set anew. Negative numbers are taken for 0.
//
// All methods may be called from any goroutine.
type Link struct {
	lane *lane
	ways []*way
}

// LinkStats says what has happened on a link, in both directions.
type LinkStats struct {
	Dials int   // that were begun
	Conns int   // that were made
	Open  int   // of which an end is open
	Cuts  int   // connections that were reset by the network, at one end or both
	Bytes int64 // that were written and taken
}

// link returns the handle on both directions.
func (l *lane) link() *Link { return &Link{l, l.ways[:]} }

// Hosts returns the names of the two hosts.
func (l *Link) Hosts() (a, b string) { return l.lane.hosts[0], l.lane.hosts[1] }

// From returns the handle on what a host sends, and the other one receives. It panics if the host is neither of the two.
func (l *Link) From(host string) *Link {
	host = hostOf(host)
	ways := slices.DeleteFunc(slices.Clone(l.ways), func(w *way) bool { return w.from != host })
	if len(ways) == 0 {
		panic(fmt.Sprintf("rwtest: no direction of the link between %s and %s comes from %s", l.lane.hosts[0], l.lane.hosts[1], host))
	}
	return &Link{l.lane, ways}
}

// each calls f for the directions.
func (l *Link) each(f func(*way)) {
	l.lane.mu.Lock()
	defer l.lane.mu.Unlock()
	for _, w := range l.ways {
		f(w)
	}
}

// Latency sets how long bytes take, from low to high, chosen for each Write. They never overtake each other. The other direction counts too for dialing. None by default.
func (l *Link) Latency(low, high time.Duration) {
	low = max(low, 0)
	l.each(func(w *way) { w.latencyLow, w.latencyHigh = low, max(low, high) })
}

// BytesPerSecond sets how much one direction carries, for all connections together. 0, the default, is no limit.
func (l *Link) BytesPerSecond(n int64) { l.each(func(w *way) { w.bytesPerSecond = max(n, 0) }) }

// Split has each Read return at most n bytes, and mostly less. Where the stream is split follows from the seed alone, not from times. 0, the default, is no limit.
func (l *Link) Split(n int) { l.each(func(w *way) { w.split = max(n, 0) }) }

// Loss loses packets of 1460 bytes with a probability. What is lost is sent again after a time, and again after twice the time: so loss is delay, of all that comes behind it too. None by default.
func (l *Link) Loss(probability float64, retransmit time.Duration) {
	l.each(func(w *way) { w.loss, w.retransmit = probability, max(retransmit, 0) })
}

// Wakeups makes everybody who has waited, in Read, Write, Dial or Accept, late by up to a time that follows from the seed. In virtual time this sets the order in which goroutines go on that could go on at the same time, and a time of 1 ms
// is enough for that; they then run one after the other, as long as no two draw the same nanosecond. None by default.
func (l *Link) Wakeups(most time.Duration) { l.each(func(w *way) { w.wakeups = max(most, 0) }) }

// Window sets how many bytes of a connection can be written and not yet read, in each direction; Write waits beyond that. 64 KiB by default, at least 1.
func (l *Link) Window(n int) {
	l.each(func(w *way) {
		w.window = max(n, 1)
		w.pipes(func(p *pipe) { p.sender.writers.Broadcast() })
	})
}

// Refuse makes dials fail with [syscall.ECONNREFUSED], or succeed again. With From, those of one host.
func (l *Link) Refuse(refuse bool) { l.each(func(w *way) { w.refuse = refuse }) }

// Drop lets nothing through any more, and tells nobody: no bytes, no ends, no dials. What is under way stays behind; what has arrived can be read. Nothing is lost, it comes after Heal.
func (l *Link) Drop() { l.each((*way).drop) }

// Heal ends Drop. What was stopped is sent now.
func (l *Link) Heal() { l.each((*way).heal) }

// Cut resets the open connections at both ends, at once, see [Conn.Cut].
func (l *Link) Cut() {
	l.lane.mu.Lock()
	defer l.lane.mu.Unlock()
	for _, c := range l.lane.conns {
		c.reset()
	}
}

// CutAt resets the open connections at the ends of one host; those of the other never learn, see [Conn.CutHere].
func (l *Link) CutAt(host string) {
	host = hostOf(host)
	l.lane.mu.Lock()
	defer l.lane.mu.Unlock()
	for _, c := range l.lane.conns {
		for i := range c.ends {
			if c.pipes[i].way.from == host {
				c.ends[i].vanish()
			}
		}
	}
}

// CutAfter resets, once, the connection that carries the n-th byte from now on, right behind that byte. Its receiver gets all bytes up to there, and then the reset. Its sender is reset at once, but the
// Write that took the byte succeeds. Bytes of all connections are counted, and those of both directions, unless From has chosen one. It takes the place of what CutAfter and CutEvery have set
// before.
func (l *Link) CutAfter(n int64) {
	c := once(n)
	l.each(func(w *way) { w.cutter = c })
}

// CutEvery is CutAfter again and again, at distances from low to high bytes that follow from the seed. It ends if high is 0.
func (l *Link) CutEvery(low, high int64) {
	var c *cutter
	if high > 0 {
		first := l.ways[0]
		c = every(low, high, newDice(l.lane.network.seed, []string{first.from, first.to}, uint64(len(l.ways)), 5))
	}
	l.each(func(w *way) { w.cutter = c })
}

// OnMessage shows a hook each message before it is sent, and cuts the connection where the hook says so: behind that many bytes of the message, header included, or nowhere if it returns [Pass]. Bytes that an earlier Write has sent
// are sent: the cut is behind them. A stream is cut into messages of header > 0 bytes, and of as many bytes of body as the function says for a header. It begins when the connection does, or where it stands when OnMessage is called.
//
// The hook is called by whoever writes, of each direction of a connection by one at a time. It may use the network, and so drop or cut other links; it must not write to the connection. A nil hook ends it.
func (l *Link) OnMessage(header int, body func(header []byte) int, hook func(Message) (cut int)) {
	var f *framing
	if hook != nil {
		if header <= 0 {
			panic(fmt.Sprintf("rwtest: messages with a header of %d bytes", header))
		}
		f = &framing{header, body, hook}
	}
	l.each(func(w *way) { w.framing = f })
}

// Stats returns a snapshot.
func (l *Link) Stats() LinkStats {
	l.lane.mu.Lock()
	defer l.lane.mu.Unlock()
	return l.lane.stats
}

// Conns returns the ends of the open connections that send in the directions of the link, in the order in which they were dialed.
func (l *Link) Conns() []*Conn {
	l.lane.mu.Lock()
	defer l.lane.mu.Unlock()
	var conns []*Conn
	for _, c := range l.lane.conns {
		for i := range c.ends {
			if !c.ends[i].closed && slices.Contains(l.ways, c.pipes[i].way) {
				conns = append(conns, &c.ends[i])
			}
		}
	}
	return conns
}
