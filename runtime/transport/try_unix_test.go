//go:build unix

package transport

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// pipe returns both ends of a TCP connection.
func pipe(t *testing.T) (a, b net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if b, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = a.Close(), b.Close() })
	return a, b
}

// What try does not send is sent by write, in order, whether all of it is left or a part; and try waits for nothing.
func TestTry(t *testing.T) {
	a, b := pipe(t)
	out := newBatch(a, 10*time.Second)
	var want []byte
	add := func(n int) {
		p := bytes.Repeat([]byte{byte(len(want) % 251)}, n)
		want = append(want, p...)
		out.records(p)
	}
	add(10)
	if !out.try() || !out.empty() {
		t.Error("a small batch was not sent")
	}
	add(copiedBytes + 1)
	add(1)
	if out.try() {
		t.Error("records that lie elsewhere were sent")
	}
	if err := out.write(); err != nil || !out.empty() {
		t.Fatal(err)
	}
	tries := 0
	for full := false; !full; tries++ {
		for range 4 {
			add(1000)
		}
		full = !out.try()
	}
	if tries < 2 || out.empty() {
		t.Errorf("the connection was full after %d batches, and the batch is empty: %v", tries, out.empty())
	}
	add(500) // behind what is left
	got := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(b)
		got <- all
	}()
	if err := out.write(); err != nil || !out.empty() {
		t.Fatal(err)
	}
	add(20)
	if !out.try() {
		t.Error("a small batch was not sent after the connection was full")
	}
	_ = a.Close()
	if all := <-got; !bytes.Equal(all, want) {
		t.Errorf("%d bytes arrived of %d, or others", len(all), len(want))
	}
	add(1)
	if out.try() || out.empty() {
		t.Error("a closed connection has taken a batch")
	}
	if err := out.write(); err == nil {
		t.Error("no error of a closed connection")
	}
}

// What was stopped sends nothing.
func TestTryAfterStop(t *testing.T) {
	a, _ := pipe(t)
	out := newBatch(a, 10*time.Second)
	out.stop()
	out.records(make([]byte, 10))
	if out.try() {
		t.Error("sent")
	}
	if err := out.write(); err == nil {
		t.Error("no error")
	}
}

// What a carrier does not send without waiting it owes, and sends with the next flush, in order.
func TestCarrierTry(t *testing.T) {
	a, b := pipe(t)
	c, raw := newCarrier(a), rawOf(a.(*net.TCPConn))
	var want []byte
	hold := func(n int) {
		p := bytes.Repeat([]byte{byte(len(want) % 251)}, n)
		want = append(want, p...)
		c.hold()
		if k, err := c.Write(p); k != n || err != nil {
			t.Fatal(k, err)
		}
	}
	hold(10)
	if !c.try(raw) || c.owes() {
		t.Error("little was not sent")
	}
	for full := false; !full; {
		hold(3001)
		full = !c.try(raw)
	}
	if !c.owes() {
		t.Error("nothing is owed after the connection was full")
	}
	hold(500)
	got := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(b)
		got <- all
	}()
	if err := c.flush(); err != nil || c.owes() {
		t.Error(err)
	}
	_ = a.Close()
	if all := <-got; !bytes.Equal(all, want) {
		t.Errorf("%d bytes arrived of %d, or others", len(all), len(want))
	}
	hold(1)
	if c.try(raw) {
		t.Error("a closed connection has taken something")
	}
}

// A connection that is ended when try has sent a part of a message says nothing more: it would be taken for the rest.
func TestNothingBehindPart(t *testing.T) {
	a, b := pipe(t)
	c, _ := served(t, 1)
	c.conn, c.out, c.alive = a, newBatch(a, 10*time.Second), time.Hour
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.in.Store(newReceiver(a, message.Client, 10*time.Second))
	const size = 3001
	sent := 0
	for part := 0; part == 0 || part == size; {
		c.out.records(bytes.Repeat([]byte{'r'}, 1000))
		c.out.records(bytes.Repeat([]byte{'r'}, 1000))
		c.out.records(bytes.Repeat([]byte{'r'}, 1000))
		c.out.records([]byte{'r'})
		if c.out.try() {
			part = size
		} else if part = size - c.out.bytes; part == 0 { // the connection was full at the end of a batch: make some room
			c.out.clear()
			if _, err := io.ReadFull(b, make([]byte, 1<<20)); err != nil {
				t.Fatal(err)
			}
			sent -= 1 << 20
		}
		sent += part
	}
	got := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(b)
		got <- all
	}()
	c.stop(ErrClosed)
	_ = c.run()
	_ = a.Close()
	if all := <-got; len(all) != sent {
		t.Errorf("%d bytes have arrived, %d of records were sent", len(all), sent)
	}
}
