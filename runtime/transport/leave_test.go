package transport_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/rwtest"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Numbers of messages, as PROTOCOL.md has them.
const (
	typeOpen   = 4
	typeOpened = 5
	typeData   = 9
	typeCredit = 13
	typeCancel = 14
	typeClosed = 15
)

var errFull = errors.New("the disk is full")

// A reader that leaves says why, at whatever time: the producer fails with that and the name of the process, or goes on if the reader has had enough.
func TestReaderLeaves(t *testing.T) {
	patient := func(_, c *transport.Config) {
		c.Backoff, c.MaxBackoff, c.Patience = 4*time.Second, 4*time.Second, 50*time.Second
	}
	for when, leave := range map[string]func(n *rwtest.Network, w *world, ch func() func(error)) func(error){
		"while reading": func(_ *rwtest.Network, w *world, ch func() func(error)) func(error) {
			w.publish(0)
			c := ch()
			time.Sleep(time.Second)
			return c
		},
		"before OPENED has arrived": func(n *rwtest.Network, w *world, ch func() func(error)) func(error) {
			n.Link("reader", "writer").Latency(time.Second, time.Second)
			w.publish(0)
			c := ch()
			time.Sleep(4500 * time.Millisecond) // dial, HELLO and WELCOME take 4 s
			return c
		},
		"while the connection is broken": func(n *rwtest.Network, w *world, ch func() func(error)) func(error) {
			w.publish(0)
			c := ch()
			time.Sleep(time.Second)
			l := n.Link("reader", "writer")
			l.Refuse(true)
			l.Cut()
			time.Sleep(time.Second)
			time.AfterFunc(5*time.Second, func() { l.Refuse(false) })
			return c
		},
		"while OPENED is lost": func(n *rwtest.Network, w *world, ch func() func(error)) func(error) {
			l := n.Link("reader", "writer")
			first := true
			watch(l, func(m rwtest.Message) int {
				if m.Header[4] == typeOpened && first {
					first = false
					l.Refuse(true)
					return 0
				}
				return rwtest.Pass
			})
			w.publish(0)
			c := ch()
			time.Sleep(time.Second)
			time.AfterFunc(5*time.Second, func() { l.Refuse(false) })
			return c
		},
		"and CANCEL is lost": func(n *rwtest.Network, w *world, ch func() func(error)) func(error) {
			first := true
			watch(n.Link("reader", "writer"), func(m rwtest.Message) int {
				if m.Header[4] == typeCancel && first {
					first = false
					return 3
				}
				return rwtest.Pass
			})
			w.publish(0)
			c := ch()
			time.Sleep(time.Second)
			return c
		},
		"and CLOSED is lost": func(n *rwtest.Network, w *world, ch func() func(error)) func(error) {
			first := true
			watch(n.Link("reader", "writer"), func(m rwtest.Message) int {
				if m.Header[4] == typeClosed && first {
					first = false
					return 3
				}
				return rwtest.Pass
			})
			w.publish(0)
			c := ch()
			time.Sleep(time.Second)
			return c
		},
	} {
		for why, cause := range map[string]error{"cause": errFull, "nil": nil, "enough": partition.ErrEnough, "canceled": context.Canceled} {
			t.Run(when+", "+why, func(t *testing.T) {
				virtual(t, options{hold: true, config: patient}, func(t *testing.T, n *rwtest.Network, w *world) {
					wr := w.writer(0)
					done := make(chan error, 1)
					go func() {
						if why == "enough" { // what is written is dropped
							done <- errors.Join(emit(w.ctx, wr, 0, 500_000), wr.Close())
							return
						}
						err := emitUntil(w.ctx, wr, 0)
						_ = wr.CloseWithError(err)
						done <- err
					}()
					var c *transport.Channel
					left := leave(n, w, func() func(error) {
						c = w.open(0, 0, nil)
						r := readerOf(t, c)
						return func(cause error) { _ = r.CloseWithError(cause) }
					})
					start := time.Now()
					left(cause)
					if err := c.Wait(w.ctx); err != nil {
						t.Errorf("the channel: %v", err)
					}
					err := <-done
					within(t, start, 0, 20*time.Second)
					published := w.pubs[0].Wait(w.ctx)
					if why == "enough" {
						if err != nil || published != nil {
							t.Errorf("%v and %v, want none", err, published)
						}
						return
					}
					if !errors.Is(err, partition.ErrConsumerGone) {
						t.Errorf("%v, want %v", err, partition.ErrConsumerGone)
					}
					for _, err := range []error{err, published} {
						if peer := fails(t, err); peer.Peer != "reader" || peer.Partition != "trades/0" {
							t.Errorf("%+v", peer)
						}
						if why == "cause" && !strings.Contains(err.Error(), errFull.Error()) || why == "canceled" && !errors.Is(err, partition.ErrCanceled) {
							t.Errorf("%v, want %v", err, cause)
						}
					}
					w.pubs[0].Withdraw() // its error was seen
				})
			})
		}
	}
}

