package rwtest_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
)

// TestLatency: bytes and the end arrive when the latency is over, by direction, and not before.
func TestLatency(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.link.From("client").Latency(time.Second, time.Second)
		w.link.From("server").Latency(time.Minute, time.Minute)
		w.elapsed(0, func() { w.write(c, "there"); w.write(s, "back") })
		w.elapsed(time.Second, func() { w.read(s, "there") })
		w.elapsed(59*time.Second, func() { w.read(c, "back") })
		_ = c.Close()
		w.elapsed(time.Second, func() { w.readEnd(s, "", io.EOF) })
	})
}

// TestLatencyKeepsOrder: what is written later with a smaller latency does not arrive earlier.
func TestLatencyKeepsOrder(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.link.Latency(time.Minute, time.Minute)
		w.write(c, "first")
		w.link.Latency(0, 0)
		w.write(c, "second")
		w.elapsed(time.Minute, func() { w.read(s, "firstsecond") })
	})
}

// TestLatencyVaries: between the bounds, differently each time.
func TestLatencyVaries(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.Latency(10*time.Millisecond, 20*time.Millisecond)
		c, s := w.open()
		seen := map[time.Duration]bool{}
		for range 100 {
			start := time.Now()
			w.write(c, "x")
			w.read(s, "x")
			took := time.Since(start)
			if seen[took] = true; took < 10*time.Millisecond || took > 20*time.Millisecond {
				t.Errorf("took %v", took)
			}
		}
		if len(seen) < 90 {
			t.Errorf("only %d different ones", len(seen))
		}
	})
}

// TestBytesPerSecond: a direction carries so much for all connections together, and what is first arrives first.
func TestBytesPerSecond(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.BytesPerSecond(1000)
		w.link.Window(1 << 20)
		c, s := w.open()
		d, _ := w.open()
		start := time.Now()
		w.write(c, string(make([]byte, 10_000)))
		w.write(d, string(make([]byte, 10_000)))
		w.write(c, "x")
		w.elapsed(1460*time.Millisecond, func() { w.read(s, "\x00") })
		w.read(s, string(make([]byte, 9_999))+"x")
		if took := time.Since(start).Round(time.Millisecond); took != 20_001*time.Millisecond {
			t.Errorf("took %v", took)
		}
		w.elapsed(time.Millisecond, func() { w.write(s, "y"); w.read(c, "y") })
	})
}

// reads returns how long the pieces are in which n bytes are read.
func (w *world) reads(c *rwtest.Conn, n int) (sizes []int) {
	w.Helper()
	for b := make([]byte, n); n > 0; {
		k, err := c.Read(b)
		if err != nil {
			w.Fatal(err)
		}
		sizes = append(sizes, k)
		n -= k
	}
	return sizes
}

// TestSplit: at the same places, however the bytes were written, and at others with another seed.
func TestSplit(t *testing.T) {
	run := func(seed uint64, pieces int) (sizes []int) {
		inWorld(t, func(w *world) {
			w.link.Split(10)
			c, s := w.open()
			for range pieces {
				w.write(c, string(make([]byte, 1000/pieces)))
			}
			sizes = w.reads(s, 1000)
		}, rwtest.Seed(seed))
		return sizes
	}
	a, b, other := run(1, 1), run(1, 100), run(2, 1)
	counts := map[int]int{}
	for _, n := range a {
		counts[n]++
	}
	if len(counts) != 10 || counts[1] == 0 || counts[10] == 0 {
		t.Errorf("sizes %v", counts)
	}
	if !slices.Equal(a, b) || slices.Equal(a, other) {
		t.Errorf("%v\n%v\n%v", a, b, other)
	}
}

// TestLoss: what is lost comes later, and so does all behind it.
func TestLoss(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.link.Loss(1, time.Second)
		w.write(c, "a")
		w.link.Loss(0, 0)
		w.write(c, "b")
		w.elapsed(1023*time.Second, func() { w.read(s, "ab") })
		w.link.Loss(0.5, time.Second)
		late := 0
		for range 1000 {
			start := time.Now()
			w.write(c, "x")
			w.read(s, "x")
			if time.Since(start) > 0 {
				late++
			}
		}
		if late < 400 || late > 600 {
			t.Errorf("%d of 1000 were late", late)
		}
	})
}

