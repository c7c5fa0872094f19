package rwtest_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
)

var (
	_ net.Conn     = (*rwtest.Conn)(nil)
	_ net.Listener = (*rwtest.Listener)(nil)
)

// TestBothDirections: large amounts cross in both directions at the same time, whatever the link does to them.
func TestBothDirections(t *testing.T) {
	for name, set := range map[string]func(*rwtest.Link){
		"plain":     func(*rwtest.Link) {},
		"latency":   func(l *rwtest.Link) { l.Latency(time.Millisecond, 50*time.Millisecond) },
		"bandwidth": func(l *rwtest.Link) { l.BytesPerSecond(1 << 20) },
		"split":     func(l *rwtest.Link) { l.Split(7) },
		"loss":      func(l *rwtest.Link) { l.Loss(0.2, 200*time.Millisecond) },
		"wakeups":   func(l *rwtest.Link) { l.Wakeups(time.Millisecond) },
		"window":    func(l *rwtest.Link) { l.Window(13) },
		"all": func(l *rwtest.Link) {
			l.Latency(0, 50*time.Millisecond)
			l.BytesPerSecond(1 << 20)
			l.Split(1000)
			l.Loss(0.1, time.Second)
			l.Wakeups(time.Millisecond)
			l.Window(5000)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				c, s := w.open()
				send := func(c *rwtest.Conn, seed uint64) func() {
					return func() {
						r := rand.New(rand.NewPCG(seed, 0))
						for b := content(seed, 200_000); len(b) > 0; {
							n := min(r.IntN(5000), len(b))
							if k, err := c.Write(b[:n]); k != n || err != nil {
								t.Errorf("write: %d, %v", k, err)
								return
							}
							b = b[n:]
						}
						if err := c.CloseWrite(); err != nil {
							t.Error(err)
						}
					}
				}
				receive := func(c *rwtest.Conn, seed uint64) func() {
					return func() {
						b, err := io.ReadAll(c)
						if err != nil || !bytes.Equal(b, content(seed, 200_000)) {
							t.Errorf("read %d bytes, %x, %v", len(b), sha256.Sum256(b), err)
						}
					}
				}
				group(send(c, 1), receive(s, 1), send(s, 2), receive(c, 2))
			}, rwtest.Seed(3), rwtest.EachLink(set))
		})
	}
}

// content returns n bytes that follow from a seed.
func content(seed uint64, n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed)})
	_, _ = r.Read(b) // never fails
	return b
}

func TestAddresses(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		if c.RemoteAddr() != (rwtest.Addr{Host: "server", Port: 1}) || s.LocalAddr() != c.RemoteAddr() || w.listener.Addr() != c.RemoteAddr() {
			t.Errorf("got %v, %v and %v", c.RemoteAddr(), s.LocalAddr(), w.listener.Addr())
		}
		local := c.LocalAddr()
		if host, _, err := net.SplitHostPort(local.String()); host != "client" || err != nil || local != s.RemoteAddr() || local.Network() != "rwtest" {
			t.Errorf("got %v and %v", local, s.RemoteAddr())
		}
		if c.Number() != 0 || s.Number() != 0 {
			t.Errorf("numbers %d and %d", c.Number(), s.Number())
		}
		l, err := w.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if a, ok := l.Addr().(*net.TCPAddr); !ok || !a.IP.IsLoopback() || a.Port == 0 {
			t.Errorf("address %v", l.Addr())
		}
		d, err := w.Host("127.0.0.2").DialContext(w.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if a, ok := d.LocalAddr().(*net.TCPAddr); !ok || a.IP.String() != "127.0.0.2" {
			t.Errorf("address %v", d.LocalAddr())
		}
		if err := errors.Join(d.Close(), l.Close()); err != nil {
			t.Error(err)
		}
	})
}

// TestClose: the other end reads everything and then the end; what waits returns.
func TestClose(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.write(c, "tail")
		w.waits(func() { w.fails(net.ErrClosed)(c.Read(make([]byte, 1))) }, func() { _ = c.Close() })
		w.readEnd(s, "tail", io.EOF)
		w.fails(io.EOF)(s.Read(make([]byte, 1)))
		w.fails(net.ErrClosed)(c.Read(make([]byte, 1)))
		w.fails(net.ErrClosed)(c.Read(nil))
		w.fails(net.ErrClosed)(c.Write([]byte("x")))
		w.fails(net.ErrClosed)(0, c.Close())
		w.fails(net.ErrClosed)(0, c.CloseWrite())
		w.fails(net.ErrClosed)(0, c.SetDeadline(time.Time{}))
	})
}

