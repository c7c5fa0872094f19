package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"time"
	"unicode/utf8"

	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// Plain says where plain TCP is allowed, which anybody on the way can read and change, and where names of processes are believed.
type Plain int

// Where plain TCP is allowed.
const (
	NoPlain       Plain = iota // nowhere: Config.TLS is required
	PlainLoopback              // on this machine: 127.0.0.0/8, ::1 and Unix sockets
	PlainAnywhere              // everywhere
)

// Config is what servers and clients have in common; a process that is both can use one. Only Name, and TLS or Plain, are required.
type Config struct {
	// Name is how other processes know this one: in errors, as the holder of what it reads, and for finding out that it has restarted. It must be different for each process that connects to a server, and the same when a process is
	// started again. 1 to 255 bytes of UTF-8.
	Name string
	// TLS is the configuration of TLS. One does for both sides, with client certificates: &tls.Config{Certificates: own, RootCAs: ca, ClientCAs: ca, ClientAuth: tls.RequireAndVerifyClientCert}.
	//
	// A client checks the certificate of a server for the host of the address that it dials, which must be an IP SAN if it is an IP address, unless ServerName is set. A server checks that the Name of a client is a DNS name of its
	// certificate, or its common name if it has no DNS names; without ClientAuth nobody checks the names of clients. If certificates have extended key usages, clients need clientAuth, servers serverAuth, and a process that is both
	// needs both. A server needs a certificate. TLS 1.3 is the lowest version. Nil: plain TCP, where Plain allows it.
	TLS *tls.Config
	// Plain says where plain TCP is allowed when TLS is nil.
	Plain Plain
	// Token must be the same on both sides. Use it only beside TLS: it is sent as it is. Empty: servers take any. At most 1024 bytes.
	Token []byte
	// Authorize is asked by a server whether a process may read a partition; any error refuses it, with [ErrForbidden]. It is called on a goroutine of a connection, perhaps on several at a time, for one channel of the connection after another: the others wait meanwhile. Nil: every process that was let in may read everything.
	Authorize func(peer Peer, partition string) error

	// KeepAlive is the interval after which a side that has nothing to say says that it is there. A connection on which nothing has arrived for three times as long (by the longer interval of both sides) is given up and dialed again. Zero means 5 s; from 10 ms to 1 h.
	KeepAlive time.Duration
	// HandshakeTimeout bounds the time from a connection to its first channel. Zero means 10 s.
	HandshakeTimeout time.Duration
	// ResumeWindow is how long a server keeps what it has for a process whose connection has broken. Then its channels are lost, and the producers fail. Zero means 30 s.
	ResumeWindow time.Duration
	// GiveUp is how long a client tries to reach a server, at first and after a break. A server is reached when it has answered something on a connection that it has taken. Zero means 30 s.
	GiveUp time.Duration
	// Patience is how long a client waits for a partition that is not published on a server that it has reached. Zero means GiveUp.
	Patience time.Duration
	// ReaderPatience is how long a server waits until somebody asks for a subpartition that it has published, from when there is the server. Then its producer fails with [ErrPeerLost] and the reason why the last one was refused who has asked. Zero means GiveUp.
	ReaderPatience time.Duration
	// Backoff is the first of the pauses between two attempts, each of which is twice as long as the one before, up to MaxBackoff, and up to a quarter shorter at random. Zero means 20 ms, and 1 s.
	Backoff, MaxBackoff time.Duration
	// MaxConnections bounds the connections of a server, those included that are not let in yet. Zero means 4096.
	MaxConnections int
	// MaxChannels bounds the channels of one connection of a server. Zero means 65536.
	MaxChannels int
	// MaxDataBytes bounds the records in one message; the smaller of both sides counts. Zero means 64 KiB; from 1 KiB to 16 MiB.
	MaxDataBytes int
	// Reattach lets a channel go on with a new incarnation of a reading process instead of failing, if both sides say so: behind what the lost one had in memory. See OnLoss.
	Reattach bool
	// OnLoss is told of each channel that goes on after a Reattach, on both sides: what may be lost. It is called on a goroutine of a connection and must not wait. Nil: only the log is told.
	OnLoss func(Loss)
	// Dial makes connections for a client; Nil means TCP by net.Dialer. Connections that are no *net.TCPConn count as loopback. One of another type that has a method TryRead(p []byte) (int, error), which returns 0 instead of waiting, as that of rwtest.Conn, is read with one copy less when it is busy.
	Dial func(ctx context.Context, address string) (net.Conn, error)
	// Logger is told of connections that come and go, and of peers that are cut off. Nil: nothing is logged.
	Logger *slog.Logger

	busyBytes int // see receiver.busyBytes; of tests
}

// Peer is the other side of a connection.
type Peer struct {
	Name    string
	Address string
	// Certificates are the verified chain of the peer, its own certificate first; nil without TLS, or without a certificate.
	Certificates []*x509.Certificate
}

