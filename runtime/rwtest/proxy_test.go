package rwtest_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
)

// relay is a proxy in front of a listener on loopback.
type relay struct {
	*testing.T
	*rwtest.Proxy
	listener net.Listener
}

// newRelay returns a proxy that is closed at the end of the test, and its target.
func newRelay(t *testing.T) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p, err := rwtest.NewProxy(l.Addr().String(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() }) // the test may have done it
	rwtest.MustClose(t, p)
	return &relay{t, p, l}
}

// dial connects with the proxy. The test closes the connection at its end, and fails rather than hang.
func (r *relay) dial() net.Conn {
	r.Helper()
	c, err := net.Dial("tcp", r.Addr())
	if err != nil {
		r.Fatal(err)
	}
	r.closeAtEnd(c)
	return c
}

func (r *relay) closeAtEnd(c net.Conn) {
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		r.Error(err)
	}
	r.Cleanup(func() { _ = c.Close() })
}

// open returns both ends of a connection that is forwarded.
func (r *relay) open() (client, server net.Conn) {
	r.Helper()
	client = r.dial()
	server, err := r.listener.Accept()
	if err != nil {
		r.Fatal(err)
	}
	r.closeAtEnd(server)
	return client, server
}

// pass checks that a text crosses.
func (r *relay) pass(from, to net.Conn, text string) {
	r.Helper()
	if _, err := io.WriteString(from, text); err != nil {
		r.Error(err)
	}
	b := make([]byte, len(text))
	if _, err := io.ReadFull(to, b); err != nil || string(b) != text {
		r.Errorf("read %q, %v", b, err)
	}
}

// resets checks that a connection fails, not only ends, and returns what could be read before.
func (r *relay) resets(c net.Conn) []byte {
	r.Helper()
	b, err := io.ReadAll(c)
	if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		r.Errorf("read %d bytes, %v, want a reset", len(b), err)
	}
	return b
}

// refused checks that a dial fails, or gets a connection that is reset at once.
func (r *relay) refused() {
	r.Helper()
	if c, err := net.Dial("tcp", r.Addr()); err == nil {
		r.closeAtEnd(c)
		r.resets(c)
	}
}

func TestProxyForwards(t *testing.T) {
	r := newRelay(t)
	c, s := r.open()
	want := content(1, 1<<20)
	var g sync.WaitGroup
	for _, pair := range [][2]net.Conn{{c, s}, {s, c}} {
		g.Go(func() {
			if _, err := pair[0].Write(want); err != nil {
				t.Error(err)
			}
			if err := pair[0].(*net.TCPConn).CloseWrite(); err != nil {
				t.Error(err)
			}
		})
		g.Go(func() {
			if got, err := io.ReadAll(pair[1]); err != nil || !bytes.Equal(got, want) {
				t.Errorf("read %d bytes, %v", len(got), err)
			}
		})
	}
	g.Wait()
	if s := r.Stats(); s.Conns != 1 || s.Cuts != 0 || s.Bytes != 2<<20 {
		t.Errorf("%+v", s)
	}
}

// TestProxyPassesResets: what one side does abruptly is abrupt for the other.
func TestProxyPassesResets(t *testing.T) {
	r := newRelay(t)
	c, s := r.open()
	r.pass(c, s, "there")
	if err := s.(*net.TCPConn).SetLinger(0); err != nil {
		t.Error(err)
	}
	_ = s.Close()
	r.resets(c)
	if s := r.Stats(); s.Cuts != 0 {
		t.Errorf("%+v", s)
	}
}

// TestProxyCutAtOnce: a connection that the target has accepted is cut, although the proxy may not know yet that it was.
func TestProxyCutAtOnce(t *testing.T) {
	r := newRelay(t)
	for range 20 {
		a, b := r.open()
		r.Cut()
		r.resets(a)
		r.resets(b)
	}
	if s := r.Stats(); s.Cuts != 20 {
		t.Errorf("%+v", s)
	}
}

func TestProxyCut(t *testing.T) {
	r := newRelay(t)
	a, b := r.open()
	c, d := r.open()
	r.pass(a, b, "there")
	r.pass(d, c, "back")
	r.Cut()
	for _, end := range []net.Conn{a, b, c, d} {
		r.resets(end)
	}
	if s := r.Stats(); s.Cuts != 2 {
		t.Errorf("%+v", s)
	}
	a, b = r.open()
	r.pass(a, b, "a new one")
}

