package transport_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// A process that listens has a certificate, or may not listen under TLS; one that does not needs none.
func TestServerWithoutCertificate(t *testing.T) {
	const want = "transport: TLS has no certificate (Certificates, GetCertificate or GetConfigForClient), which a process that listens needs"
	certificate := func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, errFull }
	config := func(*tls.ClientHelloInfo) (*tls.Config, error) { return nil, errFull }
	for name, test := range map[string]struct {
		config *tls.Config
		ok     bool
	}{
		"none":                    {&tls.Config{}, false},
		"only for other servers":  {&tls.Config{GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return nil, errFull }}, false},
		"Certificates":            {&tls.Config{Certificates: []tls.Certificate{{}}}, true},
		"GetCertificate":          {&tls.Config{GetCertificate: certificate}, true},
		"GetConfigForClient":      {&tls.Config{GetConfigForClient: config}, true},
		"none, and does not read": {nil, true},
	} {
		c := transport.Config{Name: "x", TLS: test.config, Plain: transport.PlainLoopback}
		check := func(what string, err error) {
			t.Helper()
			if test.ok && err != nil || !test.ok && (err == nil || err.Error() != want) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		for _, address := range []string{"127.0.0.1:0", ""} {
			n, err := transport.Listen(c, address)
			if err == nil {
				err = n.Close(t.Context())
			}
			if address == "" { // a client only
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			check("Listen", err)
		}
		s, err := transport.NewServer(c, new(transport.Registry))
		if err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if err = s.Serve(ended, l); errors.Is(err, ended.Err()) {
			err = nil
		}
		check("Serve", err)
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%s: the listener was left open: %v", name, err)
		}
		_ = s.Close(ended)
	}
}

// What a client is refused for in the handshake of TLS is told on both sides.
func TestRefusedByTLS(t *testing.T) {
	for name, test := range map[string]struct {
		client           func(a, other *authority) *tls.Config
		producer, reader string
	}{
		"no certificate": {
			func(a, _ *authority) *tls.Config { return &tls.Config{RootCAs: a.pool} },
			"client didn't provide a certificate", "the server wants a client certificate of an authority that it accepts: Config.TLS.Certificates has none",
		},
		"a certificate of another authority that crypto/tls does not send": {
			func(a, other *authority) *tls.Config {
				c := other.config(t, "reader")
				c.RootCAs = a.pool
				return c
			},
			"client didn't provide a certificate", "of an authority that it accepts: Config.TLS.Certificates has none",
		},
		"a certificate of another name": {
			func(a, _ *authority) *tls.Config { return a.config(t, "other") },
			`the certificate is for ["other"], and Config.Name is "reader"`, `the certificate is for ["other"], and Config.Name is "reader"`,
		},
		"the reader does not accept that of the producer": {
			func(a, other *authority) *tls.Config {
				c := a.config(t, "reader")
				c.RootCAs = other.pool
				return c
			},
			"(the client does not accept the certificate of this process; its reader says why)", "certificate signed by unknown authority",
		},
		"no TLS": {
			func(*authority, *authority) *tls.Config { return nil },
			"the client does not speak TLS, and Config.TLS is set here", "the server speaks TLS, and Config.TLS is not set",
		},
		"a certificate of another authority": {
			func(a, other *authority) *tls.Config {
				c := other.config(t, "reader")
				c.RootCAs = a.pool
				// It is sent although the server names other authorities.
				own := c.Certificates[0]
				c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &own, nil }
				return c
			},
			"certificate signed by unknown authority", "the server does not accept this certificate; its producer says why",
		},
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, options{config: func(s, c *transport.Config) {
				a, other := newAuthority(t), namedAuthority(t, "other")
				s.TLS, c.TLS = a.config(t, "", "writer"), test.client(a, other)
				if c.TLS != nil {
					c.TLS.ServerName = "writer"
				}
				c.GiveUp = 5 * time.Second
			}}, func(t *testing.T, _ *rwtest.Network, w *world) {
				_, err := readAll(w.ctx, readerOf(t, w.open(0, 0, nil)))
				fails(t, err)
				if !strings.Contains(fmt.Sprint(err), test.reader) {
					t.Errorf("the reader is told %v, want %q", err, test.reader)
				}
				time.Sleep(time.Second) // what it has said is there
				if err := w.pubs[0].Wait(ended); !strings.Contains(fmt.Sprint(err), test.producer) {
					t.Errorf("the producer is told %v, want %q", err, test.producer)
				}
				w.pubs[0].Withdraw()
				w.parts[0].Abandon(errFull)
				w.parts[0].Discard(0)
			})
		})
	}
}

