package transport

import (
	"context"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
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

	// Writing goroutine, or who stands in for it.
	sent        time.Time // when something was sent for the last time
	schemas     map[schemaKey]uint32
	schemaBytes int
	unsendable  []unsendable
	acked       []partition.Chunk // what a CREDIT gives back; reading goroutine
}

// request is an OPEN that was received, and is not answered. Guarded by session.mu.
type request struct {
	cancel   context.CancelFunc // of waiting for the partition
	canceled bool               // CANCEL was received
	cause    error              // with canceled
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

// handshake lets the peer in. An error was told to it.
func (c *serverConn) handshake() error {
	config := &c.server.config
	deadline := time.Now().Add(config.HandshakeTimeout)
	if err := c.conn.SetDeadline(deadline); err != nil {
		return err
	}
	if c.ctx.Err() != nil { // what stop has set may be overwritten
		return context.Cause(c.ctx)
	}
	if t, ok := c.conn.(*tls.Conn); ok {
		ctx, cancel := context.WithDeadline(c.ctx, deadline)
		err := t.HandshakeContext(ctx)
		cancel()
		if err != nil {
			if !aboutConnection(err) {
				c.server.registry.refuse(refusal{address: c.address, at: time.Now(), err: err})
			}
			c.refusePlain(err)
			return err
		}
		state := t.ConnectionState()
		if len(state.PeerCertificates) > 0 {
			c.certificate = state.PeerCertificates[0]
		}
		if len(state.VerifiedChains) > 0 {
			c.peer.Certificates = state.VerifiedChains[0]
		}
	}
	in := newReceiver(c.conn, message.Client, config.HandshakeTimeout)
	in.set = time.Now() // the deadline of the handshake stays
	c.in.Store(in)
	hello, err := hello(in)
	if err == nil {
		err = c.admit(hello)
	}
	if err == nil {
		err = c.server.join(c, hello)
	}
	if err != nil {
		if faultOf(err).Code != message.CodeFailed { // it is about what the client has said, not about the connection
			c.server.registry.refuse(refusal{name: hello.Name, address: c.address, at: time.Now(), err: err})
			c.refuse(err)
		}
		return err
	}
	c.maxData = min(int(hello.DataMax), config.MaxDataBytes)
	c.alive = config.KeepAlive
	in.timeout = config.timeout(time.Duration(hello.KeepAliveMillis) * time.Millisecond)
	in.set = time.Time{}
	in.limits.Data = uint32(c.maxData)
	c.out = newBatch(c.conn, in.timeout)
	if err := c.conn.SetWriteDeadline(time.Now().Add(in.timeout)); err != nil {
		return err
	}
	_, err = c.conn.Write(message.Welcome{
		Version: protocolVersion, Name: config.Name, Incarnation: c.server.incarnation, DataMax: uint32(c.maxData), KeepAliveMillis: millis(config.KeepAlive),
	}.Append(nil, 0))
	return err
}

// refusePlain tells a client that has begun with a HELLO in plain that it must use TLS.
func (c *serverConn) refusePlain(err error) {
	var plain tls.RecordHeaderError
	if !errors.As(err, &plain) || plain.Conn == nil || message.Type(plain.RecordHeader[4]) != message.TypeHello {
		return
	}
	m := message.Refused{Fault: faultOf(fmt.Errorf("%w: the server speaks TLS, and Config.TLS is not set", ErrForbidden))}
	_ = plain.Conn.SetWriteDeadline(time.Now().Add(refuseTimeout))
	_, _ = plain.Conn.Write(m.Append(nil, 0))
}

// aboutConnection reports whether an error of the handshake of TLS says that the connection has broken, or is too slow. All others, of which many have no type, are about what one of both sides has said: that it speaks no TLS, or shows no certificate.
func aboutConnection(err error) bool {
	if _, ok := alert(err); ok {
		return false
	}
	var (
		op    *net.OpError
		errno syscall.Errno
	)
	for _, e := range []error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed, context.Canceled} {
		if errors.Is(err, e) {
			return true
		}
	}
	return timeout(err) || errors.As(err, &op) || errors.As(err, &errno)
}

func millis(d time.Duration) uint32 { return uint32(d / time.Millisecond) }

