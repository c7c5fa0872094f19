package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// clientConn is one connection of a client. The goroutine of peer reads; another one writes.
type clientConn struct {
	peer *peer
	conn net.Conn
	in   *receiver
	out  *batch

	channels    map[uint32]*Channel // asked for on this connection, and not done; reading goroutine
	touched     []*Channel          // something of them has arrived since the connection was dry; reading goroutine
	blocks      []*buffer.Buffer    // for what is in the receiver's buffer of a DATA; reading goroutine
	schemas     map[uint32]schemaKey
	schemaBytes int // of them

	reached, useful bool // see peer.attempt; reading goroutine

	mu      sync.Mutex
	control []byte // messages that are to be sent
	alone   bool   // there are no channels any more; guarded by peer.mu, as they are
}

// errNoChannels ends a connection that nobody needs.
var errNoChannels = errors.New("no channels")

func (c *clientConn) handshake(within time.Duration) error {
	config := &c.peer.client.config
	if err := c.conn.SetDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	if ctx := c.peer.client.ctx; ctx.Err() != nil { // what was set when it was done may be overwritten
		return context.Cause(ctx)
	}
	if config.TLS != nil {
		t := tlsClient(c.conn, config.TLS, c.peer.address)
		ctx, cancel := context.WithTimeout(c.peer.client.ctx, within)
		err := t.HandshakeContext(ctx)
		cancel()
		if record := (tls.RecordHeaderError{}); errors.As(err, &record) {
			return fmt.Errorf("the server does not speak TLS, and Config.TLS is set here: %w", err)
		}
		if err != nil {
			return fmt.Errorf("TLS: %w", err)
		}
		c.conn = t
	}
	hello := message.Hello{
		Lowest: protocolVersion, Highest: protocolVersion, Name: config.Name, Incarnation: c.peer.client.incarnation, Token: config.Token, DataMax: uint32(config.MaxDataBytes), KeepAliveMillis: millis(config.KeepAlive),
	}
	if _, err := c.conn.Write(hello.Append(nil, 0)); err != nil {
		return err
	}
	c.in = newReceiver(c.conn, message.Server, within)
	if n := c.peer.client.config.busyBytes; n > 0 {
		c.in.busyBytes = n
	}
	c.in.set = time.Now() // the deadline of the handshake stays
	h, err := c.in.header()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("the connection was closed in the handshake: %w", io.ErrUnexpectedEOF)
		}
		return err
	}
	body, err := c.in.body(int(h.Length))
	if err != nil {
		return err
	}
	switch h.Type {
	case message.TypeWelcome:
	case message.TypeRefused, message.TypeGoodbye:
		return c.refused(h, body)
	default:
		return fmt.Errorf("%w: %v is the first message", ErrProtocol, h.Type)
	}
	m, err := message.ParseWelcome(body)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	if m.Version != protocolVersion {
		return fmt.Errorf("%w: the server has chosen %d, the client knows %d", ErrVersion, m.Version, protocolVersion)
	}
	if m.DataMax > uint32(config.MaxDataBytes) || m.DataMax < minData {
		return fmt.Errorf("%w: messages of %d bytes of records, it must be from %d to %d", ErrProtocol, m.DataMax, minData, config.MaxDataBytes)
	}
	if m.KeepAliveMillis > millis(maxKeepAlive) {
		return fmt.Errorf("%w: an interval of keep-alive of %d ms, at most %d are possible", ErrProtocol, m.KeepAliveMillis, millis(maxKeepAlive))
	}
	c.in.limits.Data = m.DataMax
	c.in.timeout = config.timeout(time.Duration(m.KeepAliveMillis) * time.Millisecond)
	c.in.set = time.Time{}
	c.in.welcome()
	c.in.dry = c.dry
	c.out = newBatch(c.conn, c.in.timeout)
	c.peer.welcome(m)
	return nil
}

// refused returns why the server has refused the connection, or left.
func (c *clientConn) refused(h message.Header, body []byte) error {
	if h.Type == message.TypeGoodbye {
		return fmt.Errorf("%w: the server has left", ErrClosed)
	}
	m, err := message.ParseRefused(body)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	if m.Fault.Code == message.CodeNone {
		return fmt.Errorf("%w: refused without a reason", ErrProtocol)
	}
	return errorOf(m.Fault)
}

