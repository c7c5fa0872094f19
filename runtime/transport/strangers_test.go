package transport_test

import (
	"net"
	"runtime"
	"testing"

	"github.com/rwgen/rwgen/runtime/transport"
)

// Connections that say nothing cost little memory: whoever they are, there may be thousands of them.
func TestStrangersCostLittle(t *testing.T) {
	const strangers, each = 200, 24 << 10 // of the heap; the buffers of a peer that was let in have 64 KiB each
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what the first one has let go of
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	w := newWorld(t, options{config: func(server, _ *transport.Config) { server.MaxConnections = strangers }})
	before := heap()
	var conns []net.Conn
	for range strangers {
		conn, err := net.Dial("tcp", w.address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conns = append(conns, conn)
	}
	refused, err := net.Dial("tcp", w.address) // it is answered when all before it are served
	if err != nil {
		t.Fatal(err)
	}
	defer refused.Close()
	for _, conn := range conns {
		if _, err := conn.Write([]byte{0, 0, 0, 100, 1}); err != nil { // the beginning of a HELLO
			t.Fatal(err)
		}
	}
	if _, err := refused.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if grown := heap() - before; grown > strangers*each {
		t.Errorf("%d connections take %d bytes each, want at most %d", strangers, grown/strangers, each)
	}
	if err := w.client.Close(w.ctx); err != nil {
		t.Error(err)
	}
	for _, p := range w.parts {
		p.Abandon(errFull)
		p.Discard(0)
	}
	w.pubs[0].Withdraw()
	if err := w.server.Close(ended); err != nil {
		t.Error(err)
	}
	w.over()
}