// TestProxyCutAfter: no byte behind the cut passes.
func TestProxyCutAfter(t *testing.T) {
	r := newRelay(t)
	a, b := r.open()
	c, d := r.open()
	r.CutAfter(1000)
	r.pass(c, d, string(make([]byte, 900)))
	want := content(2, 5000)
	_, _ = a.Write(want) // it is cut meanwhile, or not yet
	if got := r.resets(b); len(got) > 100 || !bytes.HasPrefix(want, got) {
		t.Errorf("got %d bytes", len(got))
	}
	r.resets(a)
	r.pass(c, d, string(make([]byte, 5000)))
	if s := r.Stats(); s.Cuts != 1 || s.Bytes != 6000 {
		t.Errorf("%+v", s)
	}
}

func TestProxyCutEvery(t *testing.T) {
	r := newRelay(t)
	r.CutEvery(100, 300)
	for range 10 {
		a, b := r.open()
		_, _ = a.Write(make([]byte, 300))
		if got := r.resets(b); len(got) > 300 {
			t.Errorf("got %d bytes", len(got))
		}
	}
	if s := r.Stats(); s.Cuts != 10 || s.Bytes < 1000 || s.Bytes > 3000 {
		t.Errorf("%+v", s)
	}
	r.CutEvery(0, 0)
	a, b := r.open()
	r.pass(a, b, string(make([]byte, 10_000)))
}

// TestProxyStall: nothing passes, and nothing is lost. Connections to come are accepted, and wait.
func TestProxyStall(t *testing.T) {
	r := newRelay(t)
	a, b := r.open()
	r.pass(a, b, "before")
	r.Stall()
	r.Stall()
	if _, err := io.WriteString(a, "stalled"); err != nil {
		t.Error(err)
	}
	later := r.dial()
	if err := b.SetDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
		t.Error(err)
	}
	if n, err := b.Read(make([]byte, 10)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %d, %v", n, err)
	}
	if s := r.Stats(); s.Conns != 1 || s.Open != 1 {
		t.Errorf("%+v", s)
	}
	r.closeAtEnd(b)
	r.Resume()
	r.Resume()
	r.pass(a, b, "")
	got := make([]byte, len("stalled"))
	if _, err := io.ReadFull(b, got); err != nil || string(got) != "stalled" {
		t.Errorf("read %q, %v", got, err)
	}
	s, err := r.listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	r.closeAtEnd(s)
	r.pass(later, s, "later")
}

// TestProxyCloseWhileStalled: Close ends what waits.
func TestProxyCloseWhileStalled(t *testing.T) {
	r := newRelay(t)
	a, b := r.open()
	r.pass(a, b, "there")
	r.Delay(0, time.Hour)
	if _, err := io.WriteString(a, "delayed"); err != nil {
		t.Error(err)
	}
	r.Stall()
	later := r.dial()
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	for _, end := range []net.Conn{a, b, later} {
		r.resets(end)
	}
	if c, err := net.Dial("tcp", r.Addr()); err == nil {
		_ = c.Close()
		t.Error("a closed proxy was reached")
	}
}

func TestProxyDelay(t *testing.T) {
	r := newRelay(t)
	a, b := r.open()
	r.Delay(20*time.Millisecond, 30*time.Millisecond)
	start := time.Now()
	r.pass(a, b, "late")
	r.pass(b, a, "late too")
	if took := time.Since(start); took < 40*time.Millisecond {
		t.Errorf("took %v", took)
	}
	r.Delay(-2, -1)
	r.pass(a, b, "not late")
}

func TestProxyRefuse(t *testing.T) {
	r := newRelay(t)
	r.Refuse(true)
	r.refused()
	r.Refuse(false)
	a, b := r.open()
	r.pass(a, b, "there")
	if err := r.listener.Close(); err != nil {
		t.Error(err)
	}
	r.refused()
}

func TestProxyRefusesNothing(t *testing.T) {
	if _, err := rwtest.NewProxy("no port", 1); err == nil {
		t.Error("a proxy to nowhere was made")
	}
}
