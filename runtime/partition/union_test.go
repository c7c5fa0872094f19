package partition_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/rwgen/rwgen/runtime/partition"
)

// TestUnionConcurrent: one goroutine reads many inboxes, under all policies and with the least memory. Whatever is reported to one of them while it waits wakes it: a message that is lost hangs.
func TestUnionConcurrent(t *testing.T) {
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) {
			t.Parallel()
			ctx := patience(t)
			n := newNet(t, netConfig{producers: 3, consumers: 4})
			var all sync.WaitGroup
			for i := range 3 {
				p := n.producer(i, policy)
				all.Go(func() {
					r := rand.New(rand.NewPCG(uint64(i), 11))
					for range 2000 {
						if _, err := p.emit(ctx, r.IntN(len(p.builders)), size(r, 200)); err != nil {
							t.Error(err)
							return
						}
					}
					if err := p.part.Finish(); err != nil {
						t.Error(err)
					}
				})
			}
			readers := make([]*consumer, 4)
			inboxes := make([]*partition.Inbox, 4)
			for j := range readers {
				readers[j] = n.consumer(j)
				inboxes[j] = readers[j].inbox
			}
			u := partition.NewUnion(inboxes...)
			for left := len(readers); left > 0; {
				found := false
				for _, idle := range []bool{false, true} {
					for _, k := range readers {
						for k.ended < len(k.views) {
							v, err := k.inbox.Try(idle)
							if err != nil {
								t.Fatal(err)
							}
							if v == nil {
								break
							}
							found = true
							more, err := k.read(v)
							if err != nil {
								t.Fatal(err)
							}
							if !more {
								left--
							}
						}
					}
					if found {
						break
					}
				}
				if !found && left > 0 {
					if err := u.Wait(ctx); err != nil {
						t.Fatal(err)
					}
				}
			}
			all.Wait()
			for _, k := range readers {
				k.leave(nil)
			}
			n.close()
		})
	}
}

// TestUnionWait: what ends a wait, and what does not let it begin.
func TestUnionWait(t *testing.T) {
	enough := errors.New("enough")
	for _, tt := range []struct {
		name   string
		before bool // it happens before Wait
		event  func(p *producer, in []*partition.Inbox, cancel context.CancelCauseFunc)
		want   error
	}{
		{name: "a record", event: func(p *producer, _ []*partition.Inbox, _ context.CancelCauseFunc) {
			_, _ = p.emit(context.Background(), 1, 10)
		}},
		{name: "the end", event: func(p *producer, _ []*partition.Inbox, _ context.CancelCauseFunc) { _ = p.part.Finish() }},
		{name: "a watermark", event: func(p *producer, _ []*partition.Inbox, _ context.CancelCauseFunc) { _ = p.part.Watermark(1) }},
		{name: "a closed inbox", event: func(_ *producer, in []*partition.Inbox, _ context.CancelCauseFunc) { in[1].Close(enough) }},
		{name: "the context", want: enough, event: func(_ *producer, _ []*partition.Inbox, cancel context.CancelCauseFunc) { cancel(enough) }},
	} {
		for _, before := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/before %v", tt.name, before), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := newNet(t, netConfig{producers: 1, consumers: 2, share: 64 << 10})
					p := n.producer(0, partition.WhenIdle(100e6))
					readers := []*consumer{n.consumer(0), n.consumer(1)}
					inboxes := []*partition.Inbox{readers[0].inbox, readers[1].inbox}
					for _, k := range readers { // what a new view may have missed
						if v, err := k.inbox.Try(true); v == nil || err != nil {
							t.Fatal(v, err)
						} else if _, err := k.read(v); err != nil {
							t.Fatal(err)
						}
					}
					ctx, cancel := context.WithCancelCause(context.Background())
					defer cancel(nil)
					if before {
						tt.event(p, inboxes, cancel)
					}
					u := partition.NewUnion(inboxes...)
					done := make(chan error, 1)
					go func() { done <- u.Wait(ctx) }()
					synctest.Wait()
					if !before {
						if len(done) > 0 {
							t.Fatal("Wait returns for nothing")
						}
						tt.event(p, inboxes, cancel)
						synctest.Wait()
					}
					if len(done) == 0 {
						t.Fatal("Wait goes on")
					}
					if err := <-done; !errors.Is(err, tt.want) {
						t.Errorf("Wait returns %v, want %v", err, tt.want)
					}
					_ = p.part.Finish()
					for _, k := range readers {
						k.leave(nil)
					}
					n.close()
				})
			})
		}
	}
}

// TestUnionGivesUp: a wait that its context has ended leaves nothing behind that ends the next one.
func TestUnionGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		enough := errors.New("enough")
		u := partition.NewUnion(partition.NewInbox(), partition.NewInbox())
		for range 3 {
			ctx, cancel := context.WithCancelCause(context.Background())
			done := make(chan error, 1)
			go func() { done <- u.Wait(ctx) }()
			synctest.Wait()
			if len(done) > 0 {
				t.Fatal("Wait returns for nothing")
			}
			cancel(enough)
			if err := <-done; !errors.Is(err, enough) {
				t.Error(err)
			}
		}
	})
}