// TestDrop: nothing passes until Heal, in the direction that was dropped: bytes, under way or not, ends, and dials.
func TestDrop(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.write(c, "arrived ")
		w.link.Latency(time.Second, time.Second)
		w.write(c, "under way ")
		toServer := w.link.From("client")
		toServer.Drop()
		toServer.Drop()
		w.write(c, "later")
		w.write(s, "the other direction")
		_ = c.CloseWrite()
		w.read(s, "arrived ")
		w.read(c, "the other direction")
		w.elapsed(time.Hour+time.Second, func() {
			w.waits(func() { w.readEnd(s, "under way later", io.EOF) }, func() {
				toServer.Heal()
				toServer.Heal()
			})
		})
	})
}

// TestDropReset: a reset waits for Heal too.
func TestDropReset(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.write(c, "tail")
		w.link.Drop()
		w.link.CutAfter(1)
		w.write(c, "xyz")
		w.fails(errReset)(c.Read(make([]byte, 1)))
		w.read(s, "tail")
		w.waits(func() { w.readEnd(s, "x", errReset) }, w.link.Heal)
	})
}

// TestDropWindow: while a direction is dropped the window fills up, also towards an end that was closed.
func TestDropWindow(t *testing.T) {
	for name, closed := range map[string]bool{"open": false, "closed": true} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				c, s := w.open()
				w.link.From("client").Drop()
				if closed {
					_ = s.Close()
				}
				w.waits(func() {
					n, err := c.Write(make([]byte, 64<<10+1))
					if closed && n == 64<<10 && errors.Is(err, errBroken) || !closed && n == 64<<10+1 && err == nil {
						return
					}
					t.Errorf("got %d, %v", n, err)
				}, func() {
					w.link.Heal()
					if !closed {
						w.read(s, "\x00")
					}
				})
			})
		})
	}
}

// TestCut: both ends at once; what has arrived can be read, what is under way is lost.
func TestCut(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.write(c, "arrived")
		w.link.Latency(time.Second, time.Second)
		w.write(c, "lost")
		w.write(s, "lost too")
		w.elapsed(500*time.Millisecond, func() {
			group(func() { w.readEnd(c, "", errReset) }, func() {
				time.Sleep(500 * time.Millisecond)
				w.link.Cut()
			})
			w.readEnd(s, "arrived", errReset)
		})
		w.fails(errReset)(c.Write([]byte("x")))
		w.fails(errReset)(s.Write([]byte("x")))
		s.Cut()
		if got, want := w.link.Stats(), (rwtest.LinkStats{Dials: 1, Conns: 1, Open: 1, Cuts: 1, Bytes: 19}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		c, s = w.open()
		w.write(c, "a new one")
		w.read(s, "a new one")
	})
}

// TestCutWhileWriting: a Write that waits for room fails with what was taken.
func TestCutWhileWriting(t *testing.T) {
	inWorld(t, func(w *world) {
		c, _ := w.open()
		w.waits(func() {
			if n, err := c.Write(make([]byte, 70_000)); n != 64<<10 || !errors.Is(err, errReset) {
				t.Errorf("got %d, %v", n, err)
			}
		}, w.link.Cut)
	})
}

// TestCutAt: one end is reset, the other never learns, whatever the first does.
func TestCutAt(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.write(c, "arrived")
		w.link.CutAt("client")
		w.fails(errReset)(c.Read(make([]byte, 1)))
		w.fails(errReset)(c.Write([]byte("x")))
		_ = c.Close()
		w.link.Drop()
		w.link.Heal()
		w.read(s, "arrived")
		if err := s.SetDeadline(time.Now().Add(time.Hour)); err != nil {
			t.Error(err)
		}
		w.fails(os.ErrDeadlineExceeded)(s.Read(make([]byte, 1)))
		if err := s.SetDeadline(time.Now().Add(time.Hour)); err != nil {
			t.Error(err)
		}
		if n, err := s.Write(make([]byte, 65<<10)); n != 64<<10 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %d, %v", n, err)
		}
		if cuts := w.link.Stats().Cuts; cuts != 1 {
			t.Errorf("%d cuts", cuts)
		}
	})
}

