package transport_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	return namedAuthority(t, "authority")
}

func namedAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{pool: x509.NewCertPool()}
	a.cert, a.key = a.sign(t, &x509.Certificate{Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	a.pool.AddCert(a.cert)
	return a
}

// sign completes a certificate; the first is signed by itself.
func (a *authority) sign(t *testing.T, c *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(time.Now().UnixNano()), time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := c, key
	if a.cert != nil {
		parent, signer = a.cert, a.key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// config returns that of a process with DNS names, or, if there are none, a common name.
func (a *authority) config(t *testing.T, common string, names ...string) *tls.Config {
	t.Helper()
	cert, key := a.sign(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: common}, DNSNames: names, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
	})
	return &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}},
		RootCAs:      a.pool, ClientCAs: a.pool, ClientAuth: tls.RequireAndVerifyClientCert,
	}
}

func TestMutualTLS(t *testing.T) {
	a, other := newAuthority(t), newAuthority(t)
	server := a.config(t, "", "writer")
	for name, c := range map[string]struct {
		client *tls.Config
		change func(server, client *transport.Config)
		want   error // nil: it works
		any    bool  // or any other error
	}{
		"a DNS name":             {client: a.config(t, "", "else", "reader")},
		"a common name":          {client: a.config(t, "reader")},
		"another name":           {client: a.config(t, "reader", "else"), want: transport.ErrForbidden},
		"no certificate":         {client: &tls.Config{RootCAs: a.pool}, any: true},
		"another CA":             {client: func() *tls.Config { c := other.config(t, "", "reader"); c.RootCAs = a.pool; return c }(), any: true},
		"a server of another CA": {client: func() *tls.Config { c := a.config(t, "", "reader"); c.RootCAs = other.pool; return c }(), any: true},
		"an old version of TLS":  {client: func() *tls.Config { c := a.config(t, "", "reader"); return c }(), change: func(s, _ *transport.Config) { s.TLS.MaxVersion = tls.VersionTLS12 }, any: true},
		"a token":                {client: a.config(t, "", "reader"), change: func(s, c *transport.Config) { s.Token, c.Token = []byte("open"), []byte("open") }},
		"another token":          {client: a.config(t, "", "reader"), change: func(s, c *transport.Config) { s.Token, c.Token = []byte("open"), []byte("opex") }, want: transport.ErrForbidden},
		"no token":               {client: a.config(t, "", "reader"), change: func(s, _ *transport.Config) { s.Token = []byte("open") }, want: transport.ErrForbidden},
		"authorized": {client: a.config(t, "", "reader"), change: func(s, _ *transport.Config) {
			s.Authorize = func(_ context.Context, p transport.Peer, partition string) error {
				if p.Name != "reader" || partition != "trades/0" || len(p.Certificates) != 2 || p.Certificates[0].DNSNames[0] != "reader" {
					return fmt.Errorf("%+v", p)
				}
				return nil
			}
		}},
		"not authorized": {client: a.config(t, "", "reader"), change: func(s, _ *transport.Config) {
			s.Authorize = func(context.Context, transport.Peer, string) error { return errFull }
		}, want: transport.ErrForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, options{config: func(s, r *transport.Config) {
				s.TLS, r.TLS = server.Clone(), c.client
				s.Plain, r.Plain = transport.NoPlain, transport.NoPlain
				r.GiveUp = 300 * time.Millisecond
				if c.change != nil {
					c.change(s, r)
				}
			}})
			wr := w.writer(0)
			if c.want != nil || c.any {
				_, err := readAll(w.ctx, w.reader(0))
				fails(t, err)
				if c.want != nil && !errors.Is(err, c.want) {
					t.Errorf("%v, want %v", err, c.want)
				}
				_ = wr.CloseWithError(errFull)
				w.pubs[0].Withdraw()
				w.parts[0].Discard(0)
			} else {
				go func() { _ = produce(w.ctx, wr, 0, 10_000, "abc") }()
				if got, err := readAll(w.ctx, w.reader(0)); got != 10_000 || err != nil {
					t.Errorf("%d records, %v", got, err)
				}
			}
			w.close()
		})
	}
}

