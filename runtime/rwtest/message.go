package rwtest

// Pass is what the hook of [Link.OnMessage] returns for messages behind which nothing is cut.
const Pass = -1

// Message is what a hook of [Link.OnMessage] gets to see.
type Message struct {
	From, To string // hosts
	Conn     int    // number of the connection, see [Conn.Number]
	Number   int    // how many messages were before it in this direction of the connection
	Start    int64  // how many bytes
	Header   []byte // valid until the hook returns
	Body     int    // bytes behind the header
}

// framing says how a stream is cut into messages, and who looks at them.
type framing struct {
	header int
	body   func(header []byte) int
	hook   func(Message) int
}

// frame is where a pipe stands in its stream of messages.
type frame struct {
	by     *framing
	header []byte // as far as it is complete
	start  int64
	skip   int // bytes of the body that have to come
	number int
}

// scan shows the hook the messages whose headers b completes. The lock is not held while it looks. REQUIRES: lane.mu held, writing.
func (p *pipe) scan(b []byte) {
	by := p.way.framing
	if by == nil || p.cutAt >= 0 {
		return
	}
	f := &p.frame
	if f.by != by {
		*f = frame{by: by}
	}
	first := p.entered
	for at := first; len(b) > 0; {
		if f.skip > 0 {
			k := min(f.skip, len(b))
			f.skip, b, at = f.skip-k, b[k:], at+int64(k)
			continue
		}
		if len(f.header) == 0 {
			f.start = at
		}
		k := min(by.header-len(f.header), len(b))
		f.header = append(f.header, b[:k]...)
		b, at = b[k:], at+int64(k)
		if len(f.header) < by.header {
			return
		}
		if cut := f.show(p); cut >= 0 {
			p.cutAt = max(f.start+int64(cut), first)
			return
		}
	}
}

// show shows the hook the message whose header is complete, and returns what it says. REQUIRES: lane.mu held.
func (f *frame) show(p *pipe) int {
	p.way.lane.mu.Unlock()
	defer p.way.lane.mu.Lock()
	f.skip = max(f.by.body(f.header), 0)
	cut := f.by.hook(Message{
		From: p.way.from, To: p.way.to, Conn: p.sender.pair.number, Number: f.number, Start: f.start, Header: f.header, Body: f.skip,
	})
	f.header = f.header[:0]
	f.number++
	return cut
}
