package writer_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/writer"
)

// fill sends events of 100,000 bytes until there is no room for one more, and returns how many that were.
func fill(t *testing.T, w *writer.Writer[item]) (sent int) {
	t.Helper()
	for ; ; sent++ {
		err := writer.SendEvent(w, texts(t), &text{S: strings.Repeat("x", 100_000)})
		if writer.EventRefused(err) {
			return sent
		}
		must(t, err)
	}
}

// TestSendEventWait: a writer waits for room for an event until the last of the channels has some, and no longer; what it has written before is readable while it waits.
func TestSendEventWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 2})
		w := newItemWriter(t, x, writer.FlushOnFull())
		if !isClosed(w.Core().EventReady()) {
			t.Error("nothing was refused, and there is something to wait for")
		}
		sent := fill(t, w)
		must(t, w.Broadcast(t.Context(), &item{Size: 20}))
		begin := time.Now()
		done := make(chan error, 1)
		go func() { done <- writer.SendEventWait(t.Context(), w, texts(t), &text{S: strings.Repeat("y", 100_000)}) }()
		var lines [2][]string
		var r [2]*gate.Reader[item]
		for i := range r {
			time.Sleep(time.Minute)
			if len(done) > 0 {
				t.Fatalf("after %d of 2 readers: %v", i, <-done)
			}
			r[i] = newListener(t, x, i, &lines[i])
			var v item
			if ok, err := r[i].Next(t.Context(), &v); !ok || err != nil { // behind all events, and not flushed by its writer
				t.Fatalf("reader %d got %v, %v", i, ok, err)
			}
		}
		must(t, <-done)
		if waited := time.Since(begin); waited != 2*time.Minute {
			t.Errorf("it waited for %v, want 2m", waited)
		}
		must(t, w.Close())
		for i := range r {
			readNow(t, r[i])
			if n := strings.Count(strings.Join(lines[i], ";"), "event "); n != sent+1 {
				t.Errorf("reader %d got %d events, want %d", i, n, sent+1)
			}
			must(t, r[i].Close())
		}
		mustClose(t, x)
	})
}

// TestSendEventWaitEnds: the context, a reader that leaves, Cancel, and a size that never fits end the waiting; then nobody has got the event who stayed.
func TestSendEventWaitEnds(t *testing.T) {
	why := errors.New("enough")
	for name, c := range map[string]struct {
		end  func(x *exchange.Exchange, cancel context.CancelCauseFunc, r *gate.Reader[item])
		want []error
	}{
		"context": {func(_ *exchange.Exchange, cancel context.CancelCauseFunc, _ *gate.Reader[item]) { cancel(why) }, []error{context.Canceled, why}},
		"reader":  {func(_ *exchange.Exchange, _ context.CancelCauseFunc, r *gate.Reader[item]) { _ = r.CloseWithError(why) }, []error{writer.ErrConsumerGone, why}},
		"cancel":  {func(x *exchange.Exchange, _ context.CancelCauseFunc, _ *gate.Reader[item]) { x.Cancel(why) }, []error{writer.ErrCanceled, why}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
				w := newItemWriter(t, x)
				var lines []string
				r := newListener(t, x, 0, &lines)
				fill(t, w)
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				done := make(chan error, 1)
				go func() { done <- writer.SendEventWait(ctx, w, texts(t), &text{S: strings.Repeat("y", 100_000)}) }()
				synctest.Wait()
				if len(done) > 0 {
					t.Fatalf("it did not wait: %v", <-done)
				}
				c.end(x, cancel, r)
				err := <-done
				for _, want := range c.want {
					if !errors.Is(err, want) {
						t.Errorf("got %v, want %v", err, want)
					}
				}
				if name == "cancel" && !isClosed(w.Core().EventReady()) {
					t.Error("after Cancel there is something to wait for")
				}
				_, _ = w.Close(), r.Close()
				if err := writer.SendEventWait(t.Context(), w, texts(t), &text{}); !errors.Is(err, writer.ErrClosed) {
					t.Errorf("after Close: %v", err)
				}
				mustClose(t, x)
			})
		})
	}
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
	w := newItemWriter(t, x)
	if err := writer.SendEventWait(t.Context(), w, texts(t), &text{S: strings.Repeat("x", 2<<20)}); !errors.Is(err, partition.ErrEventTooLarge) || writer.EventRefused(err) {
		t.Errorf("an event that never fits: %v", err)
	}
	must(t, w.Close())
	var lines []string
	must(t, newListener(t, x, 0, &lines).Close())
	mustClose(t, x)
}
