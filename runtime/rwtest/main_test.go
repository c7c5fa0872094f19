package rwtest_test

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/rwgen/rwgen/runtime/rwtest"
)

// TestMain fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const address = "server:1"

// world is a network with a listener, inside a bubble of virtual time.
type world struct {
	*testing.T
	*rwtest.Network
	link     *rwtest.Link
	listener net.Listener
}

// inWorld runs a test in virtual time. What it leaves open fails it, and so does a goroutine that does not end.
func inWorld(t *testing.T, f func(w *world), opts ...rwtest.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := rwtest.NewNetwork(opts...)
		l, err := n.Listen(address)
		if err != nil {
			t.Fatal(err)
		}
		rwtest.MustClose(t, n)
		rwtest.MustClose(t, l)
		f(&world{t, n, n.Link("client", address), l})
	})
}

// open returns both ends of a new connection, which are closed at the end of the test if the test has not done that.
func (w *world) open() (client, server *rwtest.Conn) {
	w.Helper()
	c, err := w.Dial(w.Context(), address)
	if err != nil {
		w.Fatal(err)
	}
	s, err := w.listener.Accept()
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		for _, end := range []net.Conn{c, s} {
			if err := end.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
				w.Error(err)
			}
		}
	})
	return c.(*rwtest.Conn), s.(*rwtest.Conn)
}

// write writes all of a text.
func (w *world) write(c net.Conn, text string) {
	w.Helper()
	if n, err := io.WriteString(c, text); n != len(text) || err != nil {
		w.Errorf("write %d bytes: %d, %v", len(text), n, err)
	}
}

// read reads a text and no more.
func (w *world) read(c net.Conn, want string) {
	w.Helper()
	b := make([]byte, len(want))
	if n, err := io.ReadFull(c, b); err != nil || string(b) != want {
		w.Errorf("read %q, %v, want %q", b[:n], err, want)
	}
}

// readEnd reads a text and then the end.
func (w *world) readEnd(c net.Conn, want string, end error) {
	w.Helper()
	w.read(c, want)
	w.fails(end)(c.Read(make([]byte, 1)))
}

// fails returns a check that a call takes nothing and fails; io.EOF as it is, others in the form of package net.
func (w *world) fails(want error) func(int, error) {
	return func(n int, err error) {
		w.Helper()
		var op *net.OpError
		if n != 0 || !errors.Is(err, want) || errors.As(err, &op) == (want == io.EOF) {
			w.Errorf("got %d, %v, want 0 and %v", n, err, want)
		}
	}
}

// elapsed checks how long f takes.
func (w *world) elapsed(want time.Duration, f func()) {
	w.Helper()
	start := time.Now()
	f()
	if took := time.Since(start); took != want {
		w.Errorf("took %v, want %v", took, want)
	}
}

// group runs functions until all have returned.
func group(functions ...func()) {
	var g sync.WaitGroup
	for _, f := range functions {
		g.Go(f)
	}
	g.Wait()
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// waits checks that f waits until other is called.
func (w *world) waits(f, other func()) {
	w.Helper()
	done := make(chan struct{})
	go func() {
		f()
		close(done)
	}()
	time.Sleep(time.Hour)
	select {
	case <-done:
		w.Error("did not wait")
	default:
	}
	other()
	<-done
}

const (
	errReset   = syscall.ECONNRESET
	errBroken  = syscall.EPIPE
	errRefused = syscall.ECONNREFUSED
)
