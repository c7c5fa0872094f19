package main

import (
	"context"
	"errors"

	"github.com/rwgen/rwgen/examples/benchmarks/records"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/writer"
)

// exchangeRow moves records through a generated writer and generated readers over an exchange with its default budget of memory. A
// shared consumer is one reader over the channels of all consumers. The options say when records become readable; without any, as soon as the
// reader is idle, like those of a channel.
func exchangeRow(name string, opts ...writer.Option) row {
	return row{name: name, prepare: func(c cell, n uint64) (pipe, error) {
		ctx := context.Background()
		x, err := exchange.New(exchange.Config{Producers: 1, Consumers: c.partitions})
		if err != nil {
			return pipe{}, err
		}
		w, err := records.NewSampleByIDWriter(x.Partition(0), opts...)
		if err != nil {
			return pipe{}, err
		}
		produce := func() error {
			for i := range n {
				s := sample(i)
				if err := w.Emit(ctx, &s); err != nil {
					return errors.Join(err, w.CloseWithError(err))
				}
			}
			return w.Close()
		}
		consume := make([]func() (tally, error), c.lanes())
		for lane := range consume {
			r, err := records.NewSampleReader(x.Gate(c.partitionsOf(lane)...))
			if err != nil {
				return pipe{}, err
			}
			consume[lane] = func() (t tally, _ error) {
				var s records.Sample
				for {
					ok, err := r.Next(ctx, &s)
					if !ok {
						return t, errors.Join(err, r.Close())
					}
					t.add(&s)
				}
			}
		}
		return pipe{produce: produce, consume: consume, close: func() error { return x.Close(ctx) }}, nil
	}}
}
