package transport_test

import (
	"encoding/binary"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// watch shows a hook each message of the protocol on a link, one at a time.
func watch(l *rwtest.Link, hook func(rwtest.Message) int) {
	var mu sync.Mutex // both sides call it
	l.OnMessage(12, func(h []byte) int { return int(binary.BigEndian.Uint32(h)) }, func(m rwtest.Message) int {
		mu.Lock()
		defer mu.Unlock()
		return hook(m)
	})
}

// place is where a connection is cut: in which of them, in which message of a direction, and behind which byte of it.
type place struct {
	conn   int
	from   string
	number int
	behind func(m rwtest.Message) int
	name   string
}

// behind are the places in a message.
var behind = []place{
	{name: "before it", behind: func(rwtest.Message) int { return 0 }},
	{name: "in its header", behind: func(rwtest.Message) int { return 5 }},
	{name: "behind its header", behind: func(rwtest.Message) int { return 12 }},
	{name: "in its body", behind: func(m rwtest.Message) int { return 12 + (m.Body+1)/2 }},
	{name: "behind it", behind: func(m rwtest.Message) int { return 12 + m.Body }},
}

// places returns every place in so many messages of each direction of a connection.
func places(conn, client, server int) (all []place) {
	for from, n := range map[string]int{"reader": client, "writer": server} {
		for number := range n {
			for _, p := range behind {
				p.conn, p.from, p.number = conn, from, number
				all = append(all, p)
			}
		}
	}
	return all
}

// small runs a small exchange, with cuts, in virtual time. It returns how many messages each side has sent on the first connection.
func small(t *testing.T, records int, cuts ...place) (client, server int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := rwtest.NewNetwork()
		done := make([]bool, len(cuts))
		watch(n.Link("reader", "writer"), func(m rwtest.Message) int {
			if m.Conn == 0 && m.From == "reader" {
				client = max(client, m.Number+1)
			} else if m.Conn == 0 {
				server = max(server, m.Number+1)
			}
			for i, c := range cuts {
				if !done[i] && c.conn == m.Conn && c.from == m.From && c.number == m.Number {
					done[i] = true
					return c.behind(m)
				}
			}
			return rwtest.Pass
		})
		w := newWorld(t, network(n, options{budget: transport.BudgetConfig{Bytes: 4 << 10, ExclusiveBytes: 1 << 10}}))
		w.exchange(records)
		w.close()
		rwtest.MustClose(t, n)
	})
	return client, server
}

// An exchange from HELLO to CLOSED is cut once at every place: in each message of each side, before its header, in it, behind it, in its body and behind that. With the last acknowledgement and CLOSED among them.
func TestEveryCut(t *testing.T) {
	client, server := small(t, 120)
	if client < 5 || server < 8 {
		t.Fatalf("%d messages of the client and %d of the server", client, server)
	}
	for _, p := range places(0, client, server) {
		small(t, 120, p)
		if t.Failed() {
			t.Fatalf("cut in message %d of the %s, %s", p.number, p.from, p.name)
		}
	}
}

// A smaller one is cut at every pair of places, the second one in the connection that takes up what the first has broken.
func TestEveryTwoCuts(t *testing.T) {
	client, server := small(t, 1)
	step := int(4 / min(runs(t, 1), 4)) // all of them by script
	first, second := places(0, client, server), places(1, client+1, server+1)
	k := -1
	for _, p := range first {
		for _, q := range second {
			if k++; k%step != 0 {
				continue
			}
			small(t, 1, p, q)
			if t.Failed() {
				t.Fatalf("cuts in message %d of the %s, %s, then in message %d of the %s, %s", p.number, p.from, p.name, q.number, q.from, q.name)
			}
		}
	}
}
