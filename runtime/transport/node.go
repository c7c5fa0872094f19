package transport

import (
	"context"
	"errors"
	"net"
)

// Node is a process that takes part in exchanges with others: a [Registry] with a [Server] of it, if it listens, and a [Client]. Package exchange takes it as it is. If its listener fails for good, Config.Logger is told at once, and Close returns why; what is connected goes on. Its methods may be called from any goroutine.
type Node struct {
	registry Registry
	server   *Server // nil: it does not listen
	client   *Client
	served   chan error
	address  string
}

// Listen returns a node that listens on a TCP address, as net.Listen does; an empty one means that it does not listen, because it only reads. The node must be closed.
func Listen(c Config, address string) (*Node, error) {
	if address == "" {
		return NewNode(c, nil)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return NewNode(c, l)
}

// NewNode is Listen with a listener, which is closed by the node, also if it fails; nil: it does not listen.
func NewNode(c Config, l net.Listener) (*Node, error) {
	n, err := newNode(c, l)
	if err != nil && l != nil {
		_ = l.Close()
	}
	return n, err
}

func newNode(c Config, l net.Listener) (*Node, error) {
	n := &Node{served: make(chan error, 1)}
	var err error
	if n.client, err = NewClient(c); err != nil {
		return nil, err
	}
	if l == nil {
		n.served <- nil
		return n, nil
	}
	if n.server, err = NewServer(c, &n.registry); err == nil {
		err = n.server.config.listens(l.Addr())
	}
	if err != nil {
		return nil, errors.Join(err, n.client.Close(context.Background()))
	}
	n.address = l.Addr().String()
	go func() {
		err := n.server.Serve(context.Background(), l)
		if errors.Is(err, ErrClosed) { // Close was faster
			err = nil
		}
		if err != nil {
			n.server.config.Logger.Error("transport: the node does not listen any more", "address", n.address, "cause", err)
		}
		n.served <- err
	}()
	return n, nil
}

// Address returns the address that the node listens on, empty if it does not.
func (n *Node) Address() string { return n.address }

// Registry returns what the node has published.
func (n *Node) Registry() *Registry { return &n.registry }

// Client returns the reading side of the node.
func (n *Node) Client() *Client { return n.client }

// Server returns the serving side of the node, nil if it does not listen.
func (n *Node) Server() *Server { return n.server }

// Close waits until everything that is read and published here is done, as Close of [Client] and [Server] do, or ctx is done, and ends all goroutines of the node. It returns what was not done, and why the node has stopped to listen if that was not because of Close.
func (n *Node) Close(ctx context.Context) error {
	err := n.client.Close(ctx)
	if n.server != nil {
		err = errors.Join(err, n.server.Close(ctx))
	}
	served := <-n.served
	n.served <- nil // for a second call
	return errors.Join(err, served)
}
