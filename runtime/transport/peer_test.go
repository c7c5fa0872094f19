package transport

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A channel that is done while it pauses is not asked for again, also if its timer fires just then.
func TestDoneWhilePausing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(&Client{config: Config{Backoff: time.Second, MaxBackoff: time.Second, Patience: time.Minute}}, "a")
		ch := &Channel{client: p.client, peer: p}
		ch.asked.Store(time.Now().UnixNano())
		p.add(ch)
		p.fresh = nil
		if !p.again(ch) {
			t.Fatal("no time")
		}
		ch.over = true // and Stop comes too late
		p.remove()
		time.Sleep(2 * time.Second)
		if len(p.fresh) > 0 {
			t.Error("it is asked for")
		}
	})
}

// Of channels that are done one after the other the last one is known, nobody asks for those that are, and the list has no more of them than of others.
func TestDropMany(t *testing.T) {
	const channels = 1000
	p := newPeer(nil, "a")
	var all []*Channel
	for range channels {
		ch := &Channel{peer: p}
		all = append(all, ch)
		p.add(ch)
	}
	for i, ch := range all {
		ch.over = true
		p.over++
		last := p.drop(ch)
		if left := channels - i - 1; last != (left == 0) || len(p.channels) > 2*left {
			t.Fatalf("%d channels are left: the last one %v, %d in the list", left, last, len(p.channels))
		}
		if slices.Contains(p.fresh, ch) {
			t.Fatal("it is asked for")
		}
	}
}

// An error about a reader of whom nothing is known says so.
func TestUnknownPeer(t *testing.T) {
	err := &PeerError{Partition: "p", Subpartition: 3, Err: ErrPeerLost}
	if got, want := err.Error(), `unknown peer, subpartition 3 of "p": transport: peer lost`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
