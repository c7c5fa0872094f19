package transport

import (
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// batch is what goes to a connection with one call: messages and headers in an arena of its own, and between them records where they lie.
type batch struct {
	conn    net.Conn
	below   *carrier // of conn; nil: there is no TLS
	timeout time.Duration
	vector  bool            // the connection takes many pieces with one call, so records need not be copied
	raw     syscall.RawConn // of conn, if it can be written to without waiting; nil: it cannot

	size   int // of the arena
	arena  []byte
	start  int // of the arena's piece that is not in pieces yet
	pieces net.Buffers
	queue  net.Buffers // what a write works on
	bytes  int         // all
	set    time.Time   // when the deadline was set

	stopped atomic.Bool
	until   atomic.Int64 // nanoseconds since the Unix epoch: no write takes longer; 0: by the timeout only
	failed  bool         // a write has, or try has sent a part and write has not come yet: the stream may end inside a message
}

const (
	// arenaBytes is the room for headers and what is copied, copyingBytes where everything is; reservedBytes of it are for messages other than DATA.
	arenaBytes    = 64 << 10
	copyingBytes  = 256 << 10
	reservedBytes = 8 << 10
	// batchBytes and batchPieces are where a batch is full.
	batchBytes  = 512 << 10
	batchPieces = 256
	// copiedBytes is the size up to which records are copied behind their header, which costs less than a piece of their own.
	copiedBytes = 1 << 10
)

func newBatch(conn net.Conn, timeout time.Duration) *batch {
	b := &batch{conn: conn, below: carrierOf(conn), timeout: timeout, size: copyingBytes}
	if b.below != nil {
		conn = b.below.Conn
	}
	switch conn := conn.(type) {
	case *net.TCPConn:
		b.vector, b.raw = b.below == nil, rawOf(conn)
	case *net.UnixConn:
		b.vector, b.raw = b.below == nil, rawOf(conn)
	}
	if b.vector {
		b.size = arenaBytes
	}
	b.arena = make([]byte, 0, b.size)
	return b
}

// empty reports whether there is nothing to be written.
func (b *batch) empty() bool {
	return len(b.arena) == 0 && len(b.pieces) == 0 && (b.below == nil || !b.below.owes())
}

// full reports whether the batch should be written before anything is added.
func (b *batch) full() bool {
	return b.bytes >= batchBytes || len(b.pieces) >= batchPieces || cap(b.arena)-len(b.arena) < reservedBytes
}

// room returns how many bytes of records can be added at present.
func (b *batch) room() int {
	if b.vector {
		return batchBytes
	}
	return cap(b.arena) - len(b.arena) - reservedBytes/2
}

// add appends what f appends: headers and whole messages.
func (b *batch) add(f func(dst []byte) []byte) {
	n := len(b.arena)
	b.arena = f(b.arena)
	b.bytes += len(b.arena) - n
}

// records appends data, which must stay as it is until the batch was written.
func (b *batch) records(data []byte) {
	b.bytes += len(data)
	if len(data) <= copiedBytes && len(data) <= cap(b.arena)-len(b.arena) || !b.vector && len(data) <= cap(b.arena)-len(b.arena) {
		b.arena = append(b.arena, data...)
		return
	}
	b.close()
	b.pieces = append(b.pieces, data)
}

// close makes a piece of what was appended to the arena.
func (b *batch) close() {
	if len(b.arena) > b.start {
		b.pieces = append(b.pieces, b.arena[b.start:len(b.arena):len(b.arena)])
		b.start = len(b.arena)
	}
}

// stop makes the writing goroutine fail. From any goroutine.
func (b *batch) stop() {
	b.stopped.Store(true)
	_ = b.conn.SetWriteDeadline(time.Unix(1, 0))
}

// finish lets the writing goroutine send what it has begun, within refuseTimeout. From any goroutine.
func (b *batch) finish() {
	t := time.Now().Add(refuseTimeout)
	b.until.Store(t.UnixNano())
	_ = b.conn.SetWriteDeadline(t)
}

// write sends everything and empties the batch.
func (b *batch) write() error {
	b.close()
	if now := time.Now(); now.Sub(b.set) > b.timeout/8 {
		b.set = now
		if err := b.conn.SetWriteDeadline(now.Add(b.timeout)); err != nil {
			return err
		}
		if b.stopped.Load() { // what stop has set may be overwritten
			return os.ErrDeadlineExceeded
		}
		if until := b.until.Load(); until != 0 { // and what finish has
			_ = b.conn.SetWriteDeadline(time.Unix(0, until))
		}
	}
	err := b.send()
	b.clear()
	b.failed = err != nil
	return err
}

// clear empties the batch.
func (b *batch) clear() {
	clear(b.pieces)
	b.pieces = b.pieces[:0]
	if cap(b.arena) > 2*b.size { // a schema was in it
		b.arena = make([]byte, 0, b.size)
	}
	b.arena, b.start, b.bytes = b.arena[:0], 0, 0
}

// triedBytes is the size of the largest batch that try sends: one or a few records, which the connection takes in a few microseconds.
const triedBytes = 4 << 10

// tries reports whether there is any use in try.
func (b *batch) tries() bool { return b.raw != nil }

// lend makes try possible while the writing goroutine waits: nobody must wait for the connection then with a lock that try needs. wake is called when there is something to be written that was not added to the batch. Nil ends that.
func (b *batch) lend(wake func()) {
	if b.below != nil {
		b.below.postpone(wake)
	}
}

// try sends a batch that is small, without waiting. It returns false if that cannot be, or part of the batch is left, or something is wrong with the connection: write goes on then.
func (b *batch) try() bool {
	b.close()
	if len(b.pieces) != 1 || b.bytes > triedBytes {
		return false
	}
	if b.below != nil {
		b.below.hold()
		_, err := b.conn.Write(b.pieces[0]) // waits for nobody
		if sent := b.below.try(b.raw); err != nil || !sent {
			if err == nil {
				b.clear() // TLS has it
			}
			return false
		}
		b.clear()
		return true
	}
	n := writeSome(b.raw, b.pieces[0])
	if n < len(b.pieces[0]) {
		b.pieces[0] = b.pieces[0][n:]
		b.bytes -= n
		b.failed = n > 0
		return false
	}
	b.clear()
	return true
}

// send sends the pieces.
func (b *batch) send() (err error) {
	if b.below != nil {
		b.below.hold()
		defer func() {
			if failed := b.below.flush(); err == nil {
				err = failed
			}
		}()
	}
	switch len(b.pieces) {
	case 0:
		return nil
	case 1:
		_, err = b.conn.Write(b.pieces[0])
		return err
	}
	b.queue = b.pieces // WriteTo changes the slice that it is called on
	_, err = b.queue.WriteTo(b.conn)
	return err
}