// Connections under TLS are cut like others.
func TestCutsUnderTLS(t *testing.T) {
	a := newAuthority(t)
	w := newWorld(t, options{producers: 2, consumers: 2, config: func(s, c *transport.Config) { s.TLS, c.TLS = a.config(t, "", "writer"), a.config(t, "", "reader") }})
	p, err := rwtest.NewProxy(w.address, 1)
	if err != nil {
		t.Fatal(err)
	}
	p.CutEvery(20_000, 60_000)
	w.address = p.Addr()
	w.exchange(20_000)
	if s := p.Stats(); s.Cuts < 3 {
		t.Errorf("%+v", s)
	}
	p.CutEvery(0, 0)
	w.close()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// largestWrite is a listener whose connections note the most bytes that were written with one call.
type largestWrite struct {
	net.Listener
	most *atomic.Int64
}

type largestWriteConn struct {
	net.Conn
	most *atomic.Int64
}

func (l largestWrite) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return largestWriteConn{c, l.most}, err
}

func (c largestWriteConn) Write(p []byte) (int, error) {
	c.most.Store(max(c.most.Load(), int64(len(p))))
	return c.Conn.Write(p)
}

// Records of TLS go out together, as messages do.
func TestRecordsOfTLSTogether(t *testing.T) {
	a := newAuthority(t)
	var most atomic.Int64
	w := newWorld(t, options{
		config: func(s, c *transport.Config) { s.TLS, c.TLS = a.config(t, "", "writer"), a.config(t, "", "reader") },
		budget: transport.BudgetConfig{Bytes: 4 << 20},
		listen: func() (net.Listener, error) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			return largestWrite{l, &most}, err
		},
	})
	wr := w.writer(0)
	const n = 20_000
	done := make(chan error, 1)
	go func() { done <- produce(w.ctx, wr, 0, n, strings.Repeat("x", 100)) }()
	for w.parts[0].Stats().Channels[0].Queued < 200_000 {
		time.Sleep(time.Millisecond)
	}
	if got, err := readAll(w.ctx, w.reader(0)); got != n || err != nil {
		t.Errorf("%d records, %v", got, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if most.Load() < 40_000 { // more than two
		t.Errorf("at most %d bytes went out together", most.Load())
	}
	w.close()
}

// Plain TCP is for this machine, unless it is asked for.
func TestPlain(t *testing.T) {
	if _, err := transport.NewClient(transport.Config{Name: "x"}); !errors.Is(err, transport.ErrInsecure) {
		t.Errorf("neither TLS nor Plain: %v", err)
	}
	for _, plain := range []transport.Plain{transport.PlainLoopback, transport.PlainAnywhere} {
		for _, address := range []string{"127.0.0.1:0", "0.0.0.0:0"} {
			s, err := transport.NewServer(transport.Config{Name: "x", Plain: plain}, new(transport.Registry))
			if err != nil {
				t.Fatal(err)
			}
			l, err := net.Listen("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			err = s.Serve(ended, l)
			if refused := errors.Is(err, transport.ErrInsecure); refused != (plain == transport.PlainLoopback && address == "0.0.0.0:0") {
				t.Errorf("%v of %s: %v", plain, address, err)
			}
			_ = s.Close(ended)
		}
		virtual(t, options{config: func(s, c *transport.Config) { s.Plain, c.Plain = transport.PlainAnywhere, plain }}, func(t *testing.T, n *rwtest.Network, w *world) {
			l, err := n.Listen("10.0.0.1:1")
			if err != nil {
				t.Fatal(err)
			}
			served := make(chan error, 1)
			go func() { served <- w.server.Serve(w.ctx, l) }()
			time.Sleep(time.Second) // Close comes after it
			wr := w.writer(0)
			if plain == transport.PlainAnywhere {
				go func() { _ = produce(w.ctx, wr, 0, 10, "") }()
			}
			got, err := readAll(w.ctx, readerOf(t, w.open(0, 0, func(c *transport.ChannelConfig) { c.Address = "10.0.0.1:1" })))
			if plain == transport.PlainAnywhere && (got != 10 || err != nil) {
				t.Errorf("%d records, %v", got, err)
			}
			if plain == transport.PlainLoopback {
				fails(t, err, transport.ErrInsecure)
				w.pubs[0].Withdraw()
				_ = wr.CloseWithError(errFull)
				w.parts[0].Discard(0)
			}
			_ = w.server.Close(w.ctx)
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
}
