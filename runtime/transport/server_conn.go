package transport

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// serverConn is one connection of a server. Its reading goroutine is the one that was started for the connection; it starts and awaits the writing one, and those that wait for partitions.
type serverConn struct {
	server  *Server
	number  uint64 // in the order in which connections were accepted
	conn    net.Conn
	address string
	peer    Peer
	session *session
	// certificate is what the client has shown, which is verified if Config.TLS wants it to be; nil: none.
	certificate *x509.Certificate
	maxData     int
	shared      atomic.Pointer[session]  // session, for other goroutines
	in          atomic.Pointer[receiver] // set once
	out         *batch
	alive       time.Duration // interval of keep-alive

	ctx    context.Context // of everything that waits for something on behalf of the connection
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when nobody uses the connection any more
	wg     sync.WaitGroup

	// Guarded by session.mu.
	channels map[uint32]*outlet
	waiting  map[uint32]*request
	lookout  lookout

	// Writing goroutine, or who stands in for it.
	sent        time.Time // when something was sent for the last time
	schemas     map[schemaKey]uint32
	schemaBytes int
	unsendable  []unsendable
	acked       []partition.Chunk // what a CREDIT gives back; reading goroutine
}

// schemaKey tells schemas apart that are sent once for each connection.
type schemaKey struct {
	record string
	schema record.Schema
}

// bytes returns how much a SCHEMA counts against maxSchemas.
func (k schemaKey) bytes() int {
	return schemaBytes + len(k.record) + len(k.schema.Text) + len(k.schema.Reading)
}

// schemaBytes is what a SCHEMA counts for beside its texts, which may be empty: what it takes in memory. It is a number of the protocol.
const schemaBytes = 128

// hasRoomFor reports whether the client has a schema, or room for it. From the writing goroutine.
func (c *serverConn) hasRoomFor(name string, s record.Schema) bool {
	key := schemaKey{name, s}
	if _, ok := c.schemas[key]; ok {
		return true
	}
	return c.schemaBytes+key.bytes() <= maxSchemas
}

var errSchemas = fmt.Errorf("%w: schemas of more than %d bytes on one connection", ErrTooMany, maxSchemas)

// unsendable is a channel that is to be ended because what comes next in it can never be sent.
type unsendable struct {
	outlet *outlet
	cause  error
}

// cutUnsendable ends such channels.
func (c *serverConn) cutUnsendable() {
	if len(c.unsendable) == 0 {
		return
	}
	all := c.unsendable
	c.unsendable = nil
	for _, u := range all {
		if err := c.session.cut(u.outlet, u.cause, faultOf(u.cause)); err != nil {
			c.session.finished(u.outlet, err)
		}
	}
}

// serve runs a connection to its end.
func (c *serverConn) serve() {
	defer close(c.done)
	defer c.conn.Close()
	err := c.handshake()
	if err == nil {
		err = c.run()
	}
	if c.session != nil {
		c.session.detach(c)
	}
	log := c.server.config.Logger.Debug
	if errors.Is(err, ErrProtocol) || errors.Is(err, ErrForbidden) || errors.Is(err, ErrVersion) {
		log = c.server.config.Logger.Warn
	}
	log("transport: connection closed", "peer", c.peer.Name, "address", c.address, "cause", err)
}

// stop ends the connection from outside.
func (c *serverConn) stop(cause error) {
	c.cancel(cause)
	c.unblock()
	// Whoever writes or reads gets an error at once; the reading goroutine then says why, if it can.
	_ = c.conn.SetWriteDeadline(time.Unix(1, 0))
	if in := c.in.Load(); in != nil {
		in.stop()
	} else {
		_ = c.conn.SetReadDeadline(time.Unix(1, 0))
	}
}

// run serves a connection that was let in.
func (c *serverConn) run() error {
	c.wg.Go(func() {
		if err := c.write(); err != nil {
			c.stop(err)
		}
	})
	err := c.read()
	c.cancel(err)
	cause := context.Cause(c.ctx) // that of whoever was first
	c.out.stop()
	c.session.inbox.Poke()
	c.wg.Wait()
	c.dismiss()
	if c.out.failed { // perhaps inside a message: what is said now would be taken for a part of it
		return cause
	}
	if errors.Is(cause, ErrClosed) {
		cause = c.session.farewell()
	}
	if errors.Is(cause, ErrProtocol) || errors.Is(cause, ErrFenced) || errors.Is(cause, ErrPeerRestarted) || errors.Is(cause, ErrClosed) || errors.Is(cause, ErrPosition) {
		c.refuse(cause)
	}
	return cause
}

// read handles what the client says.
func (c *serverConn) read() error {
	in := c.in.Load()
	for {
		h, err := in.header()
		if err != nil {
			return err
		}
		body, err := in.body(int(h.Length))
		if err != nil {
			return err
		}
		if err := c.handle(h, body); err != nil {
			return err
		}
		if h.Type == message.TypeCredit { // the many; they ask for nothing
			continue
		}
		if err := c.yield(); err != nil {
			return err
		}
	}
}

