package transport

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
	"pgregory.net/rapid"
)

// sealer is the sending side of a connection of TLS 1.3 behind its handshake. It makes records as package crypto/tls never would.
type sealer struct {
	secret []byte
	aead   cipher.AEAD
	iv     []byte
	seq    uint64
}

// Types of what is in records.
const (
	alertRecord     = 21
	handshakeRecord = 22
	dataRecord      = 23
)

// use makes the keys of a traffic secret the next ones.
func (s *sealer) use(secret []byte) {
	expand := func(label string, n int) []byte { // HKDF-Expand-Label
		label = "tls13 " + label
		info := append(append(binary.BigEndian.AppendUint16(nil, uint16(n)), byte(len(label))), label...)
		key, err := hkdf.Expand(sha256.New, secret, string(append(info, 0)), n)
		if err != nil {
			panic(err)
		}
		return key
	}
	block, err := aes.NewCipher(expand("key", 16))
	if err != nil {
		panic(err)
	}
	if s.aead, err = cipher.NewGCM(block); err != nil {
		panic(err)
	}
	s.iv, s.secret, s.seq = expand("iv", 12), expand("traffic upd", sha256.Size), 0
}

// seal appends a record.
func (s *sealer) seal(dst []byte, kind byte, content ...byte) []byte {
	header := binary.BigEndian.AppendUint16([]byte{dataRecord, 3, 3}, uint16(len(content)+1+s.aead.Overhead()))
	nonce := append([]byte(nil), s.iv...)
	binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(nonce[4:])^s.seq)
	s.seq++
	return s.aead.Seal(append(dst, header...), nonce, slices.Concat(content, []byte{kind}), header)
}

// rekey appends a KeyUpdate, in one record or in two, and goes on with the next keys. The peer is to do so too if it is asked.
func (s *sealer) rekey(dst []byte, ask byte, split bool) []byte {
	update := []byte{24, 0, 0, 1, ask}
	n := 0
	if split {
		n = 2
		dst = s.seal(dst, handshakeRecord, update[:n]...)
	}
	dst = s.seal(dst, handshakeRecord, update[n:]...)
	s.use(s.secret)
	return dst
}

// sealed returns a client's connection, and what makes records for it; nil if that is another cipher suite than a sealer has, as it is where there are no instructions for AES.
func sealed(t *rapid.T, certificate tls.Certificate) (*tls.Conn, *sealer) {
	var secrets bytes.Buffer
	a, b := net.Pipe()
	server := tls.Server(a, &tls.Config{Certificates: []tls.Certificate{certificate}, SessionTicketsDisabled: true, KeyLogWriter: &secrets})
	client := tls.Client(newCarrier(b), &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS13})
	shaken := make(chan error, 1)
	go func() { shaken <- server.Handshake() }()
	if err := errors.Join(client.Handshake(), <-shaken); err != nil {
		t.Fatal(err)
	}
	if server.ConnectionState().CipherSuite != tls.TLS_AES_128_GCM_SHA256 {
		return nil, nil
	}
	s := new(sealer)
	for line := range strings.Lines(secrets.String()) {
		if f := strings.Fields(line); f[0] == "SERVER_TRAFFIC_SECRET_0" {
			secret, err := hex.DecodeString(f[2])
			if err != nil {
				t.Fatal(err)
			}
			s.use(secret)
		}
	}
	return client, s
}

// trickle is a connection on which bytes arrive up to the next one of some places, and from there on when somebody waits for them.
type trickle struct {
	net.Conn
	data   []byte
	at     int
	stops  map[int]bool
	passed int   // the stop that was waited at
	end    error // behind all
	waits  func()
	wrote  int // calls
}

func (c *trickle) TryRead(p []byte) (int, error) {
	if c.stops[c.at] && c.passed != c.at {
		return 0, nil
	}
	n := 0
	for n < min(len(p), len(c.data)-c.at) && (n == 0 || !c.stops[c.at+n]) {
		p[n] = c.data[c.at+n]
		n++
	}
	c.at += n
	return n, nil
}

func (c *trickle) Read(p []byte) (int, error) {
	n, _ := c.TryRead(p)
	if n == 0 {
		c.waits()
		c.passed = c.at
		if n, _ = c.TryRead(p); n == 0 {
			return 0, c.end
		}
	}
	return n, nil
}

func (c *trickle) Write(p []byte) (int, error) {
	c.wrote++
	return len(p), nil
}

// numbered returns n bytes that tell where they are.
func numbered(from, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte((from + i) * 7 / 3)
	}
	return p
}