// run uses a connection until it is over. It returns nil when there are no channels any more.
func (c *clientConn) run(ctx context.Context) error {
	writing, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.peer.reopen()
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		// What is being written may be finished: behind half of a message there is no saying goodbye.
		c.out.finish()
		c.in.stop()
	})
	defer stop()
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := c.write(writing); err != nil {
			cancel(err)
			c.in.stop()
		}
	})
	err := c.read()
	if err == errNoChannels {
		wg.Wait() // it says goodbye
		return nil
	}
	cancel(err)
	cause := context.Cause(writing) // of whoever was first
	if ctx.Err() == nil {
		c.out.stop()
	}
	wg.Wait()
	var last message.Message
	switch {
	case c.out.failed: // perhaps inside a message
		return cause
	case ctx.Err() != nil:
		if !stop() {
			<-stopped // it sets deadlines
		}
		last = message.Goodbye{}
	case errors.Is(cause, ErrProtocol):
		last = message.Refused{Fault: faultOf(cause)}
	default:
		return cause
	}
	_ = c.conn.SetWriteDeadline(time.Now().Add(refuseTimeout))
	_, _ = c.conn.Write(last.Append(nil, 0))
	return cause
}

// pong queues the answer to a PING. It fails if the server does not read the answers to very many.
func (c *clientConn) pong(m message.Ping) error {
	c.mu.Lock()
	full := len(c.control) > maxPongs
	if !full {
		c.control = message.Pong(m).Append(c.control, 0)
	}
	c.mu.Unlock()
	c.peer.kick()
	if full {
		return fmt.Errorf("%w: more than %d bytes of answers to PING wait", ErrProtocol, maxPongs)
	}
	return nil
}

// maxPongs bounds the answers to PING that wait to be sent, in bytes.
const maxPongs = 64 << 10

// write sends what there is to send, until the connection is over.
func (c *clientConn) write(ctx context.Context) error {
	p := c.peer
	interval := p.client.config.KeepAlive
	timer := time.NewTimer(interval)
	defer timer.Stop()
	sent := time.Now()
	for {
		alone := c.gather()
		if c.out.empty() {
			if since := time.Since(sent); since >= interval {
				c.out.add(func(dst []byte) []byte { return message.Ping{}.Append(dst, 0) })
			} else {
				timer.Reset(interval - since)
				select {
				case <-p.wake:
				case <-timer.C:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
				continue
			}
		}
		if err := c.out.write(); err != nil {
			return err
		}
		if alone {
			return errNoChannels
		}
		sent = time.Now()
	}
}

// gather fills the batch. It returns true if the connection is over, and says so.
func (c *clientConn) gather() (alone bool) {
	p := c.peer
	c.mu.Lock()
	control := c.control
	c.control = nil
	c.mu.Unlock()
	if len(control) > 0 {
		c.out.add(func(dst []byte) []byte { return append(dst, control...) })
	}
	// A channel that is added when the connection is about to end must not be asked for on it: GOODBYE would end it.
	p.mu.Lock()
	alone = c.alone
	var fresh []*Channel
	if !alone {
		fresh, p.fresh = p.fresh, nil
	}
	p.mu.Unlock()
	if alone {
		c.out.add(func(dst []byte) []byte { return message.Goodbye{}.Append(dst, 0) })
		return true
	}
	for _, ch := range fresh {
		c.out.add(func(dst []byte) []byte { return ch.open().Append(dst, ch.number) })
		// A CANCEL that was sent while nobody had asked for the channel was ignored.
		if d := ch.left.Load(); d != nil {
			c.out.add(func(dst []byte) []byte { return message.Cancel{Fault: faultOf(d.cause)}.Append(dst, ch.number) })
		}
	}
	p.creditMu.Lock()
	credits, leaving := p.credits, p.leaving
	p.credits, p.leaving = nil, nil
	p.creditMu.Unlock()
	for _, ch := range credits {
		b := ch.config.Budget
		b.mu.Lock()
		due := ch.due
		ch.due = false
		var m message.Credit
		if due {
			m.Acknowledged, m.Limit = ch.flow.Announce()
		}
		b.mu.Unlock()
		if due {
			c.out.add(func(dst []byte) []byte { return m.Append(dst, ch.number) })
		}
	}
	for _, ch := range leaving {
		d := ch.left.Load()
		c.out.add(func(dst []byte) []byte { return message.Cancel{Fault: faultOf(d.cause)}.Append(dst, ch.number) })
	}
	return false
}

// read handles what the server says.
func (c *clientConn) read() error {
	defer c.in.leave()
	defer c.dry() // of what has come together with the end nobody else tells readers: it is not sent again
	for {
		h, err := c.in.header()
		if err != nil {
			return err
		}
		if h.Type == message.TypeData {
			c.useful = true
			err = c.data(h)
		} else {
			var body []byte
			if body, err = c.in.body(int(h.Length)); err == nil {
				err = c.handle(h, body)
			}
		}
		if err != nil {
			return err
		}
		c.reached = true
	}
}

// channel returns the channel of a number.
func (c *clientConn) channel(h message.Header) (*Channel, error) {
	if ch := c.channels[h.Channel]; ch != nil {
		return ch, nil
	}
	c.peer.mu.Lock()
	defer c.peer.mu.Unlock()
	for _, ch := range c.peer.channels {
		c.channels[ch.number] = ch
	}
	if ch := c.channels[h.Channel]; ch != nil {
		return ch, nil
	}
	return nil, fmt.Errorf("%w: %v for channel %d, which is not open", ErrProtocol, h.Type, h.Channel)
}

func (c *clientConn) handle(h message.Header, body []byte) error {
	m, err := message.Parse(h, body)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	switch h.Type {
	case message.TypeOpened, message.TypeSchema, message.TypeWriter: // said on every connection, also if nothing ever follows
	default:
		c.useful = true
	}
	switch m := m.(type) {
	case message.Schema:
		return c.schema(m)
	case message.Ping:
		return c.pong(m)
	case message.Pong:
		return nil
	case message.Refused, message.Goodbye:
		return c.refused(h, body)
	}
	if !h.Type.Own() {
		return fmt.Errorf("%w: %v after the handshake", ErrProtocol, h.Type)
	}
	ch, err := c.channel(h)
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case message.Opened:
		return c.opened(ch, m)
	case message.Denied:
		c.in.forget()
		return c.denied(ch, errorOf(m.Fault))
	case message.Closed:
		c.in.forget()
		ch.finish(nil)
		return c.done(ch)
	}
	if !ch.answered {
		return fmt.Errorf("%w: %v for channel %d before OPENED", ErrProtocol, h.Type, h.Channel)
	}
	switch m := m.(type) {
	case message.Writer:
		return c.writer(ch, m)
	case message.Event:
		return c.event(ch, m)
	case message.Mark:
		if !ch.ended {
			ch.inlet.Watermark(m.WatermarkMicros, m.Idle)
		}
	case message.End:
		return c.end(ch, m)
	}
	return nil
}