// Loss says what may be lost because a reading process was replaced.
type Loss struct {
	Peer         string // name of the other process
	Partition    string
	Subpartition int
	// Before is where the channel goes on: everything before that was sent to the process that is gone, or dropped because it belonged to a record of which a part was.
	Before Position
}

// limits of what can be configured.
const (
	maxToken     = 1 << 10
	minKeepAlive = 10 * time.Millisecond
	maxKeepAlive = time.Hour
	minData      = 1 << 10
	maxData      = 16 << 20
)

// withDefaults checks c and fills in what is zero.
func (c Config) withDefaults() (Config, error) {
	if c.Name == "" || len(c.Name) > message.MaxName || !utf8.ValidString(c.Name) {
		return c, fmt.Errorf("transport: Name %q: 1 to %d bytes of UTF-8 are needed", c.Name, message.MaxName)
	}
	if len(c.Token) > maxToken {
		return c, fmt.Errorf("transport: a Token of %d bytes, at most %d are possible", len(c.Token), maxToken)
	}
	if c.TLS == nil && c.Plain == NoPlain {
		return c, fmt.Errorf("%w: Config has neither TLS nor Plain", ErrInsecure)
	}
	for _, d := range []struct {
		name     string
		field    *time.Duration
		standard time.Duration
	}{
		{"KeepAlive", &c.KeepAlive, 5 * time.Second},
		{"HandshakeTimeout", &c.HandshakeTimeout, 10 * time.Second},
		{"ResumeWindow", &c.ResumeWindow, 30 * time.Second},
		{"GiveUp", &c.GiveUp, 30 * time.Second},
		{"Patience", &c.Patience, 0},
		{"ReaderPatience", &c.ReaderPatience, 0},
		{"Backoff", &c.Backoff, 20 * time.Millisecond},
		{"MaxBackoff", &c.MaxBackoff, time.Second},
	} {
		if *d.field < 0 {
			return c, fmt.Errorf("transport: %s of %v", d.name, *d.field)
		}
		if *d.field == 0 {
			*d.field = d.standard
		}
	}
	if c.Patience == 0 {
		c.Patience = c.GiveUp
	}
	if c.ReaderPatience == 0 {
		c.ReaderPatience = c.GiveUp
	}
	c.Patience = min(c.Patience, math.MaxUint32*time.Millisecond)
	if c.KeepAlive < minKeepAlive || c.KeepAlive > maxKeepAlive {
		return c, fmt.Errorf("transport: KeepAlive of %v, it must be from %v to %v", c.KeepAlive, minKeepAlive, maxKeepAlive)
	}
	for _, n := range []struct {
		name     string
		field    *int
		standard int
		most     int
	}{
		{"MaxConnections", &c.MaxConnections, 4096, math.MaxInt32},
		{"MaxChannels", &c.MaxChannels, 1 << 16, math.MaxInt32},
		{"MaxDataBytes", &c.MaxDataBytes, 64 << 10, maxData},
	} {
		if *n.field < 0 || *n.field > n.most {
			return c, fmt.Errorf("transport: %s of %d, it must be from 1 to %d", n.name, *n.field, n.most)
		}
		if *n.field == 0 {
			*n.field = n.standard
		}
	}
	if c.MaxDataBytes < minData {
		return c, fmt.Errorf("transport: MaxDataBytes of %d, it must be from %d to %d", c.MaxDataBytes, minData, maxData)
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.TLS != nil {
		c.TLS = c.TLS.Clone()
		c.TLS.MinVersion = max(c.TLS.MinVersion, tls.VersionTLS13)
	}
	return c, nil
}

// admits checks whether plain TCP is allowed on a connection, or a listener, with this address of ours or theirs.
func (c *Config) admits(a net.Addr) error {
	if c.TLS != nil || c.Plain == PlainAnywhere {
		return nil
	}
	if t, ok := a.(*net.TCPAddr); ok && !t.IP.IsLoopback() {
		return fmt.Errorf("%w: %v is not on this machine; use TLS, or Plain: PlainAnywhere if the network can be trusted", ErrInsecure, a)
	}
	return nil
}

// errNoCertificate is what a server fails with that could not show any client who it is.
var errNoCertificate = errors.New("transport: TLS has no certificate (Certificates, GetCertificate or GetConfigForClient), which a process that listens needs")

// listens checks whether a server may listen at an address.
func (c *Config) listens(a net.Addr) error {
	if t := c.TLS; t != nil && len(t.Certificates) == 0 && t.GetCertificate == nil && t.GetConfigForClient == nil {
		return errNoCertificate
	}
	return c.admits(a)
}

// timeout is how long nothing may arrive on a connection, of which the other side has said how often it sends at least.
func (c *Config) timeout(theirs time.Duration) time.Duration { return 3 * max(c.KeepAlive, theirs) }