// A reader that leaves before the partition is there does not keep it from others: while the server waits for it, and in the pause before it is asked for again.
func TestReaderLeavesBeforePublished(t *testing.T) {
	for _, after := range []time.Duration{time.Second, 11 * time.Second} {
		virtual(t, options{hold: true, config: func(_, c *transport.Config) {
			c.Backoff, c.MaxBackoff, c.Patience = 4*time.Second, 4*time.Second, 50*time.Second
		}}, func(t *testing.T, n *rwtest.Network, w *world) {
			ch := w.open(0, 0, nil)
			r := readerOf(t, ch)
			time.Sleep(after)
			start := time.Now()
			_ = r.Close()
			time.Sleep(time.Millisecond)
			w.publish(0)
			if err := ch.Wait(w.ctx); err != nil {
				t.Error(err)
			}
			within(t, start, 0, 5*time.Second)
			p := w.process(n, "elsewhere", "other", nil)
			go func() { _ = produce(w.ctx, w.writer(0), 0, 100, "") }()
			next := readerOf(t, p.channel(0, 0, nil))
			got, err := readAll(w.ctx, next)
			if after < 10*time.Second && (got != 100 || err != nil) {
				t.Errorf("%d records, %v", got, err)
			}
			if after > 10*time.Second && !errors.Is(err, partition.ErrInUse) && (got != 100 || err != nil) {
				t.Errorf("%d records, %v", got, err)
			}
			p.close()
			w.pubs[0].Withdraw()
		})
	}
}

// A producer that fails tells its readers why.
func TestProducerFails(t *testing.T) {
	for why, c := range map[string]struct{ cause, is error }{
		"cause":    {errFull, transport.ErrRemote},
		"canceled": {context.Canceled, partition.ErrCanceled},
		"enough":   {partition.ErrEnough, partition.ErrEnough},
	} {
		t.Run(why, func(t *testing.T) {
			virtual(t, options{}, func(t *testing.T, n *rwtest.Network, w *world) {
				wr := w.writer(0)
				done := make(chan error, 1)
				go func() { done <- errors.Join(emit(w.ctx, wr, 0, 1000), wr.CloseWithError(c.cause)) }()
				got, err := readAll(w.ctx, w.reader(0))
				if got != 1000 {
					t.Errorf("%d records", got)
				}
				peer := fails(t, err, c.is)
				var producer *partition.ProducerError
				if !errors.As(err, &producer) || peer.Peer != "writer" || peer.Partition != "trades/0" || peer.Position.Data == 0 || !strings.Contains(err.Error(), c.cause.Error()) {
					t.Errorf("%v, %+v", err, peer)
				}
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// One channel that fails, because its reader leaves or its producer does, does not touch the others of the connection.
func TestNeighboursGoOn(t *testing.T) {
	virtual(t, options{producers: 3, consumers: 1}, func(t *testing.T, n *rwtest.Network, w *world) {
		cuts := 0
		n.Link("reader", "writer")
		readers := []*transport.Channel{w.open(0, 0, nil), w.open(1, 0, nil), w.open(2, 0, nil)}
		good, failing, leaving := readerOf(t, readers[0]), readerOf(t, readers[1]), readerOf(t, readers[2])
		writers := []*writer.Writer[trade]{w.writer(0), w.writer(1), w.writer(2)}
		done := make(chan error, 1)
		go func() {
			err := emit(w.ctx, writers[0], 0, 10)
			time.Sleep(10 * time.Second)
			done <- errors.Join(err, emit(w.ctx, writers[0], 0, 100_000), writers[0].Close())
		}()
		time.Sleep(time.Second)
		_ = writers[1].CloseWithError(errFull)
		if _, err := readAll(w.ctx, failing); err == nil {
			t.Error("a producer has failed, its reader has not")
		}
		_ = leaving.CloseWithError(errFull)
		if err := emitUntil(w.ctx, writers[2], 0); !errors.Is(err, partition.ErrConsumerGone) {
			t.Error(err)
		}
		_ = writers[2].CloseWithError(errFull)
		if got, err := readAll(w.ctx, good); got != 100_010 || err != nil {
			t.Errorf("%d records, %v", got, err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if s := n.Link("reader", "writer").Stats(); s.Conns != 1 || s.Cuts != cuts {
			t.Errorf("%+v", s)
		}
		w.pubs[2].Withdraw()
	})
}

// What has arrived of a channel that has failed without a reader is given back when it is discarded.
func TestDiscardOfFailed(t *testing.T) {
	virtual(t, options{}, func(t *testing.T, _ *rwtest.Network, w *world) {
		ch := w.open(0, 0, nil)
		cause := errors.New("broken")
		wr := w.writer(0)
		if err := errors.Join(emit(w.ctx, wr, 0, 1000), wr.CloseWithError(cause)); err != nil && !errors.Is(err, cause) {
			t.Fatal(err)
		}
		if err := ch.Wait(w.ctx); err == nil {
			t.Error("the channel has not failed")
		}
		if used := w.budget.Used(); used == 0 {
			t.Error("nothing has arrived")
		}
		if !ch.Discard() {
			t.Error("there was no reader, and it is not discarded")
		}
		if used := w.budget.Used(); used != 0 {
			t.Errorf("%d bytes are used", used)
		}
	})
}
