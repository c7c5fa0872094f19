package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"

	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/metrics"
)

// config says what is to be processed.
type config struct {
	memory int64                               // budget of all edges together, in bytes
	hours  iter.Seq2[Entry, []Entry]           // limits and payments
	spill  io.Writer                           // for payments that no auditor has room for
	audit  func(context.Context, *Entry) error // what an auditor does with a payment; called by all auditors at once
}

// result is what came of it.
type result struct {
	sent     sent
	received [edgeCount][]*consumer
	edges    [edgeCount]edge
	counters []metrics.Writer // of the edges, by name
	memory   memory.Stats     // when everything was read, and nothing was closed
	refused  error            // of the exchange that does not fit
}

// process runs the task and the consumers of its edges to the end. If one of them fails, it stops the others and returns that error.
func process(ctx context.Context, c config) (r result, err error) {
	n, err := newNetwork(c.memory)
	if err != nil {
		return r, err
	}
	r.edges, r.refused = n.edges, n.oneMore()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	start := func(name string, f func() error) {
		wg.Go(func() {
			if err := f(); err != nil {
				cancel(fmt.Errorf("%s: %w", name, err)) // the first error is the one to report; the others follow from it
			}
		})
	}
	for i, e := range n.edges {
		each := func(context.Context, *Entry) error { return nil }
		if i == audit {
			each = c.audit
		}
		for j := range e.consumers {
			to := &consumer{balances: make(map[string]int64)}
			r.received[i] = append(r.received[i], to)
			start(fmt.Sprintf("consumer %d of %s", j, e.name), func() error { return to.consume(ctx, n.exchanges[i], j, each) })
		}
	}
	start("screen", func() (err error) {
		r.sent, err = n.screen(ctx, c.hours, c.spill)
		return err
	})
	wg.Wait()
	r.counters, r.memory = n.counters.Writers(), n.pool.Stats()
	err = context.Cause(ctx)
	return r, errors.Join(err, n.close(ctx))
}
