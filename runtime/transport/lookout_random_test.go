package transport_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// asking is a client that asks for partitions, and knows what was not answered.
type asking struct {
	*raw
	t *testing.T

	mu    sync.Mutex
	asked map[uint32]*question // by the number of the channel, until it is done
	known map[string]bool      // what was published, or said to be elsewhere, ever
	since map[string]time.Time // likewise, and is; since when
	left  bool
}

// question is an OPEN.
type question struct {
	id               string
	at, over, until  time.Time // when it was asked, its patience ends, and it is to be answered at the latest
	opened, canceled bool
}

// hurry says that the answer is due.
func (q *question) hurry() {
	if now := time.Now(); now.Before(q.until) {
		q.until = now
	}
}

// inTime checks that an answer does not come late.
func (a *asking) inTime(q *question) {
	if late := time.Since(q.until); late > time.Second {
		a.t.Errorf("answered %v too late: %+v", late, q)
	}
}

// know says that a partition is published, or elsewhere, from now on; otherwise that it is not any more.
func (a *asking) know(id string, is bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !is {
		for _, q := range a.asked {
			if q.id == id && !q.canceled && (time.Since(q.at) < 5*time.Millisecond || time.Since(a.since[id]) < 5*time.Millisecond) { // the server may have missed it
				q.until = q.over
			}
		}
		delete(a.since, id)
		return
	}
	a.known[id], a.since[id] = true, time.Now()
	for _, q := range a.asked {
		if q.id == id {
			q.hurry()
		}
	}
}

// listen checks each answer until the connection is over.
func (a *asking) listen() {
	for {
		h, m, err := a.next(message.Server)
		a.mu.Lock()
		if err != nil {
			if !a.left {
				a.t.Error(err)
			}
			a.mu.Unlock()
			return
		}
		q := a.asked[h.Channel]
		switch m := m.(type) {
		case message.Opened:
			if q == nil || q.opened {
				a.t.Errorf("OPENED for channel %d: %+v", h.Channel, q)
				break
			}
			q.opened = true
			a.inTime(q)
		case message.Denied:
			if q == nil || q.opened {
				a.t.Errorf("DENIED for channel %d: %+v", h.Channel, q)
				break
			}
			if m.Fault.Code == message.CodeNotFound && time.Now().Before(q.until) && !a.known[q.id] {
				a.t.Errorf("DENIED after %v: %+v, %v", time.Since(q.at), q, m.Fault)
			}
			a.inTime(q)
			delete(a.asked, h.Channel)
		case message.Closed:
			if q == nil || !q.opened {
				a.t.Errorf("CLOSED for channel %d: %+v", h.Channel, q)
			}
			delete(a.asked, h.Channel)
		}
		a.mu.Unlock()
	}
}

// leave ends the connection.
func (a *asking) leave() {
	a.mu.Lock()
	a.left = true
	a.mu.Unlock()
	_ = a.Close()
}

// ask sends an OPEN, for the lowest number that is free.
func (a *asking) ask(id string, sub, consumers int, patience time.Duration) {
	a.mu.Lock()
	number := uint32(1)
	for a.asked[number] != nil {
		number++
	}
	now := time.Now()
	a.asked[number] = &question{id: id, at: now, over: now.Add(patience), until: now.Add(patience)}
	if !a.since[id].IsZero() {
		a.asked[number].until = now
	}
	a.mu.Unlock()
	a.say(message.Open{Partition: id, Subpartition: uint32(sub), Producers: 1, Consumers: uint32(consumers), EventRoom: 1 << 20, PatienceMillis: uint32(patience.Milliseconds()), Limit: transport.Position{Data: 1 << 20, Events: 1 << 20}}, number)
}

// cancel sends a CANCEL for one of the channels.
func (a *asking) cancel() {
	a.mu.Lock()
	for number, q := range a.asked {
		if !q.canceled {
			q.canceled = true
			q.hurry()
			defer a.say(message.Cancel{Fault: message.Fault{Code: message.CodeEnough}}, number)
			break
		}
	}
	a.mu.Unlock()
}

