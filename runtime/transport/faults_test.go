package transport_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
)

// harm does something to the link between reader and writer every few milliseconds, as the seed says, until stop has returned: it cuts connections at both ends or at one, and lets nothing through for a while, in one direction or both.
func harm(l *rwtest.Link, seed uint64) (stop func()) {
	random := rand.New(rand.NewPCG(seed, 1))
	quit := make(chan struct{})
	pause := func(most int) bool {
		select {
		case <-time.After(time.Duration(1+random.IntN(most)) * time.Millisecond):
			return true
		case <-quit:
			return false
		}
	}
	silence := func(l *rwtest.Link) {
		l.Drop()
		pause(400)
		l.Heal()
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for pause(60) {
			switch random.IntN(6) {
			case 0:
				l.Cut()
			case 1:
				l.CutAt("reader")
			case 2:
				l.CutAt("writer")
			case 3:
				silence(l)
			case 4:
				silence(l.From("reader"))
			case 5:
				silence(l.From("writer"))
			}
		}
	})
	return func() {
		close(quit)
		wg.Wait()
	}
}

// Whatever happens to the network for less than the windows, with packets lost all the time: every record arrives once, in order, and both sides can be closed.
func TestFaultsInVirtualTime(t *testing.T) {
	for seed := range runs(t, 60) {
		synctest.Test(t, func(t *testing.T) {
			n := rwtest.NewNetwork(rwtest.Seed(seed), rwtest.EachLink(func(l *rwtest.Link) {
				l.Latency(0, 2*time.Millisecond)
				l.Loss(0.02, 10*time.Millisecond)
				l.Split(300)
				l.Wakeups(time.Millisecond)
				l.BytesPerSecond(1 << 20)
			}))
			w := newWorld(t, network(n, options{
				producers: 1 + int(seed%3), consumers: 1 + int(seed%4), memory: 64<<10 + int64(seed%5)<<18, budget: transport.BudgetConfig{Bytes: 64<<10 + int64(seed%7)<<15, ExclusiveBytes: 1 << 10},
				config: func(server, client *transport.Config) {
					if seed%2 == 1 {
						client.LandAlways()
					}
					for _, c := range []*transport.Config{server, client} { // a connection is given up after 150 ms of silence
						c.KeepAlive, c.Backoff, c.MaxBackoff = 50*time.Millisecond, time.Millisecond, 20*time.Millisecond
					}
				},
			}))
			stop := harm(n.Link("reader", "writer"), seed)
			w.exchange(300)
			w.close()
			stop()
			rwtest.MustClose(t, n)
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
