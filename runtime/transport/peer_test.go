package transport

import (
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

// An error about a reader of whom nothing is known says so.
func TestUnknownPeer(t *testing.T) {
	err := &PeerError{Partition: "p", Subpartition: 3, Err: ErrPeerLost}
	if got, want := err.Error(), `unknown peer, subpartition 3 of "p": transport: peer lost`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
