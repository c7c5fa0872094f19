package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/rwgen/rwgen/runtime/exchange"
)

// config says what is to be processed.
type config struct {
	strikes []Strike
	rules   []Rule // in the order of their days
	sources int    // of strikes
	workers int
	held    int // strikes that a worker may hold until it knows the rules

	// before is called before each rule is sent. Nil does nothing.
	before func(ctx context.Context, r *Rule) error
	// sent is called after each strike was sent, by all sources at once. Nil does nothing.
	sent func(s *Strike)
}

// process runs sources and workers to the end, and returns the workers. If one of them fails, it stops the others and returns that error.
func process(ctx context.Context, c config) (workers []*worker, err error) {
	strikes, err := exchange.New(exchange.Config{Producers: c.sources, Consumers: c.workers})
	if err != nil {
		return nil, err
	}
	rules, err := exchange.New(exchange.Config{Producers: 1, Consumers: c.workers})
	if err != nil {
		return nil, errors.Join(err, strikes.Close(ctx))
	}
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
	for i := range c.workers {
		w, err := newWorker(strikes.Gate(i), rules.Gate(i), c.held)
		if err != nil {
			cancel(err)
			break
		}
		workers = append(workers, w)
		start(fmt.Sprintf("worker %d", i), func() error { return w.run(ctx) })
	}
	start("rules", func() error { return c.sendRules(ctx, rules) })
	for i := range c.sources {
		start(fmt.Sprintf("source %d", i), func() error { return c.sendStrikes(ctx, strikes, i) })
	}
	wg.Wait()
	err = context.Cause(ctx)
	return workers, errors.Join(err, strikes.Close(ctx), rules.Close(ctx))
}

// sendRules sends the rules to all workers. The watermarks that tell them how far the rules are follow from the directive.
func (c *config) sendRules(ctx context.Context, x *exchange.Exchange) (err error) {
	w, err := NewRuleToAllWriter(x.Partition(0))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.CloseWithError(err)) }()
	for i := range c.rules {
		r := &c.rules[i]
		if c.before != nil {
			if err := c.before(ctx, r); err != nil {
				return err
			}
		}
		if err := w.Emit(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// sendStrikes sends a part of the strikes, each to the worker that has its airport.
func (c *config) sendStrikes(ctx context.Context, x *exchange.Exchange, source int) (err error) {
	w, err := NewStrikeByAirportWriter(x.Partition(source))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.CloseWithError(err)) }()
	for i := source; i < len(c.strikes); i += c.sources {
		if err := w.Emit(ctx, &c.strikes[i]); err != nil {
			return err
		}
		if c.sent != nil {
			c.sent(&c.strikes[i])
		}
	}
	return nil
}