// TestCloseWhileWriting: a Write that waits for room returns what was taken.
func TestCloseWhileWriting(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.waits(func() {
			if n, err := c.Write(make([]byte, 100_000)); n != 64<<10 || !errors.Is(err, net.ErrClosed) {
				t.Errorf("got %d, %v", n, err)
			}
		}, func() { _ = c.Close() })
		w.readEnd(s, string(make([]byte, 64<<10)), io.EOF)
	})
}

// TestWriteToClosed: the first Write succeeds, as nobody knows yet; then the pipe is broken.
func TestWriteToClosed(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.Latency(time.Second, time.Second)
		c, s := w.open()
		w.write(c, "tail")
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		w.write(s, strings.Repeat("x", 300<<10)) // more than the window: nobody keeps it
		time.Sleep(2 * time.Second)
		w.fails(errBroken)(s.Write([]byte("x")))
		w.readEnd(s, "tail", io.EOF)
	})
}

// TestCloseUnread: who closes without having read everything resets the other, and may take his own tail with him.
func TestCloseUnread(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.write(s, "unread")
		w.write(c, "arrived")
		w.link.Latency(time.Second, time.Second)
		w.write(c, "under way")
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		w.write(s, "nobody knows yet")
		w.elapsed(time.Second, func() { w.readEnd(s, "arrived", errReset) })
		w.fails(errReset)(s.Write([]byte("x")))
	})
}

// TestCloseUnderWay: bytes that come after Close are answered with a reset, which takes nothing from what was sent before.
func TestCloseUnderWay(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.Latency(time.Second, time.Second)
		c, s := w.open()
		w.write(s, "under way")
		w.write(c, "tail")
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1999 * time.Millisecond)
		w.write(s, "x")
		time.Sleep(time.Millisecond)
		w.fails(errBroken)(s.Write([]byte("x")))
		w.readEnd(s, "tail", io.EOF)
	})
}

func TestCloseWrite(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.write(c, "request")
		if err := errors.Join(c.CloseWrite(), c.CloseWrite()); err != nil {
			t.Fatal(err)
		}
		w.fails(errBroken)(c.Write([]byte("x")))
		w.readEnd(s, "request", io.EOF)
		w.write(s, "response")
		_ = s.Close()
		w.readEnd(c, "response", io.EOF)
	})
}

// TestWindow: Write waits while the window is full, and the window is what was written and not read.
func TestWindow(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.write(c, string(make([]byte, 64<<10)))
		w.waits(func() { w.write(c, "more") }, func() { w.read(s, "\x00\x00\x00\x00") })
		w.write(s, "the other direction has its own")
		w.link.From("client").Window(64<<10 + 3)
		w.waits(func() { w.write(c, "1234") }, func() { w.link.Window(64<<10 + 4) })
		w.read(s, string(make([]byte, 64<<10-4))+"more1234")
	})
}

// TestDeadlines: past ones, those to come, those that are set while somebody waits, and none again.
func TestDeadlines(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		read := func() { w.fails(os.ErrDeadlineExceeded)(c.Read(make([]byte, 1))) }
		full := make([]byte, 64<<10+1)
		write := func(want int) func() {
			return func() {
				n, err := c.Write(full)
				var timeout net.Error
				if n != want || !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
					t.Errorf("got %d, %v", n, err)
				}
			}
		}
		check := func(err error) {
			if err != nil {
				t.Error(err)
			}
		}
		w.write(s, "there")
		check(c.SetReadDeadline(time.Now().Add(-time.Second)))
		w.elapsed(0, read)
		check(c.SetReadDeadline(time.Unix(0, 0)))
		w.elapsed(0, read)
		check(c.SetReadDeadline(time.Time{}))
		w.read(c, "there")
		check(c.SetReadDeadline(time.Now().Add(time.Minute)))
		w.elapsed(time.Minute, read)
		w.elapsed(0, read)
		check(c.SetReadDeadline(time.Now().Add(100 * time.Hour)))
		w.waits(read, func() { check(c.SetDeadline(time.Now())) })
		w.elapsed(0, write(0))
		check(c.SetWriteDeadline(time.Now().Add(time.Minute)))
		w.elapsed(time.Minute, write(64<<10))
		w.elapsed(0, write(0))
		check(c.SetWriteDeadline(time.Now().Add(100 * time.Hour)))
		w.waits(write(0), func() { check(c.SetWriteDeadline(time.Unix(0, 0))) })
		check(c.SetDeadline(time.Time{}))
		w.waits(func() { w.read(c, "late") }, func() { w.write(s, "late") })
		w.waits(func() { w.write(c, "x") }, func() { w.read(s, "\x00") })
	})
}