// done forgets a channel that is done. It returns errNoChannels if it was the last one.
func (c *clientConn) done(ch *Channel) error {
	delete(c.channels, ch.number)
	p := c.peer
	p.mu.Lock()
	alone := p.drop(ch)
	c.alone = alone
	p.mu.Unlock()
	if !alone {
		return nil
	}
	p.kick()
	return errNoChannels
}

// opened takes the answer to an OPEN.
func (c *clientConn) opened(ch *Channel, m message.Opened) error {
	switch {
	case !ch.requested.Load():
		return fmt.Errorf("%w: OPENED for channel %d, which was not asked for", ErrProtocol, ch.number)
	case ch.answered:
		return fmt.Errorf("%w: OPENED twice for channel %d", ErrProtocol, ch.number)
	case ch.opened && m.Incarnation != ch.incarnation:
		return fmt.Errorf("%w: channel %d was opened for another partition than was asked for", ErrProtocol, ch.number)
	}
	b := ch.config.Budget
	b.mu.Lock()
	received := ch.flow.Received()
	moved := m.From != received
	if moved && !ch.opened && ch.client.config.Reattach {
		ch.flow.Start(m.From) // the limit counts from there
		moved = false
	}
	if !ch.due { // what was said before was ignored
		ch.due = true
		defer c.peer.credit(ch)
	}
	b.mu.Unlock()
	if moved {
		return fmt.Errorf("%w: channel %d goes on at %v, %v were received", ErrProtocol, ch.number, m.From, received)
	}
	first := !ch.opened
	c.useful = c.useful || first
	ch.incarnation, ch.process, ch.opened, ch.answered = m.Incarnation, c.peer.process(), true, true
	if first && m.From != (Position{}) {
		name, address := c.peer.who()
		loss := Loss{Peer: name, Partition: ch.config.Partition, Subpartition: ch.config.Subpartition, Before: m.From}
		c.in.leave() // the user's functions that are told may take their time
		ch.client.config.Logger.Warn("transport: a channel goes on where another process has stopped", "peer", name, "address", address, "partition", loss.Partition, "subpartition", loss.Subpartition, "from", loss.Before.String())
		if f := ch.client.config.OnLoss; f != nil {
			f(loss)
		}
	}
	return nil
}

