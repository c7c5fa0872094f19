package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/tape"
)

const (
	sources = 2
	workers = 3
)

// path names the tape of a source.
func path(dir string, source int) string {
	return filepath.Join(dir, fmt.Sprintf("flights-%d.tape", source))
}

// record is the first run: it sends the flights through an exchange, and keeps what each source sends in a file.
func record(ctx context.Context, c config) (totals, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x, err := exchange.New(exchange.Config{Producers: sources, Consumers: workers, MemoryBytes: 4 << 20})
	if err != nil {
		return nil, err
	}
	errs := make([]error, sources)
	var wg sync.WaitGroup
	for i := range sources {
		wg.Go(func() {
			if errs[i] = send(ctx, x, i, c); errs[i] != nil {
				cancel(errs[i])
			}
		})
	}
	t, err := work(ctx, x.Gate, newTotals())
	if err != nil {
		cancel(err)
	}
	wg.Wait()
	return t, errors.Join(errors.Join(errs...), err, x.Close(ctx))
}

// send is a source.
func send(ctx context.Context, x *exchange.Exchange, i int, c config) (err error) {
	file, err := os.Create(path(c.dir, i))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w, err := NewFlightByOriginWriter(tape.NewTee(x.Partition(i), file))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.CloseWithError(err)) }()
	for f := range flights(c.seed, i, c.flights) {
		if err := w.Emit(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// work runs all workers and adds what they count to t. They do not know whether their gates belong to an exchange or to a replay.
func work(ctx context.Context, gateOf func(...int) *gate.Gate, t totals) (totals, error) {
	parts, errs := make([]totals, workers), make([]error, workers)
	var wg sync.WaitGroup
	for i := range workers {
		parts[i] = newTotals()
		wg.Go(func() { errs[i] = count(ctx, gateOf(i), parts[i]) })
	}
	wg.Wait()
	for _, p := range parts {
		t.merge(p)
	}
	return t, errors.Join(errs...)
}

// count is a worker.
func count(ctx context.Context, g *gate.Gate, t totals) (err error) {
	r, err := NewFlightReader(g)
	if err != nil {
		return err
	}
	defer func() { _ = r.CloseWithError(err) }()
	var f Flight
	for {
		ok, err := r.Next(ctx, &f)
		if !ok {
			return err
		}
		t.count(&f)
	}
}
