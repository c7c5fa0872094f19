package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// protocolVersion is the only version of the protocol that there is.
const protocolVersion = 1

// Server lets other processes read the partitions of a [Registry]. Its methods may be called from any goroutine.
//
// A server has a goroutine for each connection that reads, and one that writes; one for each call of Serve is the caller's. Close ends all of them.
type Server struct {
	config      Config
	registry    *Registry
	incarnation message.Incarnation
	ctx         context.Context // until Close is over
	cancel      context.CancelCauseFunc
	wg          sync.WaitGroup // of connections

	mu        sync.Mutex
	sessions  map[string]*session // the newest of each name
	ended     map[*session]bool   // older ones whose channels may be taken over
	conns     map[*serverConn]bool
	known     history         // processes that were let in
	accepted  uint64          // how many connections
	listeners []*net.Listener // by identity: not every type of them can be compared
	closing   bool
}

// NewServer returns a server of what is published in r, which is not nil. It fails if c cannot be used. The server must be closed.
func NewServer(c Config, r *Registry) (*Server, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, registry: r, incarnation: newIncarnation(), sessions: make(map[string]*session), ended: make(map[*session]bool), conns: make(map[*serverConn]bool)}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	r.serve(c.ReaderPatience)
	return s, nil
}

// Serve takes connections from l, which it closes, until ctx is done or Close is called, and then returns nil or ctx's error; and with the error of l if that fails. It refuses l with [ErrInsecure] if plain TCP is not allowed there, and if Config.TLS has no certificate. Connections go on when it returns.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if err := s.config.listens(l.Addr()); err != nil {
		_ = l.Close()
		return err
	}
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		_ = l.Close()
		return ErrClosed
	}
	s.listeners = append(s.listeners, &l)
	s.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	defer func() {
		_ = l.Close()
		s.mu.Lock()
		s.listeners = slices.DeleteFunc(s.listeners, func(other *net.Listener) bool { return other == &l })
		s.mu.Unlock()
	}()
	pause := time.Duration(0)
	for {
		conn, err := l.Accept()
		switch {
		case err == nil:
			pause = 0
			s.start(conn)
			continue
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case s.isClosing():
			return nil
		case !temporary(err):
			return fmt.Errorf("transport: %w", err)
		}
		// Out of file descriptors, for example: others will be closed.
		pause = min(max(2*pause, s.config.Backoff), s.config.MaxBackoff)
		s.config.Logger.Warn("transport: accept", "error", err, "pause", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		case <-s.ctx.Done():
		}
	}
}

// temporary reports whether accepting may work again later.
func temporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// start serves a connection on a goroutine of its own.
func (s *Server) start(conn net.Conn) {
	c := &serverConn{server: s, conn: conn, address: conn.RemoteAddr().String(), done: make(chan struct{}), channels: make(map[uint32]*outlet), waiting: make(map[uint32]*request), lookout: lookout{signal: make(chan struct{}, 1)}, schemas: make(map[schemaKey]uint32)}
	c.peer.Address = c.address
	c.ctx, c.cancel = context.WithCancelCause(s.ctx)
	if s.config.TLS != nil {
		c.conn = tls.Server(newCarrier(conn), s.config.TLS)
	}
	s.mu.Lock()
	if s.closing || len(s.conns) >= s.config.MaxConnections {
		closing := s.closing
		s.mu.Unlock()
		c.cancel(ErrClosed)
		if !closing && s.config.TLS == nil {
			c.refuse(fmt.Errorf("%w: %d connections, which is the limit", ErrTooMany, s.config.MaxConnections))
		}
		_ = conn.Close()
		return
	}
	s.conns[c] = true
	s.accepted++
	c.number = s.accepted
	s.wg.Add(1)
	s.mu.Unlock()
	go func() {
		defer s.wg.Done()
		defer c.cancel(nil)
		defer func() {
			s.mu.Lock()
			delete(s.conns, c)
			s.mu.Unlock()
		}()
		c.serve()
	}()
}