// Over TLS what lands is what was sent, wherever records end and stop to arrive, with new keys, messages of TLS in pieces, and records of nothing in between; an alert right behind it is told after it; and before anybody waits, all is told and nothing is held.
func TestLandRecordsOfTLS(t *testing.T) {
	s := httptest.NewTLSServer(nil) // has a certificate
	certificate := s.TLS.Certificates[0]
	s.Close()
	other := false
	defer func() {
		if other {
			t.Log("nothing was tested: package crypto/tls has chosen a cipher suite that this test does not know, as it does where the processor has no instructions for AES")
		}
	}()
	rapid.Check(t, func(t *rapid.T) {
		conn, sealer := sealed(t, certificate)
		if other = sealer == nil; other {
			return
		}
		c := &trickle{stops: map[int]bool{}, passed: -1}
		var plain []byte
		var begins []int // of records
		asked := 0
		for range rapid.IntRange(1, 40).Draw(t, "records") {
			begins = append(begins, len(c.data))
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				ask := rapid.IntRange(0, 1).Draw(t, "ask")
				asked += ask
				c.data = sealer.rekey(c.data, byte(ask), rapid.Bool().Draw(t, "split"))
			case 1:
				c.data = sealer.seal(c.data, dataRecord)
			default:
				more := numbered(len(plain), rapid.SampledFrom([]int{1, 2, 100, 1000, 5000, 8 << 10, 12345, 16<<10 - 1, 16 << 10}).Draw(t, "bytes"))
				plain = append(plain, more...)
				c.data = sealer.seal(c.data, dataRecord, more...)
			}
		}
		begins = append(begins, len(c.data))
		var want error
		switch rapid.IntRange(0, 3).Draw(t, "end") {
		case 0:
			c.end, want = io.EOF, io.EOF
		case 1:
			c.end, want = errCut, errCut
		case 2: // close_notify
			c.data, want = sealer.seal(c.data, alertRecord, 1, 0), io.EOF
		case 3: // internal_error
			c.data, want = sealer.seal(c.data, alertRecord, 2, 80), tls.AlertError(80)
		}
		for range rapid.IntRange(0, 30).Draw(t, "stops") {
			at := rapid.IntRange(0, len(c.data)-1).Draw(t, "at")
			if rapid.Bool().Draw(t, "near") {
				at = rapid.SampledFrom(begins).Draw(t, "record") + rapid.IntRange(-2, 7).Draw(t, "beside")
			}
			c.stops[min(max(at, 0), len(c.data)-1)] = true
		}
		below := carrierOf(conn)
		below.Conn, below.some = c, tryOf(c)

		pool, err := memory.NewPool(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewBudget(pool, BudgetConfig{Bytes: rapid.SampledFrom([]int64{1 << 20, 300 << 10, 160 << 10}).Draw(t, "budget")})
		if err != nil {
			t.Fatal(err)
		}
		r := newReceiver(conn, message.Server, 10*time.Second)
		r.welcome()
		r.busy, r.busyBytes = true, rapid.SampledFrom([]int{1, 100, standardBusy}).Draw(t, "busy")
		at, told := 0, 0 // bytes of plain
		r.dry = func() { told = at }
		c.waits = func() {
			if r.landing != nil || told != at {
				t.Fatalf("waits with a landing: %v; %d bytes have arrived, %d were told", r.landing != nil, at, told)
			}
		}
		check := func(p []byte, at int) {
			if at+len(p) > len(plain) || !bytes.Equal(p, plain[at:at+len(p)]) {
				t.Fatalf("%d bytes from %d of %d are wrong", len(p), at, len(plain))
			}
		}
		type kept struct {
			block *buffer.Buffer
			data  []byte
			at    int
		}
		var all []kept
		for err == nil {
			if r.budget = b; rapid.IntRange(0, 9).Draw(t, "forget") == 0 {
				r.forget()
			}
			n := rapid.SampledFrom([]int{1, 10, 1000, 6000, 20_000, 40_000, receiveBytes}).Draw(t, "n")
			var p []byte
			switch rapid.IntRange(0, 2).Draw(t, "how") {
			case 0:
				if err = r.need(n); err != nil {
					break
				}
				if p = r.buf[r.r : r.r+n]; r.lends(b) && rapid.Bool().Draw(t, "keep") {
					r.landing.Retain(1)
					all = append(all, kept{r.landing, p, at})
				}
				r.r += n
			case 1:
				p = make([]byte, min(n, memory.MaxBlock))
				n, err = r.some(p, len(p)+rapid.IntRange(0, 1000).Draw(t, "left"))
				p = p[:n]
			case 2:
				if r.buffered() > 0 || r.land(1) {
					p = make([]byte, n)
					p = p[:r.take(p)]
				}
			}
			check(p, at)
			at += len(p)
			if len(all) > 3 {
				check(all[0].data, all[0].at)
				all[0].block.Release()
				all = all[1:]
			}
		}
		if err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
		if !strings.Contains(err.Error(), want.Error()) {
			t.Errorf("%v, want %v", err, want)
		}
		check(r.buf[r.r:r.w], at)
		if got := at + r.buffered(); got != len(plain) {
			t.Errorf("%d of %d bytes", got, len(plain))
		}
		if c.wrote != asked && asked > 0 {
			t.Errorf("%d new keys for %d that were asked for", c.wrote, asked)
		}
		r.leave()
		for _, k := range all {
			check(k.data, k.at)
			k.block.Release()
		}
		b.Close()
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
}