// maxControl bounds the answers that wait to be sent, in bytes: a client that asks and does not read is not read from either.
const maxControl = 256 << 10

// yield waits while very many answers wait to be sent. If the client does not read them, writing fails in the end.
func (c *serverConn) yield() error {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.control) > maxControl && c.ctx.Err() == nil {
		s.drained.Wait()
	}
	return context.Cause(c.ctx)
}

// unblock ends yield when the connection is over.
func (c *serverConn) unblock() {
	s := c.shared.Load()
	if s == nil {
		return
	}
	s.mu.Lock()
	s.drained.Broadcast()
	s.mu.Unlock()
}

// errGoodbye ends a connection on purpose.
var errGoodbye = errors.New("the client has left")

func (c *serverConn) handle(h message.Header, body []byte) (err error) {
	s := c.session
	switch h.Type {
	case message.TypeCredit:
		m, err := message.ParseCredit(body)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrProtocol, err)
		}
		return c.credit(h.Channel, m)
	case message.TypeOpen:
		m, err := message.ParseOpen(h.Flags, body)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrProtocol, err)
		}
		return c.open(h.Channel, m)
	case message.TypeCancel:
		m, err := message.ParseCancel(body)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrProtocol, err)
		}
		c.canceled(h.Channel, errorOf(m.Fault))
	case message.TypePing:
		m, err := message.ParsePing(body)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrProtocol, err)
		}
		s.mu.Lock()
		s.say(message.Pong(m), 0)
		s.mu.Unlock()
	case message.TypePong:
	case message.TypeGoodbye:
		s.end(fmt.Errorf("%w: it has left", ErrPeerLost), false)
		return errGoodbye
	case message.TypeRefused:
		m, err := message.ParseRefused(body)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrProtocol, err)
		}
		if err := errorOf(m.Fault); err != nil {
			return err
		}
		return fmt.Errorf("%w: refused without a reason", ErrProtocol)
	default:
		return fmt.Errorf("%w: %v after the handshake", ErrProtocol, h.Type)
	}
	return nil
}

// credit takes a CREDIT.
func (c *serverConn) credit(number uint32, m message.Credit) error {
	s := c.session
	s.mu.Lock()
	o := c.channels[number]
	if o == nil { // it crossed with CLOSED or DENIED
		s.mu.Unlock()
		return nil
	}
	more, released, err := o.flow.Credit(m.Acknowledged, m.Limit)
	if err != nil {
		s.mu.Unlock()
		return fmt.Errorf("%w: channel %d: %w", ErrProtocol, number, err)
	}
	var chunks []partition.Chunk
	if released {
		if s.writing {
			s.garbage = o.acknowledged(s.garbage)
		} else {
			c.acked = o.acknowledged(c.acked[:0])
			chunks = c.acked
		}
	}
	ended := o.flow.Done() && !o.closed
	if ended {
		chunks = append(chunks, s.close(o, nil)...)
		s.say(message.Closed{}, number)
	} else if more && o.unsent() {
		s.run(o)
	}
	s.mu.Unlock()
	release(chunks)
	if ended {
		o.view.Release(nil)
		s.finished(o, nil)
	}
	return nil
}

// canceled takes a CANCEL.
func (c *serverConn) canceled(number uint32, cause error) {
	s := c.session
	s.mu.Lock()
	o := c.channels[number]
	if o == nil {
		if w := c.waiting[number]; w != nil && !w.canceled {
			w.canceled, w.cause = true, cause
			w.notice()
		}
		s.mu.Unlock()
		return
	}
	var failure error
	switch {
	case cause == nil:
		failure = s.errorFor(o, partition.ErrConsumerGone)
	case !errors.Is(cause, partition.ErrEnough):
		failure = s.errorFor(o, cause)
	}
	o.left = true
	chunks := s.close(o, failure)
	if o.opened != nil {
		s.say(*o.opened, number)
	}
	s.say(message.Closed{}, number)
	s.mu.Unlock()
	switch {
	case failure != nil:
		o.view.Release(failure)
	default:
		o.view.Release(cause)
	}
	release(chunks)
	s.finished(o, failure)
}

// schema returns the number of a schema, which it sends before if it was not. From the writing goroutine.
func (c *serverConn) schema(b *batch, name string, s record.Schema) uint32 {
	key := schemaKey{name, s}
	n, ok := c.schemas[key]
	if !ok {
		n = uint32(len(c.schemas))
		c.schemas[key] = n
		c.schemaBytes += key.bytes()
		b.add(func(dst []byte) []byte {
			return message.Schema{Number: n, Record: name, Canonical: s.Text, Extras: s.Reading}.Append(dst, 0)
		})
	}
	return n
}
