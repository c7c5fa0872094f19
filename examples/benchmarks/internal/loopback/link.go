package loopback

import (
	"crypto/tls"
	"errors"
	"net"
)

// A conn can say that it has sent everything.
type conn interface {
	net.Conn
	CloseWrite() error
}

// A link is a connection, both of whose ends are in this process.
type link struct {
	out conn // the producer's end
	in  conn // the consumer's end
	tcp [2]*net.TCPConn
}

// dial makes n connections, over TLS if encrypted. Nagle's algorithm is off, as is the default of package net.
func dial(n int, encrypted bool) (_ []link, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	links := make([]link, 0, n)
	defer func() {
		err = errors.Join(err, listener.Close())
		if err != nil {
			err = errors.Join(err, closeAll(links))
		}
	}()
	for range n {
		in, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			return nil, err
		}
		out, err := listener.Accept()
		if err != nil {
			return nil, errors.Join(err, in.Close())
		}
		l := link{tcp: [2]*net.TCPConn{out.(*net.TCPConn), in.(*net.TCPConn)}}
		l.out, l.in = l.tcp[0], l.tcp[1]
		links = append(links, l)
	}
	if encrypted {
		if err := encrypt(links); err != nil {
			return nil, err
		}
	}
	return links, nil
}

// encrypt puts TLS on top of the connections, with one certificate for all.
func encrypt(links []link) error {
	server, client, err := tlsConfigs()
	if err != nil {
		return err
	}
	for i, l := range links {
		out, in := tls.Server(l.tcp[0], server), tls.Client(l.tcp[1], client)
		shaken := make(chan error, 1)
		go func() { shaken <- out.Handshake() }()
		err := in.Handshake()
		if err != nil {
			err = errors.Join(err, l.close())
		}
		if err := errors.Join(err, <-shaken); err != nil {
			return err
		}
		links[i].out, links[i].in = out, in
	}
	return nil
}

// close resets the connection: everything was read, or nobody wants it, and thousands of connections in TIME_WAIT would use up the ports.
func (l link) close() (err error) {
	for _, c := range l.tcp {
		err = errors.Join(err, ignoreClosed(c.SetLinger(0)), ignoreClosed(c.Close()))
	}
	return err
}

func closeAll(links []link) (err error) {
	for _, l := range links {
		err = errors.Join(err, l.close())
	}
	return err
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
