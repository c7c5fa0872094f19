package transport

import (
	"context"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"syscall"
	"time"

	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// handshake lets the peer in. An error was told to it.
func (c *serverConn) handshake() error {
	config := &c.server.config
	deadline := time.Now().Add(config.HandshakeTimeout)
	if err := c.conn.SetDeadline(deadline); err != nil {
		return err
	}
	if c.ctx.Err() != nil { // what stop has set may be overwritten
		return context.Cause(c.ctx)
	}
	if t, ok := c.conn.(*tls.Conn); ok {
		ctx, cancel := context.WithDeadline(c.ctx, deadline)
		err := t.HandshakeContext(ctx)
		cancel()
		if err != nil {
			if !aboutConnection(err) {
				c.server.registry.refuse(refusal{address: c.address, at: time.Now(), err: explained(err)})
			}
			c.refusePlain(err)
			return err
		}
		state := t.ConnectionState()
		if len(state.PeerCertificates) > 0 {
			c.certificate = state.PeerCertificates[0]
		}
		if len(state.VerifiedChains) > 0 {
			c.peer.Certificates = state.VerifiedChains[0]
		}
	}
	in := newReceiver(c.conn, message.Client, config.HandshakeTimeout)
	in.set = time.Now() // the deadline of the handshake stays
	c.in.Store(in)
	hello, err := hello(in)
	if err == nil {
		err = c.admit(hello)
	}
	if err == nil {
		err = c.server.join(c, hello)
	}
	if err != nil {
		if faultOf(err).Code != message.CodeFailed { // it is about what the client has said, not about the connection
			c.server.registry.refuse(refusal{name: hello.Name, address: c.address, at: time.Now(), err: err})
			c.refuse(err)
		}
		return err
	}
	c.maxData = min(int(hello.DataMax), config.MaxDataBytes)
	c.alive = config.KeepAlive
	in.timeout = config.timeout(time.Duration(hello.KeepAliveMillis) * time.Millisecond)
	in.set = time.Time{}
	in.welcome()
	in.limits.Data = uint32(c.maxData)
	c.out = newBatch(c.conn, in.timeout)
	if err := c.conn.SetWriteDeadline(time.Now().Add(in.timeout)); err != nil {
		return err
	}
	_, err = c.conn.Write(message.Welcome{
		Version: protocolVersion, Name: config.Name, Incarnation: c.server.incarnation, DataMax: uint32(c.maxData), KeepAliveMillis: millis(config.KeepAlive),
	}.Append(nil, 0))
	return err
}

// explained says what an error of the handshake of TLS means for a server.
func explained(err error) error {
	var (
		record tls.RecordHeaderError
		op     *net.OpError
	)
	switch {
	case errors.As(err, &record):
		return fmt.Errorf("the client does not speak TLS, and Config.TLS is set here: %w", err)
	case errors.As(err, &op) && op.Op == "remote error":
		if text, ok := alert(err); ok && aboutCertificate(text) {
			return fmt.Errorf("%w (the client does not accept the certificate of this process; its reader says why)", err)
		}
	}
	return err
}

// refusePlain tells a client that has begun with a HELLO in plain that it must use TLS.
func (c *serverConn) refusePlain(err error) {
	var plain tls.RecordHeaderError
	if !errors.As(err, &plain) || plain.Conn == nil || message.Type(plain.RecordHeader[4]) != message.TypeHello {
		return
	}
	m := message.Refused{Fault: faultOf(fmt.Errorf("%w: the server speaks TLS, and Config.TLS is not set", ErrForbidden))}
	_ = plain.Conn.SetWriteDeadline(time.Now().Add(refuseTimeout))
	_, _ = plain.Conn.Write(m.Append(nil, 0))
}

// aboutConnection reports whether an error of the handshake of TLS says that the connection has broken, or is too slow. All others, of which many have no type, are about what one of both sides has said: that it speaks no TLS, or shows no certificate.
func aboutConnection(err error) bool {
	if _, ok := alert(err); ok {
		return false
	}
	var (
		op    *net.OpError
		errno syscall.Errno
	)
	for _, e := range []error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed, context.Canceled} {
		if errors.Is(err, e) {
			return true
		}
	}
	return timeout(err) || errors.As(err, &op) || errors.As(err, &errno)
}

func millis(d time.Duration) uint32 { return uint32(d / time.Millisecond) }

// hello reads the first message.
func hello(in *receiver) (message.Hello, error) {
	h, err := in.header()
	if err != nil {
		if !in.sealed && in.buffered() > 0 && in.buf[in.r] == recordOfTLS && errors.Is(err, ErrProtocol) {
			err = fmt.Errorf("%w: the client speaks TLS, and Config.TLS is not set here", ErrForbidden)
		}
		return message.Hello{}, err
	}
	if h.Type != message.TypeHello {
		return message.Hello{}, fmt.Errorf("%w: %v is the first message", ErrProtocol, h.Type)
	}
	body, err := in.body(int(h.Length))
	if err != nil {
		return message.Hello{}, err
	}
	hello, err := message.ParseHello(body)
	if err != nil {
		return message.Hello{}, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	return hello, nil
}

// recordOfTLS is the first byte of the first record of a client that speaks TLS. A HELLO begins with 0, as it is shorter than 16 MiB.
const recordOfTLS = 0x16

// admit checks who the peer is.
func (c *serverConn) admit(h message.Hello) error {
	config := &c.server.config
	if h.Lowest > protocolVersion || h.Highest < protocolVersion {
		return fmt.Errorf("%w: the client knows %d to %d, the server %d", ErrVersion, h.Lowest, h.Highest, protocolVersion)
	}
	if h.DataMax < minData {
		return fmt.Errorf("%w: messages of at most %d bytes of records, at least %d are needed", ErrProtocol, h.DataMax, minData)
	}
	if h.KeepAliveMillis > millis(maxKeepAlive) {
		return fmt.Errorf("%w: an interval of keep-alive of %d ms, at most %d are possible", ErrProtocol, h.KeepAliveMillis, millis(maxKeepAlive))
	}
	if len(config.Token) > 0 && subtle.ConstantTimeCompare(config.Token, h.Token) != 1 {
		return fmt.Errorf("%w: the token is not that of server %q", ErrForbidden, config.Name)
	}
	c.peer.Name = h.Name
	if c.certificate != nil {
		return named(c.certificate, h.Name)
	}
	return nil
}

// named checks that a certificate is that of the process of this name.
func named(cert *x509.Certificate, name string) error {
	names := cert.DNSNames
	if len(names) == 0 {
		names = []string{cert.Subject.CommonName}
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("%w: the certificate is for %q, and Config.Name is %q", ErrForbidden, names, name)
	}
	return nil
}

// refuse tells the peer why the connection ends.
func (c *serverConn) refuse(err error) {
	m := message.Message(message.Refused{Fault: faultOf(err)})
	if errors.Is(err, ErrClosed) {
		m = message.Goodbye{}
	}
	_ = c.conn.SetWriteDeadline(time.Now().Add(refuseTimeout))
	_, _ = c.conn.Write(m.Append(nil, 0))
}

// refuseTimeout bounds the time for telling a peer why it is cut off.
const refuseTimeout = time.Second