// Clients ask, cancel, ask again by the same number, and leave, while partitions are published, withdrawn, and said to be elsewhere: each OPEN is answered once, not before its patience is over if nothing is known, nor much later; and nothing is left of those that have waited.
func TestWaitingAtRandom(t *testing.T) {
	for seed := range runs(t, 100) {
		synctest.Test(t, func(t *testing.T) { waitAtRandom(t, seed) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func waitAtRandom(t *testing.T, seed uint64) {
	const partitions, consumers = 4, 100
	r := rand.New(rand.NewPCG(seed, 0))
	millis := func(n int) time.Duration { return time.Duration(r.IntN(n)) * time.Millisecond }
	n := rwtest.NewNetwork(rwtest.Seed(seed), rwtest.EachLink(func(l *rwtest.Link) { l.Latency(0, time.Millisecond) }))
	w := newWorld(t, network(n, options{hold: true, config: func(s, _ *transport.Config) { s.ResumeWindow = time.Second }}))
	for range partitions {
		local, err := buffer.NewLocalPool(w.pool, buffer.Config{Bytes: 400 << 10, Channels: consumers, Area: buffer.NewArea(1 << 16)})
		if err != nil {
			t.Fatal(err)
		}
		p, err := partition.New(partition.Config{Topology: selector.Topology{Producers: 1, Consumers: consumers}, Pool: local})
		if err != nil {
			t.Fatal(err)
		}
		w.parts = append(w.parts, p)
	}
	var (
		published [partitions]*transport.Publication
		forget    [partitions]func()
		clients   []*asking
		begun     int
	)
	begin := func() {
		begun++
		conn, err := n.Host(fmt.Sprint("host", begun)).Dial(w.ctx, w.address)
		if err != nil {
			t.Fatal(err)
		}
		a := &asking{raw: &raw{Conn: conn}, t: t, asked: map[uint32]*question{}, known: map[string]bool{}, since: map[string]time.Time{}}
		for i := range partitions {
			if published[i] != nil || forget[i] != nil {
				a.know(fmt.Sprint(i), true)
			}
		}
		h := hello(fmt.Sprint("client", begun))
		h.KeepAliveMillis = 3_600_000 // it says nothing by itself
		a.say(h, 0)
		a.until(t, message.Server, message.TypeWelcome)
		go a.listen()
		clients = append(clients, a)
	}
	for range 3 {
		begin()
	}
	for range 200 {
		a, i := clients[r.IntN(len(clients))], r.IntN(partitions)
		id := fmt.Sprint(i)
		know := func() {
			for _, a := range clients {
				a.know(id, true)
			}
		}
		known := func() {
			for _, a := range clients {
				a.know(id, published[i] != nil || forget[i] != nil)
			}
		}
		switch what := r.IntN(14); {
		case what < 6:
			for range 1 + r.IntN(4) {
				a.ask(id, r.IntN(consumers), consumers, millis(3000)*time.Duration(min(1, r.IntN(5))))
			}
		case what < 9:
			a.cancel()
		case what == 9 && published[i] == nil:
			know()
			p, err := w.registry.Publish(id, w.parts[1+i])
			if err != nil {
				t.Fatal(err)
			}
			if published[i] = p; r.IntN(3) == 0 {
				p.Withdraw()
				published[i] = nil
				known()
			}
		case what == 10 && published[i] != nil:
			published[i].Withdraw()
			published[i] = nil
			known()
		case what == 11 && forget[i] == nil:
			know()
			forget[i] = w.registry.Elsewhere(func(other string) string { return map[string]string{id: "elsewhere"}[other] })
			if r.IntN(3) == 0 {
				forget[i]()
				forget[i] = nil
				known()
			}
		case what == 11:
			forget[i]()
			forget[i] = nil
			known()
		case what == 12 && r.IntN(4) == 0:
			if r.IntN(2) == 0 {
				a.say(message.Goodbye{}, 0)
			}
			a.leave()
			clients = slices.DeleteFunc(clients, func(b *asking) bool { return a == b })
			begin()
		default:
			time.Sleep(millis(700))
		}
		if r.IntN(3) == 0 {
			time.Sleep(millis(3))
		}
	}
	time.Sleep(5 * time.Second)
	if k := w.registry.Waiting(); k != 0 {
		t.Errorf("%d wait", k)
	}
	for _, a := range clients {
		a.mu.Lock()
		for number, q := range a.asked {
			if !q.opened || q.canceled {
				t.Errorf("channel %d was not answered: %+v", number, q)
			}
		}
		a.mu.Unlock()
		a.leave()
	}
	for i := range partitions {
		if published[i] != nil {
			published[i].Withdraw()
		}
		if forget[i] != nil {
			forget[i]()
		}
	}
	time.Sleep(3 * time.Second)
	if err := errors.Join(w.client.Close(w.ctx), w.server.Close(w.ctx)); err != nil {
		t.Error(err)
	}
	for _, p := range w.parts {
		p.Abandon(errors.New("over"))
		for i := range p.Topology().Consumers {
			p.Discard(i)
		}
	}
	w.over()
	rwtest.MustClose(t, n)
}