// hello reads the first message.
func hello(in *receiver) (message.Hello, error) {
	h, err := in.header()
	if err != nil {
		if !in.sealed && in.buffered() > 0 && in.buf[in.r] == recordOfTLS && errors.Is(err, ErrProtocol) {
			err = fmt.Errorf("%w: the client speaks TLS, and Config.TLS is not set here", ErrForbidden)
		}
		return message.Hello{}, err
	}
	if h.Type != message.TypeHello {
		return message.Hello{}, fmt.Errorf("%w: %v is the first message", ErrProtocol, h.Type)
	}
	body, err := in.body(int(h.Length))
	if err != nil {
		return message.Hello{}, err
	}
	hello, err := message.ParseHello(body)
	if err != nil {
		return message.Hello{}, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	return hello, nil
}

// recordOfTLS is the first byte of the first record of a client that speaks TLS. A HELLO begins with 0, as it is shorter than 16 MiB.
const recordOfTLS = 0x16

// admit checks who the peer is.
func (c *serverConn) admit(h message.Hello) error {
	config := &c.server.config
	if h.Lowest > protocolVersion || h.Highest < protocolVersion {
		return fmt.Errorf("%w: the client knows %d to %d, the server %d", ErrVersion, h.Lowest, h.Highest, protocolVersion)
	}
	if h.DataMax < minData {
		return fmt.Errorf("%w: messages of at most %d bytes of records, at least %d are needed", ErrProtocol, h.DataMax, minData)
	}
	if h.KeepAliveMillis > millis(maxKeepAlive) {
		return fmt.Errorf("%w: an interval of keep-alive of %d ms, at most %d are possible", ErrProtocol, h.KeepAliveMillis, millis(maxKeepAlive))
	}
	if len(config.Token) > 0 && subtle.ConstantTimeCompare(config.Token, h.Token) != 1 {
		return fmt.Errorf("%w: the token is not that of server %q", ErrForbidden, config.Name)
	}
	c.peer.Name = h.Name
	if c.certificate != nil {
		return named(c.certificate, h.Name)
	}
	return nil
}

// named checks that a certificate is that of the process of this name.
func named(cert *x509.Certificate, name string) error {
	names := cert.DNSNames
	if len(names) == 0 {
		names = []string{cert.Subject.CommonName}
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("%w: the certificate is for %q, the name is %q", ErrForbidden, names, name)
	}
	return nil
}

// refuse tells the peer why the connection ends.
func (c *serverConn) refuse(err error) {
	m := message.Message(message.Refused{Fault: faultOf(err)})
	if errors.Is(err, ErrClosed) {
		m = message.Goodbye{}
	}
	_ = c.conn.SetWriteDeadline(time.Now().Add(refuseTimeout))
	_, _ = c.conn.Write(m.Append(nil, 0))
}

// refuseTimeout bounds the time for telling a peer why it is cut off.
const refuseTimeout = time.Second

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
	if c.out.failed { // perhaps inside a message: what is said now would be taken for a part of it
		return cause
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
			w.cancel()
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

// open takes an OPEN.
func (c *serverConn) open(number uint32, m message.Open) error {
	if m.EventRoom < minEventRoom {
		return fmt.Errorf("%w: room for %d of events in channel %d, at least %d are needed", ErrProtocol, m.EventRoom, number, minEventRoom)
	}
	s := c.session
	s.mu.Lock()
	if c.channels[number] != nil || c.waiting[number] != nil {
		s.mu.Unlock()
		return fmt.Errorf("%w: OPEN for channel %d, which is open", ErrProtocol, number)
	}
	if len(c.channels)+len(c.waiting) >= c.server.config.MaxChannels {
		s.say(message.Denied{Fault: message.Fault{Code: message.CodeTooMany, Text: fmt.Sprintf("%d channels are open, which is the limit", c.server.config.MaxChannels)}}, number)
		s.mu.Unlock()
		return nil
	}
	patience := min(time.Duration(m.PatienceMillis)*time.Millisecond, maxPatience)
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	c.waiting[number] = &request{cancel: cancel}
	s.mu.Unlock()
	p, elsewhere := c.server.registry.find(alreadyDone, m.Partition)
	if p != nil || elsewhere != "" || m.Resume { // one that was there does not come again
		cancel()
		c.tell(number, p, c.answerTo(m, p, elsewhere))
		return nil
	}
	c.wg.Go(func() {
		defer cancel()
		p, elsewhere := c.server.registry.find(ctx, m.Partition)
		c.tell(number, p, c.answerTo(m, p, elsewhere))
	})
	return nil
}

// minEventRoom is the least room for events that a client must have in a channel, by weight.
const minEventRoom = 1 << 10

// maxPatience is how long a server keeps one OPEN waiting for a partition.
const maxPatience = 10 * time.Second

// answer is what an OPEN gets: a channel, and where that goes on, or an error.
type answer struct {
	outlet    *outlet
	from      Position
	eventRoom uint64
	err       error
}

// answerTo finds the answer to an OPEN for a partition that was found, or was not.
func (c *serverConn) answerTo(m message.Open, p *Publication, elsewhere string) answer {
	from, o, chunks, err := c.take(m, p, elsewhere)
	if err != nil && p != nil {
		p.refuse(int(min(m.Subpartition, math.MaxInt32)), refusal{name: c.session.name, address: c.address, at: time.Now(), err: err})
	}
	release(chunks)
	return answer{outlet: o, from: from, eventRoom: uint64(m.EventRoom), err: err}
}

// tell gives an OPEN its answer.
func (c *serverConn) tell(number uint32, p *Publication, a answer) {
	s := c.session
	s.mu.Lock()
	w := c.waiting[number]
	delete(c.waiting, number)
	o, err := a.outlet, a.err
	if err == nil && o.conn != nil { // two that have waited for one partition were answered at a time
		err = fmt.Errorf("%w: %q reads subpartition %d of %q already", partition.ErrInUse, s.name, o.subpart, p.id)
	}
	switch {
	case s.conn != c:
	case err != nil:
		s.say(message.Denied{Fault: faultOf(err)}, number)
	case o.closed:
		s.say(message.Opened{Incarnation: p.incarnation, From: a.from}, number)
		s.say(message.Closed{}, number)
	default:
		o.conn, o.number, o.eventRoom = c, number, a.eventRoom
		s.granted = false
		c.channels[number] = o
		o.opened = &message.Opened{Incarnation: p.incarnation, From: a.from}
		s.run(o)
	}
	s.mu.Unlock()
	if w.canceled && err == nil {
		c.canceled(number, w.cause)
	}
}

// take finds or makes the channel that an OPEN asks for, and says where it goes on.
func (c *serverConn) take(m message.Open, p *Publication, elsewhere string) (from Position, o *outlet, chunks []partition.Chunk, err error) {
	if elsewhere != "" {
		return from, nil, nil, fmt.Errorf("%w: %q, producer %d, is in process %q in the list of %q, and here in that of the client: all processes need the same lists in the same order", ErrTopology, m.Partition, m.Producer, elsewhere,
			c.server.config.Name)
	}
	if p == nil {
		return from, nil, nil, fmt.Errorf("%w: %q is not published by %q", ErrNotFound, m.Partition, c.server.config.Name)
	}
	if authorize := c.server.config.Authorize; authorize != nil {
		if err := authorize(c.peer, m.Partition); err != nil {
			return from, nil, nil, fmt.Errorf("%w: %q may not read %q: %w", ErrForbidden, c.peer.Name, m.Partition, err)
		}
	}
	if err := p.fits(m); err != nil {
		return from, nil, nil, err
	}
	sub := int(m.Subpartition)
	p.mu.Lock()
	o = p.outlets[sub]
	p.mu.Unlock()
	if o != nil {
		return c.again(m, p, o)
	}
	if m.Resume {
		if m.Incarnation != p.incarnation {
			return from, nil, nil, p.restarted()
		}
		return from, nil, nil, fmt.Errorf("%w: %q has nothing to resume", ErrPeerLost, p.id)
	}
	o, err = c.session.newOutlet(p, sub)
	if err != nil {
		return from, nil, nil, err
	}
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	_, _, err = o.flow.Credit(Position{}, m.Limit)
	return from, o, nil, err
}

// again opens a channel that was open before: by this client, which goes on, or by another one.
func (c *serverConn) again(m message.Open, p *Publication, o *outlet) (from Position, _ *outlet, chunks []partition.Chunk, err error) {
	s := c.session
	if o.session != s {
		return c.takeOver(m, p, o)
	}
	s.mu.Lock()
	ended := false
	defer func() {
		s.mu.Unlock()
		switch {
		case ended:
			o.view.Release(nil)
			release(chunks)
			chunks = nil
			s.finished(o, nil)
		case errors.Is(err, ErrPosition): // it will not be asked for again
			s.abandon(o, err, false)
		}
	}()
	switch {
	case o.conn != nil:
		return from, nil, nil, fmt.Errorf("%w: %q reads subpartition %d of %q already", partition.ErrInUse, s.name, o.subpart, p.id)
	case m.Resume && m.Incarnation != p.incarnation:
		return from, nil, nil, p.restarted()
	case o.closed && o.failure != nil && !o.left:
		return from, nil, nil, o.failure
	case o.closed && !o.left && !m.Resume:
		return from, nil, nil, fmt.Errorf("%w: %q has read subpartition %d of %q already", partition.ErrInUse, s.name, o.subpart, p.id)
	case o.closed:
		return m.Received, o, nil, nil
	}
	received := m.Received
	if !m.Resume && m.Reattach { // the client has not got the OPENED of its first OPEN, nor anything behind it, and does not know where the channel begins
		received = o.from
	}
	chunks, err = o.resume(received, m.Limit)
	if err != nil {
		return from, nil, nil, err
	}
	if o.flow.Done() { // all of it has arrived, and the last CREDIT was lost
		chunks = append(chunks, s.close(o, nil)...)
		ended = true
	}
	return received, o, chunks, nil
}

// restarted is what a client is told that wants to go on with what another process has begun.
func (p *Publication) restarted() error {
	return fmt.Errorf("%w: the process that produces %q was started again; what the one before had not sent is gone", ErrPeerRestarted, p.id)
}

// fits checks that a client and a partition mean the same.
func (p *Publication) fits(m message.Open) error {
	t := p.partition.Topology()
	theirs := selector.Topology{Producers: int(m.Producers), Consumers: int(m.Consumers), Producer: int(m.Producer), MaxParallelism: int(m.MaxParallelism)}
	if t != theirs {
		is, wanted := "", ""
		if t.MaxParallelism != theirs.MaxParallelism {
			is, wanted = fmt.Sprintf(" and max parallelism %d", t.MaxParallelism), fmt.Sprintf(" and max parallelism %d", theirs.MaxParallelism)
		}
		return fmt.Errorf("%w: %q is producer %d of %d with %d consumers%s, the client wants producer %d of %d with %d consumers%s", ErrTopology, p.id,
			t.Producer, t.Producers, t.Consumers, is, theirs.Producer, theirs.Producers, theirs.Consumers, wanted)
	}
	sub := int(m.Subpartition)
	if m.Subpartition >= uint32(t.Consumers) {
		return fmt.Errorf("%w: subpartition %d of %d of %q", ErrTopology, m.Subpartition, t.Consumers, p.id)
	}
	if m.Reader != "" && p.readers != nil && p.readers[sub] != m.Reader && (p.readers[sub] != "" || !slices.Contains(p.offered, sub)) {
		return p.misplaced(sub, m.Reader)
	}
	if !slices.Contains(p.offered, sub) {
		return fmt.Errorf("%w: subpartition %d of %q is for a reader in the process that writes it", partition.ErrInUse, sub, p.id)
	}
	if c, ok := p.partition.Writer(); ok && m.Selection != "" && selectionOf(c) != m.Selection {
		return fmt.Errorf("%w: the writer of %q selects by %q, the client expects %q", ErrTopology, p.id, selectionOf(c), m.Selection)
	}
	return nil
}

// misplaced says that a subpartition is for another process than the one that asks for it, and for which ones they are in both lists.
func (p *Publication) misplaced(sub int, reader string) error {
	here := "the process that writes it"
	if name := p.readers[sub]; name != "" {
		here = strconv.Quote(name)
	}
	var own []int
	for _, s := range p.offered {
		if p.readers[s] == reader {
			own = append(own, s)
		}
	}
	theirs := "none of them"
	if len(own) > 0 {
		theirs = fmt.Sprint(own[:min(len(own), 10)])
	}
	return fmt.Errorf("%w: consumer %d of %q is %s in the list of the producer, and %q in that of the reader, which is %s in that of the producer: all processes need the same lists in the same order", ErrTopology, sub, p.id, here, reader, theirs)
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