// TestDeadlineMoves: a deadline that is moved on while somebody waits counts from there.
func TestDeadlineMoves(t *testing.T) {
	inWorld(t, func(w *world) {
		c, _ := w.open()
		start := time.Now()
		if err := c.SetReadDeadline(start.Add(time.Second)); err != nil {
			t.Error(err)
		}
		group(
			func() {
				w.elapsed(3*time.Second, func() { w.fails(os.ErrDeadlineExceeded)(c.Read(make([]byte, 1))) })
			},
			func() {
				time.Sleep(500 * time.Millisecond)
				if err := c.SetReadDeadline(start.Add(3 * time.Second)); err != nil {
					t.Error(err)
				}
			})
	})
}

// TestConcurrentWrites: the bytes of one Write stay together, although each has to wait for room several times.
func TestConcurrentWrites(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.Window(10)
		c, s := w.open()
		const writers, length = 20, 97
		var functions []func()
		for i := range writers {
			functions = append(functions, func() { w.write(c, strings.Repeat(string(rune('a'+i)), length)) })
		}
		functions = append(functions, func() {
			seen := map[byte]bool{}
			b := make([]byte, length)
			for range writers {
				if _, err := io.ReadFull(s, b); err != nil || seen[b[0]] || bytes.Count(b, b[:1]) != length {
					t.Errorf("read %q, %v", b, err)
				}
				seen[b[0]] = true
			}
		})
		group(functions...)
	})
}

// TestConcurrentUse calls everything at once. The race detector has to see nothing, and all calls return.
func TestConcurrentUse(t *testing.T) {
	for seed := range uint64(20) {
		inWorld(t, func(w *world) {
			w.link.Latency(0, time.Millisecond)
			w.link.Window(100)
			w.link.Wakeups(time.Millisecond)
			c, s := w.open()
			var functions []func()
			for _, end := range []*rwtest.Conn{c, s} {
				for i := range 3 {
					functions = append(functions,
						func() { _, _ = end.Write(make([]byte, 300*i)) }, // any result will do
						func() { _, _ = end.Read(make([]byte, 50)) },
						func() { _ = end.SetDeadline(time.Now().Add(time.Duration(i+1) * time.Millisecond)) },
						func() { _, _ = end.LocalAddr(), end.RemoteAddr() })
				}
			}
			functions = append(functions, w.link.Drop, w.link.Heal, func() { w.link.Split(3) }, func() { w.link.Conns() })
			if seed%2 == 0 {
				functions = append(functions, func() { time.Sleep(time.Millisecond); w.link.Cut() })
			} else {
				functions = append(functions, func() { time.Sleep(time.Millisecond); _ = c.Close() })
			}
			group(functions...)
		}, rwtest.Seed(seed))
	}
}

// TestNothing: reading and writing nothing does not wait.
func TestNothing(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.write(c, "")
		if n, err := s.Read(nil); n != 0 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
		w.link.Cut()
		w.fails(errReset)(c.Write(nil))
		w.fails(errReset)(s.Read(nil))
	})
}

// TryRead returns what has arrived, and never waits.
func TestTryRead(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		b := make([]byte, 10)
		if n, err := s.TryRead(b); n != 0 || err != nil {
			t.Errorf("of nothing: %d, %v", n, err)
		}
		if _, err := c.Write([]byte("hello")); err != nil {
			t.Fatal(err)
		}
		if n, err := s.TryRead(b); n != 0 || err != nil {
			t.Errorf("before it has arrived: %d, %v", n, err)
		}
		time.Sleep(time.Second)
		if n, err := s.TryRead(b[:0]); n != 0 || err != nil {
			t.Errorf("into nothing: %d, %v", n, err)
		}
		if n, err := s.TryRead(b); string(b[:n]) != "hello" || err != nil {
			t.Errorf("read %q, %v", b[:n], err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if n, err := s.TryRead(b); n != 0 || err != io.EOF {
			t.Errorf("after the end: %d, %v", n, err)
		}
		if err := s.SetReadDeadline(time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.TryRead(b); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("after the deadline: %v", err)
		}
	}, rwtest.EachLink(func(l *rwtest.Link) { l.Latency(time.Millisecond, time.Millisecond) }))
}
