package transport

import (
	"crypto/tls"
	"net"
)

// Records of a busy connection need not be copied into the blocks of their channels: they stay where they were read to, as long as the budget has memory to spare for that. Such a block, a landing, has messages of many channels,
// whose queues have a reference each, and one that is not read keeps all of it. So there is a bound to landings; beyond it, what arrives is copied to what was set aside for its channel, as on connections that are not busy,
// and where there is no reading without waiting: whoever waits for bytes must not hold memory that others may want. Over TLS records are decrypted to where they stay.
//
// What has landed takes nothing of what was set aside for its channel, whose limit therefore rises by it.

// land reads into a landing what is there, without waiting. It returns false if that is not possible or nothing is there. n bytes of what was not handled will be in one piece.
func (r *receiver) land(n int) bool {
	if !r.busy || r.budget == nil || r.try == nil {
		return false
	}
	if r.landed >= receiveBytes { // it waits for nothing; but as much as one read of fill gets is not left untold
		r.landed = 0
		r.dry()
		if r.landing != nil && !r.lender.spares() { // one that nobody keeps a part of is used again and again, as long as the connection is busy
			return false
		}
	}
	if r.landing != nil && r.r == r.w && !r.landing.Shared() {
		r.r, r.w = 0, 0 // it is free again
	}
	if r.landing == nil || r.lender != r.budget || len(r.buf)-r.w < leastLanding || len(r.buf)-r.r < n {
		next := r.budget.land()
		if next == nil {
			return false
		}
		if len(next.Bytes()) < n {
			next.Release()
			return false
		}
		r.w = copy(next.Bytes(), r.buf[r.r:r.w])
		r.r = 0
		if r.landing != nil {
			r.landing.Release()
		}
		r.landing, r.lender, r.buf = next, r.budget, next.Bytes()
	}
	k := r.try(r.buf[r.w:])
	r.w += k
	r.landed += k
	r.busy = k >= r.busyBytes
	return k > 0
}

// leastLanding is how much room a landing must have for another read.
const leastLanding = 8 << 10

// leave gives the landing back, and keeps what was not handled. It must come before anything that waits.
func (r *receiver) leave() {
	if r.landing == nil {
		return
	}
	r.w = copy(r.own, r.buf[r.r:r.w])
	r.r = 0
	r.buf = r.own
	r.landing.Release()
	r.landing, r.lender = nil, nil
}

// forget is leave, and nothing lands before there are records again. It must come before a channel is said to be over: whose it was may close its budget at once, and that no memory of it is, or will be, held here must not depend on what comes next.
func (r *receiver) forget() {
	r.leave()
	r.budget = nil
}

// lends reports whether what is buffered can stay where it is, for a channel of that budget.
func (r *receiver) lends(b *Budget) bool { return r.landing != nil && r.lender == b }

// tryOf returns what reads from a connection without waiting, and returns 0 if there is nothing, or something is wrong, of which a Read tells; nil if that is not possible.
func tryOf(conn net.Conn) func([]byte) int {
	switch conn := conn.(type) {
	case *tls.Conn:
		return carrierOf(conn).tryOver(conn)
	case *net.TCPConn:
		return readSome(conn)
	case *net.UnixConn:
		return readSome(conn)
	case interface{ TryRead([]byte) (int, error) }: // see Config.Dial
		return func(p []byte) int {
			n, _ := conn.TryRead(p)
			return n
		}
	}
	return nil
}