// TestCutAfter: the receiver gets every byte up to the cut and no other, wherever the cut is; the sender is reset behind the Write.
func TestCutAfter(t *testing.T) {
	text := "0123456789"
	for cut := range len(text) + 1 {
		for _, piece := range []int{1, 3, 10} {
			inWorld(t, func(w *world) {
				c, s := w.open()
				w.link.Latency(time.Second, time.Second)
				w.link.From("server").CutAfter(0) // of what nobody sends
				w.link.From("client").CutAfter(int64(cut))
				sent := 0
				for rest := text; rest != ""; {
					n := min(piece, len(rest))
					k, err := io.WriteString(c, rest[:n])
					if sent += k; err != nil {
						w.fails(errReset)(k, err)
						break
					}
					rest = rest[n:]
				}
				if want := min((max(cut, 1)+piece-1)/piece*piece, len(text)); sent != want {
					t.Errorf("cut after %d in pieces of %d: %d bytes were taken, want %d", cut, piece, sent, want)
				}
				w.fails(errReset)(c.Read(make([]byte, 1)))
				w.elapsed(time.Second, func() { w.readEnd(s, text[:cut], errReset) })
				w.fails(errReset)(s.Write([]byte("x")))
				c, s = w.open()
				w.write(c, text)
				w.read(s, text)
			})
		}
	}
}

// TestCutAfterBothDirections: bytes of both directions count, of all connections.
func TestCutAfterBothDirections(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		d, e := w.open()
		w.link.CutAfter(10)
		w.write(c, "1234")
		w.write(s, "5678")
		w.write(d, "90")
		w.readEnd(e, "90", errReset)
		w.read(c, "5678")
		w.read(s, "1234")
	})
}

// TestCutAfterWithFullWindow: the bytes behind the cut count as taken, also if Write would have had to wait for room for them.
func TestCutAfterWithFullWindow(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.Window(4)
		w.link.CutAfter(6)
		c, s := w.open()
		group(func() { w.write(c, "0123456789") }, func() { w.readEnd(s, "012345", errReset) })
	})
}

// TestCutEvery: again and again, at the same places with the same seed.
func TestCutEvery(t *testing.T) {
	run := func(seed uint64) (lengths []int) {
		inWorld(t, func(w *world) {
			w.link.From("client").CutEvery(10, 20)
			for range 50 {
				c, s := w.open()
				n := 0
				for ; ; n++ {
					if _, err := c.Write([]byte("x")); err != nil {
						w.fails(errReset)(0, err)
						break
					}
				}
				w.readEnd(s, strings.Repeat("x", n), errReset)
				lengths = append(lengths, n)
			}
			w.link.CutEvery(0, 0)
			c, s := w.open()
			w.write(c, strings.Repeat("x", 100))
			w.read(s, strings.Repeat("x", 100))
		}, rwtest.Seed(seed))
		return lengths
	}
	a, b, other := run(1), run(1), run(2)
	if !slices.Equal(a, b) || slices.Equal(a, other) {
		t.Errorf("%v\n%v\n%v", a, b, other)
	}
	seen := map[int]bool{}
	for _, n := range a {
		seen[n] = true
		if n < 10 || n > 20 {
			t.Errorf("cut after %d bytes", n)
		}
	}
	if len(seen) < 8 {
		t.Errorf("only at %v", seen)
	}
}

