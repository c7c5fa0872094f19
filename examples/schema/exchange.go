package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

const workers = 3

// traffic is what has been sent and has arrived.
type traffic struct {
	records, bytes int
	byWorker       [workers]int
}

// recordWriter and payloadReader are what generated writers and readers have in common.
type recordWriter[T any] interface {
	Emit(ctx context.Context, v *T) error
	CloseWithError(cause error) error
}

type payloadReader interface {
	NextBytes(ctx context.Context) (payload []byte, ok bool, err error)
	Close() error
}

// send sends records from one producer to the workers. Each hands the bytes of what arrives to decode, which may be called by several goroutines at the same time, and compares with the event of that ID.
func send[T any, W recordWriter[T], R payloadReader](ctx context.Context, events []event, records []*T,
	newWriter func(writer.Output, ...writer.Option) (W, error), newReader func(*gate.Gate, ...gate.Option) (R, error), decode func([]byte) (event, error),
) (t traffic, err error) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: workers})
	if err != nil {
		return t, err
	}
	byID := make(map[string]*event, len(events))
	for i := range events {
		byID[events[i].ID] = &events[i]
	}
	errs := make([]error, workers+1)
	sizes := make([]int, workers)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() { errs[i] = receive(ctx, x.Gate(i), newReader, decode, byID, &t.byWorker[i], &sizes[i]) })
	}
	wg.Go(func() {
		w, err := newWriter(x.Partition(0))
		if err != nil {
			errs[workers] = err
			return
		}
		for _, r := range records {
			if err = w.Emit(ctx, r); err != nil {
				break
			}
		}
		errs[workers] = errors.Join(err, w.CloseWithError(err))
	})
	wg.Wait()
	errs = append(errs, x.Close(ctx))
	for i, n := range t.byWorker {
		t.records += n
		t.bytes += sizes[i]
	}
	if err := errors.Join(errs...); err != nil {
		return t, err
	}
	if t.records != len(events) {
		return t, fmt.Errorf("%d of %d records have arrived", t.records, len(events))
	}
	return t, nil
}

// receive is one worker.
func receive[R payloadReader](ctx context.Context, g *gate.Gate, newReader func(*gate.Gate, ...gate.Option) (R, error), decode func([]byte) (event, error), byID map[string]*event, records, bytes *int) (err error) {
	r, err := newReader(g)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for {
		payload, ok, err := r.NextBytes(ctx)
		if !ok {
			return err
		}
		got, err := decode(payload)
		if err != nil {
			return fmt.Errorf("record %d: %w", *records+1, err)
		}
		want := byID[got.ID]
		if want == nil || !reflect.DeepEqual(got, *want) {
			return fmt.Errorf("event %q differs:\n%+v\n%+v", got.ID, got, want)
		}
		*records++
		*bytes += len(payload)
	}
}
