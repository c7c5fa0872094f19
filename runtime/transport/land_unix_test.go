//go:build unix

package transport

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// newLander returns a receiver of a busy connection, and the other end of that.
func newLander(t *testing.T, bytes int64) (*receiver, net.Conn, *Budget) {
	t.Helper()
	to, from := pipe(t)
	r, b := landFrom(t, from, bytes)
	return r, to, b
}

// newSealedLander is newLander over TLS.
func newSealedLander(t *testing.T, bytes int64) (*receiver, net.Conn, *Budget) {
	t.Helper()
	s := httptest.NewTLSServer(nil) // has a certificate
	certificates := s.TLS.Certificates
	s.Close()
	to, from := pipe(t)
	server, client := tls.Server(to, &tls.Config{Certificates: certificates}), tls.Client(newCarrier(from), &tls.Config{InsecureSkipVerify: true})
	shaken := make(chan error, 1)
	go func() { shaken <- server.Handshake() }()
	if err := errors.Join(client.Handshake(), <-shaken); err != nil {
		t.Fatal(err)
	}
	r, b := landFrom(t, client, bytes)
	return r, server, b
}

// landFrom returns a receiver that lands whenever it can, in a budget of so many bytes.
func landFrom(t *testing.T, from net.Conn, bytes int64) (*receiver, *Budget) {
	t.Helper()
	pool, err := memory.NewPool(bytes)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBudget(pool, BudgetConfig{Bytes: bytes})
	if err != nil {
		t.Fatal(err)
	}
	r := newReceiver(from, message.Server, 10*time.Second)
	r.welcome()
	r.busyBytes, r.busy, r.budget = 1, true, b
	t.Cleanup(func() {
		r.leave()
		b.Close()
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return r, b
}

// What somebody has kept a reference of is not overwritten, whatever comes, and is given back with the last one; what nobody has is used again.
func TestLandKeepsWhatIsLent(t *testing.T) {
	for name, lander := range landers {
		t.Run(name, func(t *testing.T) { keepsWhatIsLent(t, lander) })
	}
}

var landers = map[string]func(t *testing.T, bytes int64) (*receiver, net.Conn, *Budget){"plain": newLander, "TLS": newSealedLander}

func keepsWhatIsLent(t *testing.T, lander func(t *testing.T, bytes int64) (*receiver, net.Conn, *Budget)) {
	const pieces, piece = 400, 1000
	r, to, b := lander(t, 1<<20)
	go func() { _, _ = to.Write(numbered(0, pieces*piece)) }()
	type kept struct {
		buf  *buffer.Buffer
		data []byte
		at   int
	}
	var all []kept
	lent, copied := 0, 0
	for at := 0; at < pieces*piece; at += piece {
		if err := r.need(piece); err != nil {
			t.Fatal(err)
		}
		got := r.buf[r.r : r.r+piece]
		r.r += piece
		if !bytes.Equal(got, numbered(at, piece)) {
			t.Fatalf("the bytes from %d are wrong", at)
		}
		if !r.lends(b) {
			copied++
			continue
		}
		lent++
		if lent%3 == 0 {
			r.landing.Retain(1)
			all = append(all, kept{r.landing, got, at})
		}
	}
	r.leave()
	if lent == 0 || copied == 0 { // not all of the memory may be used for this
		t.Errorf("%d pieces have landed, %d have not", lent, copied)
	}
	if got := b.Landings(); got > 1<<20/4 {
		t.Errorf("%d bytes of landings", got)
	}
	for _, k := range all {
		if !bytes.Equal(k.data, numbered(k.at, piece)) {
			t.Fatalf("the bytes from %d were overwritten", k.at)
		}
		k.buf.Release()
	}
	if got := b.Landings(); got != 0 {
		t.Errorf("%d bytes of landings are held", got)
	}
}

// A receiver does not land where there is no memory to spare, or for bodies that are longer than a landing, and goes on with what it has.
func TestLandOrNot(t *testing.T) {
	r, to, b := newLander(t, 64<<10)
	if _, err := to.Write(numbered(0, 1000)); err != nil {
		t.Fatal(err)
	}
	if err := r.need(1000); err != nil || r.lends(b) {
		t.Errorf("landed in a budget of 64 KiB: %v", err)
	}
	r, to, b = newLander(t, 1<<20)
	if _, err := to.Write(numbered(0, 1000)); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = to.Write(numbered(1000, 100_000)) }()
	if err := r.need(100); err != nil || !r.lends(b) {
		t.Errorf("not landed: %v", err)
	}
	if err := r.need(receiveBytes); err != nil || r.lends(b) || !bytes.Equal(r.buf[r.r:r.r+receiveBytes], numbered(0, receiveBytes)) {
		t.Errorf("%d bytes in one piece: %v", receiveBytes, err)
	}
	r.r += receiveBytes
	for at := receiveBytes; at < 101_000; at += 100 {
		k := min(100, 101_000-at)
		if err := r.need(k); err != nil || !bytes.Equal(r.buf[r.r:r.r+k], numbered(at, k)) {
			t.Fatalf("bytes from %d: %v", at, err)
		}
		r.r += k
	}
}

// A connection that never gets to the end of what is there keeps its landing no longer than others can do without it.
func TestLandIsGivenUp(t *testing.T) {
	pool, err := memory.NewPool(256 << 10)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBudget(pool, BudgetConfig{Bytes: 1 << 10, MaxBytes: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	r := newReceiver(nil, message.Server, time.Second)
	r.try = func(p []byte) int { return len(p) }
	r.busy, r.budget = true, b
	if !r.land(1) {
		t.Fatal("not landed")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	done := make(chan error, 1)
	shares := pool.Stats().Shares
	go func() { // wants all that is not exclusive
		s, err := pool.WaitShare(ctx, 255<<10, 0, nil)
		if err == nil {
			s.Close()
		}
		done <- err
	}()
	for pool.Stats().Shares == shares {
		time.Sleep(time.Millisecond)
	}
	for k := 0; b.Landings() > 0; k++ {
		if k == 2*receiveBytes/memory.MaxBlock {
			t.Fatal("the landing is kept")
		}
		r.r = r.w // it was copied
		if !r.land(1) {
			r.leave()
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	b.Close()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}

// What the queue takes for pieces that are a byte long counts, too: a reader that does not read keeps no more of them than there is room for.
func TestLandPiecesCount(t *testing.T) {
	const room, sent = 16 << 10, 4000
	r, to, _ := newLander(t, 1<<20)
	pool, err := memory.NewPool(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBudget(pool, BudgetConfig{Bytes: 1 << 20, ExclusiveBytes: 1 << 10, ChannelBytes: room})
	if err != nil {
		t.Fatal(err)
	}
	ch := &Channel{peer: newPeer(nil, ""), config: ChannelConfig{Budget: b}, answered: true, claimed: true}
	ch.inlet = partition.NewInlet(partition.InletConfig{})
	if err := b.open(ch); err != nil {
		t.Fatal(err)
	}
	r.limits.Data = minData
	c := &clientConn{peer: ch.peer, in: r, channels: map[uint32]*Channel{0: ch}}
	r.dry = c.dry
	go func() {
		var all []byte
		for k := range sent {
			all = message.Data{At: uint64(k), BacklogKiB: room >> 10, Bytes: []byte{byte(k)}}.Append(all, 0)
		}
		_, _ = to.Write(all)
	}()
	for range sent {
		b.mu.Lock()
		ch.flow.Announce()
		b.mu.Unlock()
		h, err := r.header()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.data(h); err != nil {
			t.Fatal(err)
		}
	}
	bytes, pieces := ch.inlet.Backlog()
	if bytes != sent {
		t.Errorf("%d bytes in the queue, want %d", bytes, sent)
	}
	if most := room / pieceBytes; pieces > most || pieces < 2 {
		t.Errorf("%d bytes in %d pieces, at most %d are to be kept", bytes, pieces, most)
	}
	r.forget()
	ch.end(nil)
	ch.inlet.Discard()
	b.Close()
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}

// blocked is a client that connects to nobody.
func blocked(t *testing.T, c Config) *Client {
	t.Helper()
	c.Name, c.Plain = "reader", PlainLoopback
	c.Dial = func(ctx context.Context, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	client, err := NewClient(c)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// readFrom makes a client's channel one of a connection that r reads, and has r read the next message, which lands, as to says it.
func readFrom(t *testing.T, r *receiver, to net.Conn, client *Client, b *Budget, m message.Message) (*clientConn, *Channel, message.Header, []byte) {
	t.Helper()
	ch, err := client.Channel(ChannelConfig{Address: "127.0.0.1:1", Partition: "p", Topology: selector.Topology{Producers: 1, Consumers: 1}, Budget: b})
	if err != nil {
		t.Fatal(err)
	}
	ch.requested.Store(true)
	if _, err := to.Write(m.Append(nil, ch.number)); err != nil {
		t.Fatal(err)
	}
	h, err := r.header()
	if err != nil || !r.lends(b) {
		t.Fatalf("not landed: %v", err)
	}
	body, err := r.body(int(h.Length))
	if err != nil {
		t.Fatal(err)
	}
	return &clientConn{peer: ch.peer, conn: r.conn, in: r, channels: map[uint32]*Channel{ch.number: ch}}, ch, h, body
}

// A user's function that is told of a loss may take its time: the connection has no memory in hand meanwhile that others may want.
func TestLandIsLeftForOnLoss(t *testing.T) {
	r, to, b := newLander(t, 1<<20)
	told, held := 0, int64(0)
	client := blocked(t, Config{Reattach: true, OnLoss: func(Loss) { told, held = told+1, b.Landings() }})
	c, ch, h, body := readFrom(t, r, to, client, b, message.Opened{From: Position{Data: 100}})
	if err := c.handle(h, body); err != nil {
		t.Error(err)
	}
	if told != 1 || held != 0 {
		t.Errorf("told %d times, with %d bytes of landings", told, held)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = client.Close(ctx) // the channel has not ended
	ch.Discard()
}

// A channel that is over has nothing of its budget in the hands of the connection: who waits for it may close the memory at once.
func TestLandIsLeftAtTheEnd(t *testing.T) {
	for _, last := range []message.Message{message.Closed{}, message.Denied{Fault: message.Fault{Code: message.CodeForbidden, Text: "no"}}} {
		r, to, b := newLander(t, 1<<20)
		client := blocked(t, Config{})
		c, ch, h, body := readFrom(t, r, to, client, b, last)
		if err := c.handle(h, body); err != nil && err != errNoChannels {
			t.Error(err)
		}
		select {
		case <-ch.closed:
		default:
			t.Errorf("the channel is not over after %v", h.Type)
		}
		if got := b.Landings(); got != 0 {
			t.Errorf("after %v %d bytes are held", h.Type, got)
		}
		if _, err := to.Write(numbered(0, 1000)); err != nil { // of channels of other budgets
			t.Fatal(err)
		}
		if err := r.need(1000); err != nil {
			t.Fatal(err)
		}
		if got := b.Landings(); got != 0 {
			t.Errorf("after %v what came next has landed: %d bytes are held", h.Type, got)
		}
		if !ch.Discard() {
			t.Error("there is a reader")
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		if err := client.Close(ctx); err != nil {
			t.Error(err)
		}
		cancel()
	}
}