// denied takes the refusal of an OPEN: a partition that is not there yet is asked for again.
func (c *clientConn) denied(ch *Channel, err error) error {
	if err == nil {
		err = fmt.Errorf("%w: denied without a reason", ErrProtocol)
	}
	if ch.answered || !ch.requested.Load() {
		return fmt.Errorf("%w: DENIED for channel %d, which was not asked for", ErrProtocol, ch.number)
	}
	if errors.Is(err, ErrNotFound) {
		switch {
		case ch.opened && ch.process != c.peer.process():
			err = fmt.Errorf("%w: the process that produces %q was started again; what the one before had not sent is gone: %w", ErrPeerRestarted, ch.config.Partition, err)
		case !ch.opened && ch.left.Load() == nil && c.peer.again(ch):
			return nil
		case !ch.opened:
			err = fmt.Errorf("%w; it was waited for, for %v, Config.Patience", err, ch.client.config.Patience)
		}
	}
	ch.fail(err)
	return c.done(ch)
}

// schema takes the schema of records that follow.
func (c *clientConn) schema(m message.Schema) error {
	if _, ok := c.schemas[m.Number]; ok {
		return fmt.Errorf("%w: SCHEMA %d twice", ErrProtocol, m.Number)
	}
	key := schemaKey{m.Record, record.TextSchema(m.Canonical, m.Extras)}
	if c.schemaBytes += key.bytes(); c.schemaBytes > maxSchemas {
		return fmt.Errorf("%w: schemas of more than %d bytes", ErrProtocol, maxSchemas)
	}
	c.schemas[m.Number] = key
	return nil
}

// maxSchemas bounds what a client keeps of the schemas of a connection, in bytes: their texts, the names of their records, and schemaBytes for each. It is a number of the protocol.
const maxSchemas = 4 << 20

// writer takes what is said of a channel's writer.
func (c *clientConn) writer(ch *Channel, m message.Writer) error {
	s, ok := c.schemas[m.Schema]
	if !ok {
		return fmt.Errorf("%w: WRITER with schema %d, which was not sent", ErrProtocol, m.Schema)
	}
	if ch.claimed || ch.ended {
		return nil
	}
	ch.claimed = true
	ch.inlet.Claim(s.schema)
	who := fmt.Sprintf("the writer of producer %d (%q at %s)", ch.config.Topology.Producer, ch.config.Partition, c.peer.address)
	err := ch.config.Contract.JoinWriter(who, s.schema)
	if want := ch.config.Selection; err == nil && want != "" && want != m.Selection { // the server can say so only if there is a writer at the time of OPEN
		err = fmt.Errorf("%w: the writer of %q selects by %q, the client expects %q", ErrTopology, ch.config.Partition, m.Selection, want)
	}
	if err == nil {
		err = ch.config.Peers.join(ch.config.Partition, m.Selection)
	}
	if err != nil {
		ch.readerLeft(err) // tells the server
		ch.end(ch.error(err))
	}
	return nil
}

// data puts records where they belong.
func (c *clientConn) data(h message.Header) error {
	prefix, err := c.in.body(message.DataPrefixBytes)
	if err != nil {
		return err
	}
	at, backlog := message.ParseDataPrefix([message.DataPrefixBytes]byte(prefix))
	left := int(h.Length) - message.DataPrefixBytes
	ch, err := c.channel(h)
	if err != nil {
		return err
	}
	switch {
	case ch.left.Load() != nil || ch.ended:
		return c.in.skip(left)
	case !ch.claimed || !ch.answered:
		return fmt.Errorf("%w: DATA for channel %d before WRITER", ErrProtocol, ch.number)
	}
	b := ch.config.Budget
	c.in.budget = b
	here := min(left, c.in.buffered())
	unread := ch.unread()
	b.mu.Lock()
	if err = ch.flow.Data(at, left); err != nil {
		b.mu.Unlock()
		return fmt.Errorf("%w: channel %d: %w", ErrProtocol, ch.number, err)
	}
	b.ledger.Backlog(ch.lane, int64(left)+int64(backlog)<<10)
	c.here(ch, here, unread) // nothing can keep it from its place
	for left -= here; left > 0; left -= here {
		if c.in.buffered() > 0 || c.in.land(1) {
			here = min(left, c.in.buffered())
			unread = ch.unread()
			b.mu.Lock()
			c.here(ch, here, unread)
			continue
		}
		room := ch.inlet.Room()
		if len(room) == 0 {
			b.mu.Lock()
			block := ch.next()
			b.mu.Unlock()
			ch.inlet.Open(block)
			room = ch.inlet.Room()
		}
		here, err = c.in.some(room[:min(len(room), left)], left)
		if err != nil {
			return err
		}
		c.touch(ch) // each time: what was touched before has been acknowledged if there was a wait in between
		// The ledger knows of it before the block can come back.
		b.mu.Lock()
		due := b.arrived(ch, here, false)
		b.mu.Unlock()
		ch.inlet.Commit(here)
		announce(due)
	}
	return nil
}