// TestCloseNetwork: what is open is named, what waits returns, and nothing new begins.
func TestCloseNetwork(t *testing.T) {
	inWorld(t, func(w *world) {
		n := rwtest.NewNetwork()
		l, err := n.Listen("b:7")
		if err != nil {
			t.Fatal(err)
		}
		c, err := n.Host("a").Dial(w.Context(), "b:7")
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := n.Listen("b:8"); err != nil {
			t.Fatal(err)
		}
		if _, err := n.Dial(w.Context(), "b:8"); err != nil { // is not accepted
			t.Fatal(err)
		}
		n.Link("a", "c").Drop()
		w.waits(func() {
			group(
				func() { w.fails(errReset)(c.Read(make([]byte, 1))) },
				func() { w.fails(net.ErrClosed)(dial(n.Host("a").Dial(w.Context(), "c:1"))) },
				func() {
					_, err := l.Accept()
					w.fails(net.ErrClosed)(0, err)
				})
		}, func() {
			const want = "rwtest: left open: listener at b:7; listener at b:8; connection of a:49152 with b:7, dialed there; connection of b:7 with a:49152, accepted there; connection of client:49153 with b:8, dialed there"
			if err := n.Close(); err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
		if err := errors.Join(s.Close(), c.Close(), n.Close()); err != nil {
			t.Error(err)
		}
		w.fails(net.ErrClosed)(dial(n.Dial(w.Context(), "new:1")))
		_, err = n.Listen("new:1")
		w.fails(net.ErrClosed)(0, err)
	})
}

// TestLinks: one link for two hosts, whoever asks and dials, set up once; a loop too.
func TestLinks(t *testing.T) {
	var made []string
	inWorld(t, func(w *world) {
		w.link.Drop()
		w.Link("server:9", "client").Heal()
		c, s := w.open()
		if ends := w.link.Conns(); len(ends) != 2 || ends[0] != c || ends[1] != s {
			t.Errorf("ends %v", ends)
		}
		if ends := w.link.From("server").Conns(); len(ends) != 1 || ends[0] != s {
			t.Errorf("ends %v", ends)
		}
		loop, err := w.Host("server").Dial(w.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		back, err := w.listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		w.write(loop, "to myself")
		w.read(back, "to myself")
		w.Link("server", "server").From("server").Cut()
		w.readEnd(back, "", errReset)
		if err := errors.Join(loop.Close(), back.Close()); err != nil {
			t.Error(err)
		}
		if links := w.Links(); len(links) != 2 {
			t.Errorf("%d links", len(links))
		}
		defer func() {
			if recover() == nil {
				t.Error("From with a strange host did not panic")
			}
		}()
		w.link.From("nobody")
	}, rwtest.EachLink(func(l *rwtest.Link) {
		a, b := l.Hosts()
		made = append(made, a+"-"+b)
	}))
	if got := strings.Join(made, " "); got != "client-server server-server" {
		t.Errorf("links %s", got)
	}
}

// TestNegativeSettings are taken for none.
func TestNegativeSettings(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.Latency(-2, -1)
		w.link.BytesPerSecond(-1)
		w.link.Split(-1)
		w.link.Loss(-1, -1)
		w.link.Wakeups(-1)
		w.link.Window(-1)
		w.link.CutEvery(-2, -1)
		c, s := w.open()
		w.elapsed(0, func() {
			group(func() { w.write(c, "one by one") }, func() {
				if b, err := io.ReadAll(io.LimitReader(s, 10)); err != nil || !bytes.Equal(b, []byte("one by one")) {
					t.Errorf("read %q, %v", b, err)
				}
			})
		})
	})
}

// TestDropEnds: ends that are under way stay behind like bytes, clean ones and resets.
func TestDropEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(w *world, c *rwtest.Conn)
		want error
	}{
		"close":       {func(_ *world, c *rwtest.Conn) { _ = c.Close() }, io.EOF},
		"close write": {func(_ *world, c *rwtest.Conn) { _ = c.CloseWrite() }, io.EOF},
		"cut": {func(w *world, c *rwtest.Conn) {
			w.link.CutAfter(0)
			w.write(c, "lost")
		}, errReset},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				c, s := w.open()
				w.link.Latency(time.Minute, time.Minute)
				tt.end(w, c)
				time.Sleep(30 * time.Second)
				w.link.Drop()
				w.elapsed(time.Hour+time.Minute, func() {
					w.waits(func() { w.readEnd(s, "", tt.want) }, w.link.Heal)
				})
			})
		})
	}
}

