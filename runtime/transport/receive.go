package transport

import (
	"fmt"
	"io"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// receiver reads messages from a connection: many small ones with one system call, and records straight to where they belong, or to where they can stay (see land.go).
type receiver struct {
	conn    net.Conn
	try     func(p []byte) int // reads without waiting; see tryOf
	below   *carrier           // of TLS; nil without it
	sealed  bool               // conn is TLS: a call that reads little of it copies little, and is none to the kernel
	from    message.Role       // who sends
	limits  message.Limits
	timeout time.Duration
	// dry is called before a call that may wait for bytes: everything that has arrived was handled.
	dry func()

	own       []byte         // memory of the receiver: handshakeBytes, and receiveBytes from welcome on
	budget    *Budget        // that the last records were for; nil: nothing lands
	landing   *buffer.Buffer // that is read into instead of own; nil: none
	lender    *Budget        // of landing
	busy      bool           // the last read has got busyBytes: it is worth while to read into a landing
	busyBytes int            // standardBusy, but for tests
	landed    int            // bytes that have landed since dry was called there

	buf     []byte    // own, or the memory of landing
	r, w    int       // buf[r:w] has arrived and was not handled
	set     time.Time // when the deadline was set
	stopped atomic.Bool
	long    []byte // for bodies that are longer than own
}

const (
	receiveBytes = 64 << 10
	// handshakeBytes is what a connection has for a peer that was not let in yet. A HELLO that is longer is taken in pieces.
	handshakeBytes = 4 << 10
	// directBytes is the size from which what is left of a DATA is read straight into its block. Less comes with what follows it, in one call, and is copied.
	directBytes = 16 << 10
	// sealedBytes takes the place of receiveBytes and directBytes above TLS: what is decrypted is copied once then, to where it belongs.
	sealedBytes = 4 << 10
	// keptLong is the size up to which the buffer for long bodies is kept.
	keptLong = 64 << 10
	// standardBusy is what a read must get for the next one to be into memory that records can stay in.
	standardBusy = 8 << 10
)

// newReceiver returns a receiver with little memory, for a peer of whom nothing is known: see welcome.
func newReceiver(conn net.Conn, from message.Role, timeout time.Duration) *receiver {
	r := &receiver{conn: conn, try: tryOf(conn), from: from, timeout: timeout, busyBytes: standardBusy, own: make([]byte, handshakeBytes), dry: func() {}}
	r.buf = r.own
	if r.below = carrierOf(conn); r.below != nil {
		r.sealed = true
		r.below.wait = func() { r.dry() }
	}
	return r
}

// welcome gives the receiver the memory that a peer gets which was let in.
func (r *receiver) welcome() {
	own := make([]byte, receiveBytes)
	r.w = copy(own, r.buf[r.r:r.w])
	r.r, r.own, r.buf = 0, own, own
}

// header waits for the next message and returns its header. The whole message must arrive within the timeout.
func (r *receiver) header() (message.Header, error) {
	if now := time.Now(); now.Sub(r.set) > r.timeout/8 {
		r.set = now
		if err := r.conn.SetReadDeadline(now.Add(r.timeout)); err != nil {
			return message.Header{}, err
		}
		if r.stopped.Load() { // what stop has set may be overwritten
			return message.Header{}, os.ErrDeadlineExceeded
		}
	}
	if err := r.need(message.HeaderBytes); err != nil {
		return message.Header{}, err
	}
	h, err := message.ParseHeader(r.buf[r.r:], r.from, r.limits)
	if err != nil {
		return message.Header{}, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	r.r += message.HeaderBytes
	return h, nil
}

// stop makes the reading goroutine fail. From any goroutine.
func (r *receiver) stop() {
	r.stopped.Store(true)
	_ = r.conn.SetReadDeadline(time.Unix(1, 0))
}

// need makes sure that n ≤ len(own) bytes are there, in one piece.
func (r *receiver) need(n int) error {
	for r.w-r.r < n {
		if err := r.fill(n); err != nil {
			if err == io.EOF && r.w > r.r {
				return io.ErrUnexpectedEOF
			}
			return err
		}
	}
	return nil
}

// fill reads what there is, at least one byte, behind what was not handled; n bytes of that will be in one piece.
func (r *receiver) fill(n int) error {
	if r.land(n) {
		return nil
	}
	r.leave()
	switch {
	case r.r == r.w:
		r.r, r.w = 0, 0
	case len(r.buf)-r.r < n:
		r.w = copy(r.buf, r.buf[r.r:r.w])
		r.r = 0
	}
	dst := r.buf[r.w:]
	if r.sealed {
		dst = dst[:min(len(dst), sealedBytes)]
	} else {
		r.dry()
	}
	k, err := r.conn.Read(dst)
	r.w += k
	r.busy = k+r.below.received() >= r.busyBytes
	if k > 0 {
		return nil
	}
	if err == nil {
		return io.ErrNoProgress
	}
	return err
}

// body returns the n bytes that follow. They are valid until the next call. Memory is taken as they arrive.
func (r *receiver) body(n int) ([]byte, error) {
	if n <= len(r.own) {
		if err := r.need(n); err != nil {
			return nil, unexpected(err)
		}
		b := r.buf[r.r : r.r+n]
		r.r += n
		return b, nil
	}
	b := r.long[:0]
	for len(b) < n {
		if r.r == r.w {
			if err := r.fill(1); err != nil {
				return nil, unexpected(err)
			}
		}
		k := min(n-len(b), r.w-r.r)
		b = append(b, r.buf[r.r:r.r+k]...)
		r.r += k
	}
	r.long = nil
	if cap(b) <= keptLong {
		r.long = b
	}
	return b, nil
}

// buffered returns how many bytes have arrived and were not handled.
func (r *receiver) buffered() int { return r.w - r.r }

// take copies what is buffered to dst, as much as there is room for.
func (r *receiver) take(dst []byte) int {
	n := copy(dst, r.buf[r.r:r.w])
	r.r += n
	return n
}

// some reads some of the left bytes of a message into dst, which is not empty and not longer than that.
func (r *receiver) some(dst []byte, left int) (int, error) {
	if r.r == r.w {
		r.leave()
		if left >= directBytes || r.sealed && left >= sealedBytes {
			if !r.sealed {
				r.dry()
			}
			n, err := r.conn.Read(dst)
			r.busy = n+r.below.received() >= r.busyBytes
			if n > 0 {
				return n, nil
			}
			if err == nil {
				err = io.ErrNoProgress
			}
			return 0, unexpected(err)
		}
		if err := r.fill(1); err != nil {
			return 0, unexpected(err)
		}
	}
	return r.take(dst), nil
}

// skip passes over n bytes.
func (r *receiver) skip(n int) error {
	for n > 0 {
		if r.r == r.w {
			if err := r.fill(1); err != nil {
				return unexpected(err)
			}
		}
		k := min(n, r.w-r.r)
		r.r += k
		n -= k
	}
	return nil
}

// unexpected returns the error of a connection that ends inside a message.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
