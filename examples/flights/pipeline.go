package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/rwgen/rwgen/runtime/exchange"
)

// origin is what a worker knows of one airport.
type origin struct {
	flights  int64
	delay    int64
	distance int64
	worker   int
}

// result is what all workers know together.
type result struct {
	origins map[string]origin
	total   origin
	skipped int64
}

// process runs the input through an exchange. It returns the first malformed row in the order of the input, unless they are skipped.
func process(ctx context.Context, c config, in input, progress *progress) (result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x, err := exchange.New(exchange.Config{Producers: c.producers, Consumers: c.consumers, MemoryBytes: int64(c.memory)})
	if err != nil {
		return result{}, err
	}
	var (
		sources = newSources(c, in)
		workers = make([]*worker, c.consumers)
		errs    = make([]error, 1+c.producers+c.consumers)
		wg      sync.WaitGroup
	)
	start := func(i int, f func() error) {
		wg.Go(func() {
			if errs[i] = f(); errs[i] != nil && !sources.malformed() {
				cancel(errs[i]) // the first error is the one to report; the others follow from it
			}
		})
	}
	start(0, func() error { return sources.read(ctx) })
	for i := range c.producers {
		start(1+i, func() error { return sources.emit(ctx, x, i) })
	}
	for i := range c.consumers {
		workers[i] = &worker{index: i, origins: make(map[string]origin), progress: progress}
		start(1+c.producers+i, func() error { return workers[i].run(ctx, x) })
	}
	wg.Wait()
	closing := x.Close(ctx)
	if bad := sources.firstBad(); bad != nil {
		return result{}, bad
	}
	if err := errors.Join(errs...); err != nil {
		return result{}, context.Cause(ctx)
	}
	if closing != nil {
		return result{}, closing
	}
	r, err := merge(workers)
	r.skipped = sources.skipped.Load()
	return r, err
}

// merge puts the workers' results together. Every origin must have gone to one worker: that is what key=Origin promises.
func merge(workers []*worker) (result, error) {
	r := result{origins: make(map[string]origin)}
	for _, w := range workers {
		for name, o := range w.origins {
			if other, ok := r.origins[name]; ok {
				return r, fmt.Errorf("origin %s was handled by worker %d and by worker %d", name, other.worker, w.index)
			}
			r.origins[name] = o
			r.total.flights += o.flights
			r.total.delay += o.delay
			r.total.distance += o.distance
		}
	}
	return r, nil
}

// worker reads what is sent to one consumer and counts it by origin.
type worker struct {
	index    int
	origins  map[string]origin
	progress *progress
}

func (w *worker) run(ctx context.Context, x *exchange.Exchange) (err error) {
	r, err := NewFlightReader(x.Gate(w.index))
	if err != nil {
		return err
	}
	defer func() { _ = r.CloseWithError(err) }()
	var f Flight
	for n := int64(1); ; n++ {
		ok, err := r.Next(ctx, &f)
		if !ok {
			w.progress.add(n - 1)
			return err
		}
		o := w.origins[f.Origin]
		o.flights++
		o.delay += int64(f.Delay)
		o.distance += int64(f.Distance)
		o.worker = w.index
		w.origins[f.Origin] = o
		if n == 4096 {
			w.progress.add(n)
			n = 0
		}
	}
}

// eachLine calls f for each line of lines that is not empty, without its end.
func eachLine(lines []byte, f func(number int, line []byte) error) error {
	for number := 0; len(lines) > 0; number++ {
		line, rest, _ := bytes.Cut(lines, []byte{'\n'})
		lines = rest
		if line = bytes.TrimSuffix(line, []byte{'\r'}); len(line) == 0 {
			continue
		}
		if err := f(number, line); err != nil {
			return err
		}
	}
	return nil
}