// TestCutHere: the end that it is called on, once; Close afterwards tells nobody, and an end that is closed is not cut.
func TestCutHere(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		s.CutHere()
		s.CutHere()
		w.readEnd(s, "", errReset)
		_ = s.CloseWrite()
		_ = s.Close()
		w.waits(func() { w.readEnd(c, "", net.ErrClosed) }, func() { _ = c.Close() })
		c, s = w.open()
		_ = c.Close()
		c.CutHere()
		c.Cut()
		w.readEnd(s, "", io.EOF) // which had arrived
		w.fails(errReset)(s.Write([]byte("x")))
		if stats := w.link.Stats(); stats.Cuts != 2 {
			t.Errorf("%+v", stats)
		}
	})
}

// TestCutOfClosed: a hook may have closed the connection before the cut that it asks for.
func TestCutOfClosed(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.link.OnMessage(1, func([]byte) int { return 0 }, func(rwtest.Message) int {
			_ = c.Close()
			return 1
		})
		w.fails(net.ErrClosed)(c.Write([]byte("x")))
		w.readEnd(s, "", io.EOF)
		if stats := w.link.Stats(); stats.Cuts != 0 {
			t.Errorf("%+v", stats)
		}
	})
}

// TestCutHereLoses: what is under way from the end that is cut never arrives, and nor does what is under way to it.
func TestCutHereLoses(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.Latency(time.Minute, time.Minute)
		c, s := w.open()
		w.write(c, "under way")
		w.write(s, "under way too")
		c.CutHere()
		w.readEnd(c, "", errReset)
		w.waits(func() { w.readEnd(s, "", net.ErrClosed) }, func() { _ = s.Close() })
	})
}

// TestWriteUntilReset: somebody who writes learns of a reset when it arrives, whether there is room for his bytes, nobody takes them, or he waits for his turn.
func TestWriteUntilReset(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.link.Latency(time.Second, time.Second)
		w.link.CutAfter(1)
		w.write(c, "x")
		w.elapsed(0, func() { w.write(s, string(make([]byte, 100<<10))) }) // nobody keeps it, and nobody says so yet
		w.elapsed(time.Second, func() { w.readEnd(s, "x", errReset) })
		w.fails(errReset)(s.Write([]byte("x")))

		for _, writers := range []int{1, 3} {
			c, s = w.open()
			w.link.From("server").Drop()
			w.write(s, string(make([]byte, 64<<10)))
			w.link.CutAfter(1)
			w.write(c, "x")
			w.elapsed(time.Second, func() {
				group(slices.Repeat([]func(){func() { w.fails(errReset)(s.Write([]byte("x"))) }}, writers)...)
			})
			w.link.Heal()
		}
	})
}

// TestHealOnWire: what was dropped is sent once more, not behind itself.
func TestHealOnWire(t *testing.T) {
	inWorld(t, func(w *world) {
		w.link.BytesPerSecond(1000)
		c, s := w.open()
		w.write(c, string(make([]byte, 10_000)))
		time.Sleep(time.Second)
		w.link.Drop()
		time.Sleep(time.Second)
		w.link.Heal()
		start := time.Now()
		w.read(s, string(make([]byte, 10_000)))
		if took := time.Since(start).Round(time.Millisecond); took != 10*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// TestCutLeavesArrived: what the other end sends after a cut that it has not heard of does not take away what had arrived before.
func TestCutLeavesArrived(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.write(s, "arrived")
		w.link.Latency(time.Second, time.Second)
		w.link.CutAfter(1)
		w.write(c, "x")
		w.write(s, "for nobody")
		w.readEnd(c, "arrived", errReset)
		w.readEnd(s, "x", errReset)
	})
}

// TestDropThenClose: bytes that were stopped before the other end was closed are answered with a reset when they arrive.
func TestDropThenClose(t *testing.T) {
	inWorld(t, func(w *world) {
		c, s := w.open()
		w.link.From("client").Drop()
		w.write(c, "stopped")
		_ = s.Close()
		w.readEnd(c, "", io.EOF)
		w.write(c, "nobody says no")
		w.link.Heal()
		w.fails(errBroken)(c.Write([]byte("x")))
	})
}
