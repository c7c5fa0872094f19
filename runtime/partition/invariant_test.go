package partition

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/selector"
)

// TestInvariants runs writers and readers step by step in random order, and looks inside after each step. Whatever happened before:
//
//   - behaviour 43: a queue holds finished buffers, then at most one open block, then at most one event
//   - a lane that is armed has somebody who will look at it
//   - everything that can be read is in the inbox
func TestInvariants(t *testing.T) {
	for _, policy := range []FlushPolicy{OnFull(), EveryRecord(), After(time.Millisecond), WhenIdle(10 * time.Millisecond)} {
		for _, channels := range []int{1, 3} {
			t.Run(fmt.Sprintf("%v/%d", policy, channels), func(t *testing.T) {
				for seed := range uint64(20) {
					synctest.Test(t, func(t *testing.T) { testInvariants(t, policy, channels, seed) })
				}
			})
		}
	}
}

func testInvariants(t *testing.T, policy FlushPolicy, channels int, seed uint64) {
	m, err := memory.NewPool(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := buffer.NewLocalPool(m, buffer.Config{
		Bytes: 1 << 20, Channels: channels, ChannelBytes: 1 << 20, Area: buffer.NewArea(1 << 20),
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(Config{Topology: selector.Topology{Producers: 1, Consumers: channels}, Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 10))
	in := NewInbox()
	views := make([]*View, channels)
	join := func(i int) {
		if views[i], err = p.subs[i].View(in); err != nil {
			t.Fatal(err)
		}
	}
	if r.IntN(2) == 0 {
		for i := range views {
			join(i)
		}
	}
	b, err := p.Claim(Claim{Flush: policy})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	for step := range 400 {
		lane := r.IntN(channels)
		var what string
		switch op := r.IntN(100); {
		case op < 50:
			what = "write"
			size := r.IntN(60)
			if b[lane].Free() < buffer.FrameHeader+size {
				if err := p.Acquire(ctx, lane, memory.MinBlock<<r.IntN(2)); err != nil {
					t.Fatal(err)
				}
			}
			if !b[lane].Commit(size) && !b[lane].Confirm() {
				if err := p.Announce(lane); err != nil {
					t.Fatal(err)
				}
			}
		case op < 53:
			what = "acquire"
			if err := p.Acquire(ctx, lane, memory.MinBlock); err != nil {
				t.Fatal(err)
			}
		case op < 56:
			what = "large"
			buf, err := p.Large(ctx, lane, 10+r.IntN(1000))
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Append(lane, buf, len(buf.Bytes())); err != nil {
				t.Fatal(err)
			}
		case op < 60:
			what = "flush"
			if err := p.Flush(); err != nil {
				t.Fatal(err)
			}
		case op < 61:
			what = "change of pace"
			p.Pace(r.IntN(2) == 0)
		case op < 64:
			what = "sleep"
			time.Sleep(time.Duration(r.IntN(12000)) * time.Microsecond)
		case op < 66 && views[lane] == nil:
			what = "join"
			join(lane)
		default:
			what = "read"
			if v, err := in.Next(canceled); err == nil {
				c, _ := v.Poll()
				c.Release()
			}
		}
		for i, s := range p.subs {
			if err := s.check(views[i], policy); err != nil {
				t.Fatalf("seed %d, step %d, after %s of channel %d: channel %d: %v", seed, step, what, lane, i, err)
			}
		}
	}
	if err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	for i, s := range p.subs {
		if views[i] == nil {
			s.discard()
			continue
		}
		if err := s.check(views[i], policy); err != nil {
			t.Fatalf("seed %d, at the end: %v", seed, err)
		}
		views[i].Release(nil)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
}

// check returns what is wrong with a queue and its view while nobody works on them.
func (s *Subpartition) check(v *View, policy FlushPolicy) error {
	readable := 0
	for i := range s.queue.len() {
		e := *s.queue.at(i)
		last := i == s.queue.len()-1
		switch {
		case e.buf == nil && !last:
			return fmt.Errorf("entry %d of %d is an event", i, s.queue.len())
		case e.buf != nil && e.end == open:
			if rest := s.queue.len() - 1 - i; rest > 1 || rest == 1 && s.queue.at(i+1).buf != nil {
				return fmt.Errorf("entry %d of %d is open", i, s.queue.len())
			}
			if e.buf != s.lane.Block() {
				return fmt.Errorf("the open entry is not the open block of the lane")
			}
		case i == 0 && e.buf != nil && s.read > e.end:
			return fmt.Errorf("%d of %d bytes of the front are read", s.read, e.end)
		default:
			readable++
		}
	}
	if v == nil {
		return nil
	}
	promised := v.dirty || v.queued && (v.wanted || v.collected || v.look)
	if readable > 0 && !v.queued {
		return fmt.Errorf("%d entries can be read, and the inbox does not know", readable)
	}
	if (policy.kind == whenIdle || policy.kind == after) && !promised {
		if s.lane.Confirm() { // is armed
			return fmt.Errorf("the lane is armed, and nobody will look")
		}
		if n, _ := s.lane.Position(); n > s.read && s.queue.len() > 0 && s.queue.at(0).end == open {
			return fmt.Errorf("%d of %d bytes of the open block are read, and nobody will look", s.read, n)
		}
	}
	if policy.kind == everyRecord && !v.queued {
		if n, _ := s.lane.Position(); n > s.read && s.queue.len() > 0 {
			return fmt.Errorf("%d of %d bytes of the open block are read, and the inbox does not know", s.read, n)
		}
	}
	return nil
}
