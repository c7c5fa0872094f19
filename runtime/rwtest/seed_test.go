package rwtest_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	cryptorand "crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
)

// TestWakeups: who waits for the same thing goes on in an order that follows from the seed.
func TestWakeups(t *testing.T) {
	const readers = 8
	run := func(seed uint64) (order []int) {
		inWorld(t, func(w *world) {
			w.link.Wakeups(time.Millisecond)
			var mu sync.Mutex
			var g sync.WaitGroup
			for i := range readers {
				c, _ := w.open()
				g.Go(func() {
					w.fails(errReset)(c.Read(make([]byte, 1)))
					mu.Lock()
					defer mu.Unlock()
					order = append(order, i)
				})
			}
			time.Sleep(time.Second)
			w.link.Cut()
			w.elapsed(0, func() { // who does not wait is not late
				c, s := w.open()
				w.write(c, "x")
				w.read(s, "x")
			})
			g.Wait()
		}, rwtest.Seed(seed))
		return order
	}
	orders := map[string]bool{}
	for seed := range uint64(20) {
		order := run(seed)
		for range 3 {
			if again := run(seed); !slices.Equal(order, again) {
				t.Errorf("seed %d: %v, then %v", seed, order, again)
			}
		}
		orders[fmt.Sprint(order)] = true
	}
	if len(orders) < 18 {
		t.Errorf("only %d orders with 20 seeds", len(orders))
	}
}

// hostile sets everything at once.
func hostile(l *rwtest.Link) {
	l.Latency(0, 20*time.Millisecond)
	l.BytesPerSecond(1 << 20)
	l.Split(100)
	l.Loss(0.05, 200*time.Millisecond)
	l.Wakeups(time.Millisecond)
	l.Window(500)
	l.CutEvery(200, 2000)
}

// TestRunsAgain: a run with everything that can happen is the same again with the same seed: what each Read returns, when, and in which order.
func TestRunsAgain(t *testing.T) {
	run := func(seed uint64) string {
		var mu sync.Mutex
		var trace strings.Builder
		inWorld(t, func(w *world) {
			start := time.Now()
			var g sync.WaitGroup
			for range 4 {
				c, s := w.open()
				for i, end := range []*rwtest.Conn{c, s} {
					g.Go(func() {
						// In which order goroutines begin is not the network's matter.
						time.Sleep(time.Duration(2*i+1) * time.Microsecond)
						_, err := end.Write(content(seed, 1000))
						mu.Lock()
						defer mu.Unlock()
						fmt.Fprintln(&trace, time.Since(start), end.Number(), end.LocalAddr(), "wrote", err)
					})
					g.Go(func() {
						time.Sleep(time.Duration(2*i+2) * time.Microsecond)
						for b := make([]byte, 1000); ; {
							n, err := end.Read(b)
							mu.Lock()
							fmt.Fprintln(&trace, time.Since(start), end.Number(), end.LocalAddr(), "read", n, err)
							mu.Unlock()
							if err != nil {
								return
							}
						}
					})
				}
			}
			time.Sleep(time.Second)
			w.link.Cut()
			g.Wait()
		}, rwtest.Seed(seed), rwtest.EachLink(func(l *rwtest.Link) {
			hostile(l)
			l.CutEvery(1000, 3000)
		}))
		return trace.String()
	}
	traces := map[string]bool{}
	for seed := range uint64(5) {
		trace := run(seed)
		for range 3 {
			if again := run(seed); again != trace {
				t.Errorf("seed %d: %s\nthen %s", seed, trace, again)
			}
		}
		traces[trace] = true
	}
	if len(traces) != 5 {
		t.Errorf("only %d different traces with 5 seeds", len(traces))
	}
}

// TestManySeeds runs a small protocol, which dials again and goes on where it stopped, over a hostile network: it is what the package is for, and cheap.
func TestManySeeds(t *testing.T) {
	cuts := 0
	for seed := range uint64(500) {
		inWorld(t, func(w *world) {
			want := content(seed, 3000)
			var g sync.WaitGroup
			g.Go(func() { serve(w.listener, want) })
			got, err := fetch(w, len(want))
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("seed %d: got %d bytes, %v", seed, len(got), err)
			}
			w.link.CutEvery(0, 0)
			stop, err := w.Dial(w.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			w.write(stop, "\xff\xff\xff\xff")
			g.Wait()
			_ = stop.Close()
			cuts += w.link.Stats().Cuts
		}, rwtest.Seed(seed), rwtest.EachLink(hostile))
	}
	if cuts < 500 {
		t.Errorf("only %d cuts", cuts)
	}
}

// serve sends what is behind the position that a client asks for, until one asks for the impossible.
func serve(l net.Listener, all []byte) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		var position [4]byte
		if _, err := io.ReadFull(c, position[:]); err == nil {
			from := binary.BigEndian.Uint32(position[:])
			if from > uint32(len(all)) {
				_ = c.Close()
				return
			}
			_, _ = c.Write(all[from:]) // the client comes again if it fails
		}
		_ = c.Close()
	}
}

// fetch gets n bytes, over as many connections as that takes.
func fetch(w *world, n int) (got []byte, err error) {
	for len(got) < n {
		c, err := w.Dial(w.Context(), address)
		if err != nil {
			return got, err
		}
		if _, err := c.Write(binary.BigEndian.AppendUint32(nil, uint32(len(got)))); err == nil {
			more, _ := io.ReadAll(c) // the rest comes with the next connection
			got = append(got, more...)
		}
		_ = c.Close()
	}
	return got, nil
}

// TestTLS: crypto/tls runs over a connection whose reads are split, and sees the cut.
func TestTLS(t *testing.T) {
	certificate := newCertificate(t)
	pool := x509.NewCertPool()
	pool.AddCert(certificate.Leaf)
	inWorld(t, func(w *world) {
		w.link.Split(3)
		c, s := w.open()
		client := tls.Client(c, &tls.Config{RootCAs: pool, ServerName: "server"})
		server := tls.Server(s, &tls.Config{Certificates: []tls.Certificate{certificate}})
		group(func() { w.write(client, "over TLS") }, func() { w.read(server, "over TLS") })
		c.Cut()
		if _, err := server.Read(make([]byte, 1)); !errors.Is(err, errReset) {
			t.Errorf("got %v", err)
		}
	})
}

// newCertificate returns a certificate for "server", signed by itself, that is valid at the time of a bubble too.
func newCertificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), cryptorand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"server"}, NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<32, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(cryptorand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}