// join gives a connection that was let in its session, which is that of the client's incarnation, and ends those that it takes the place of.
func (s *Server) join(c *serverConn, h message.Hello) error {
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return ErrClosed
	}
	ses := s.sessions[h.Name]
	if ses != nil && c.number < ses.newest { // no process dials again before it has lost the connection that it had
		s.mu.Unlock()
		return errStale
	}
	if s.known.superseded(process{h.Name, h.Incarnation}) {
		s.mu.Unlock()
		return superseded(h.Name)
	}
	s.known.add(process{h.Name, h.Incarnation})
	var restarted *session
	if ses != nil && ses.incarnation != h.Incarnation {
		restarted = ses
		s.ended[ses] = true
		ses = nil
	}
	if ses == nil {
		ses = newSession(s, h.Name, h.Incarnation)
		s.sessions[h.Name] = ses
	}
	ses.newest = c.number
	s.mu.Unlock()
	if restarted != nil {
		s.config.Logger.Warn("transport: peer has restarted", "peer", h.Name, "address", c.address)
		restarted.fence(fmt.Errorf("%w: another process has connected as %q, from %s; two that run at a time need different names", ErrFenced, h.Name, c.address))
		if restarted.end(fmt.Errorf("%w: %q has come back as another process, from %s", ErrPeerRestarted, h.Name, c.address), s.config.Reattach) {
			ses.supersede()
		}
		restarted.gone()
	}
	// The older connection of the same process, if it has one: what it was sending must be over.
	for {
		older, err := ses.attach(c)
		switch {
		case errors.Is(err, ErrPeerRestarted): // a newer one has come in between
			return superseded(h.Name)
		case err != nil:
			return err
		}
		if older == nil {
			break
		}
		if older.number > c.number { // it was faster
			return errStale
		}
		older.stop(fmt.Errorf("%w: %q has connected again, from %s; a process that uses two addresses of a server does that too", ErrFenced, h.Name, c.address))
		<-older.done
	}
	c.session = ses
	c.shared.Store(ses)
	s.config.Logger.Info("transport: peer connected", "peer", h.Name, "address", c.address)
	return nil
}

// errStale ends a connection that was accepted before another one of the same name which was let in first. Nothing is said: its process has lost it already, and would take a refusal, should it hear it, for its end.
var errStale = errors.New("transport: a connection of the same process that was accepted later is there already")

// superseded is what a process is told whose name a newer one has.
func superseded(name string) error {
	return fmt.Errorf("%w: %q was here before, and another process has connected by that name since; two that run at a time need different names", ErrFenced, name)
}

// forget takes a session that has ended out of the server.
func (s *Server) forget(ses *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ended, ses)
	if s.sessions[ses.name] == ses {
		delete(s.sessions, ses.name)
	}
}

// Addrs returns the addresses that the server listens on.
func (s *Server) Addrs() []net.Addr {
	s.mu.Lock()
	defer s.mu.Unlock()
	var addrs []net.Addr
	for _, l := range s.listeners {
		addrs = append(addrs, (*l).Addr())
	}
	return addrs
}

// Close waits until everything that is published in the registry was read to the end by other processes, or will not be (see [Publication.Wait]), or ctx is done; then it closes all connections. Channels that are open then fail, on both sides, with [ErrClosed]. It returns what
// was not read as an error. A process may exit when it has returned nil: all that it has written is in the memory of the readers. Publications should not be added meanwhile. A second call returns nil.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()
	var errs []error
	for _, p := range s.registry.all() {
		if err := p.Wait(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	s.mu.Lock()
	s.closing = true
	listeners := slices.Clone(s.listeners)
	sessions := make([]*session, 0, len(s.sessions)+len(s.ended))
	for _, ses := range s.sessions {
		sessions = append(sessions, ses)
	}
	for ses := range s.ended {
		sessions = append(sessions, ses)
	}
	s.mu.Unlock()
	for _, l := range listeners {
		_ = (*l).Close()
	}
	s.cancel(ErrClosed)
	s.mu.Lock()
	conns := make([]*serverConn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		c.stop(ErrClosed)
	}
	s.wg.Wait()
	for _, ses := range sessions {
		ses.end(ErrClosed, false)
		ses.rest()
	}
	return errors.Join(errs...)
}

// all returns what is published, ordered by id.
func (r *Registry) all() []*Publication {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]*Publication, 0, len(r.published))
	for _, p := range r.published {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *Publication) int {
		if a.id < b.id {
			return -1
		}
		return 1
	})
	return all
}