// here puts the next n bytes of a DATA, which are buffered, to their place. They stay where they are if that can be, and the reader has so far not left more unread (see [Channel.unread]) than there is room for in the channel's blocks: if it is slow,
// what comes fills these, and the limit rises no more. REQUIRES: the channel's Budget.mu is held, which here releases.
func (c *clientConn) here(ch *Channel, n int, unread int64) {
	b := ch.config.Budget
	stay := c.in.lends(b) && unread <= b.ledger.Room(ch.lane)
	due := b.arrived(ch, n, stay)
	for free := ch.inlet.Free(); !stay && free < n; free += len(c.blocks[len(c.blocks)-1].Bytes()) {
		c.blocks = append(c.blocks, ch.next())
	}
	b.mu.Unlock()
	announce(due)
	c.touch(ch)
	if stay && n > 0 {
		ch.inlet.Lend(c.in.landing, c.in.r, c.in.r+n)
		c.in.r += n
		return
	}
	blocks := c.blocks
	for n > 0 {
		room := ch.inlet.Room()
		if len(room) == 0 {
			ch.inlet.Open(blocks[0])
			blocks = blocks[1:]
			continue
		}
		k := c.in.take(room[:min(len(room), n)])
		n -= k
		ch.inlet.Commit(k)
	}
	clear(c.blocks)
	c.blocks = c.blocks[:0]
}

// event takes an event.
func (c *clientConn) event(ch *Channel, m message.Event) error {
	e := &partition.Event{Kind: partition.EventKind(m.Kind), Drained: m.Drained, SentMicros: m.SentMicros}
	if m.Kind == message.UserEvent {
		s, ok := c.schemas[m.Schema]
		if !ok {
			return fmt.Errorf("%w: EVENT with schema %d, which was not sent", ErrProtocol, m.Schema)
		}
		e.Record, e.Schema = s.record, s.schema
	}
	if ch.left.Load() != nil || ch.ended {
		return nil
	}
	b := ch.config.Budget
	b.mu.Lock()
	err := ch.flow.Event(m.Before, credit.EventWeight+uint64(len(m.Record)), m.Kind == message.EndOfData)
	b.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%w: channel %d: %w", ErrProtocol, ch.number, err)
	}
	e.Data = append([]byte(nil), m.Record...)
	ch.inlet.Event(e)
	c.touch(ch)
	return nil
}

// end takes the end of a channel.
func (c *clientConn) end(ch *Channel, m message.End) error {
	if ch.left.Load() != nil || ch.ended {
		return nil
	}
	b := ch.config.Budget
	b.mu.Lock()
	err := ch.flow.End(m.Before)
	b.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%w: channel %d: %w", ErrProtocol, ch.number, err)
	}
	var cause error
	if err := errorOf(m.Fault); err != nil {
		cause = ch.error(err)
	}
	ch.end(cause)
	c.touch(ch)
	return nil
}

// touch notes that something of a channel is to be read, and acknowledged.
func (c *clientConn) touch(ch *Channel) {
	if !ch.touched {
		ch.touched = true
		c.touched = append(c.touched, ch)
	}
}

// dry acknowledges what has arrived, and tells readers of it, before more is waited for. Readers come last, so that they run first: the goroutine that writes the acknowledgements has time.
func (c *clientConn) dry() {
	for _, ch := range c.touched {
		b := ch.config.Budget
		b.mu.Lock()
		due := !ch.due && ch.flow.Due(true)
		ch.due = ch.due || due
		b.mu.Unlock()
		if due {
			c.peer.credit(ch)
		}
	}
	for _, ch := range c.touched {
		ch.touched = false
		ch.inlet.Flush()
	}
	c.touched = c.touched[:0]
}