// A connection that breaks in the handshake of TLS is no refusal.
func TestBrokenInTLS(t *testing.T) {
	virtual(t, options{config: func(s, _ *transport.Config) { s.TLS = &tls.Config{Certificates: []tls.Certificate{{}}} }}, func(t *testing.T, n *rwtest.Network, w *world) {
		for _, hello := range []string{"", "\x16\x03\x01"} {
			conn, err := n.Host("stray").Dial(w.ctx, w.address)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := conn.Write([]byte(hello)); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Second)
			_ = conn.Close()
			time.Sleep(time.Second)
		}
		if err := w.pubs[0].Wait(ended); err == nil || strings.Contains(err.Error(), "refused") {
			t.Errorf("%v", err)
		}
		w.pubs[0].Withdraw()
		w.parts[0].Abandon(errFull)
		w.parts[0].Discard(0)
	})
}

// A process that has asked for what is another's, because its lists differ, is named where it is waited for, and not where it has asked.
func TestRefusedElsewhere(t *testing.T) {
	virtual(t, options{consumers: 3, hold: true, config: func(s, _ *transport.Config) { s.ReaderPatience = 10 * time.Second }}, func(t *testing.T, n *rwtest.Network, w *world) {
		pub, err := w.registry.PublishTo("trades/0", w.parts[0], map[int]string{0: "a", 1: "b", 2: "c"})
		if err != nil {
			t.Fatal(err)
		}
		as := func(name string) func(*transport.ChannelConfig) {
			return func(c *transport.ChannelConfig) { c.Reader = name }
		}
		wr := w.writer(0)
		b := w.process(n, "b", "b", nil)
		for _, sub := range []int{0, 2} { // its list has it first, and last
			_, err = readAll(w.ctx, readerOf(t, b.channel(0, sub, as("b"))))
			fails(t, err, transport.ErrTopology)
		}
		err = pub.Wait(ended)
		const mine = `1, for "b", was not asked for; "b" (b:`
		if text := fmt.Sprint(err); !strings.Contains(text, mine) || !strings.Contains(text, `consumer 2 of "trades/0" is "c" in the list of the producer, and "b" in that of the reader`) {
			t.Errorf("%v does not say %s", err, mine)
		}
		a := w.process(n, "a", "a", nil)
		first := readerOf(t, a.channel(0, 0, as("a")))
		time.Sleep(11 * time.Second)
		err = emitUntil(w.ctx, wr, 1)
		if peer := fails(t, err, transport.ErrPeerLost, transport.ErrTopology); peer.Peer != "b" || peer.Subpartition != 1 || !strings.Contains(err.Error(), `"b" (b:`) {
			t.Errorf("%v", err)
		}
		_ = wr.CloseWithError(errFull)
		_ = first.Close()
		a.close()
		b.close()
		pub.Withdraw()
		for sub := range 3 {
			w.parts[0].Discard(sub)
		}
	})
}

// A process that has asked a server for what is not published there, because its lists or the name of its exchange differ, is named where it is waited for, also if it does not call itself what the lists call it.
func TestMissed(t *testing.T) {
	for name, test := range map[string]struct {
		elsewhere bool
		want      error
		text      string
	}{
		"in another process": {true, transport.ErrTopology, `"trades/1", producer 1, is in process "other"`},
		"nowhere":            {false, transport.ErrNotFound, `"trades/1" is not published by "writer"`},
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, options{producers: 2, hold: true, config: func(s, _ *transport.Config) { s.ReaderPatience = 10 * time.Second }}, func(t *testing.T, n *rwtest.Network, w *world) {
				if test.elsewhere {
					defer w.registry.Elsewhere(func(id string) string {
						if id == "trades/1" {
							return "other"
						}
						return ""
					})()
				}
				pub, err := w.registry.PublishTo("trades/0", w.parts[0], map[int]string{0: "b"})
				if err != nil {
					t.Fatal(err)
				}
				b := w.process(n, "b", "host-b", func(c *transport.Config) { c.Patience = 5 * time.Second })
				_, err = readAll(w.ctx, readerOf(t, b.channel(1, 0, func(c *transport.ChannelConfig) { c.Reader = "b" })))
				fails(t, err, test.want)
				err = pub.Wait(ended)
				for _, want := range []string{`0, for "b", was not asked for; "host-b" (b:`, test.text} {
					if !strings.Contains(fmt.Sprint(err), want) {
						t.Errorf("%v does not say %s", err, want)
					}
				}
				time.Sleep(11 * time.Second)
				err = emitUntil(w.ctx, w.writer(0), 0)
				if peer := fails(t, err, transport.ErrPeerLost, test.want); peer.Peer != "b" || !strings.Contains(err.Error(), test.text) {
					t.Errorf("%v", err)
				}
				b.close()
				pub.Withdraw()
				for _, p := range w.parts {
					p.Abandon(errFull)
					p.Discard(0)
				}
			})
		})
	}
}
