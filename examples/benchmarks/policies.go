package main

import (
	"context"
	"errors"
	"time"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/examples/benchmarks/records/sample"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/writer"
)

// A policy is a way to move records to one consumer one by one that decides when each becomes readable.
type policy struct {
	name string
	// start starts the consumer, which calls arrived for each record, and returns how to send one and how to end and wait.
	start func(arrived func(*sample.Record)) (send func(*sample.Record) error, end func() error, err error)
	// full moves records at full speed.
	full harness.Row
}

// onFull is the policy that the throughput of all others is compared to.
const onFull = "rwgen, full blocks"

// policies are chan T and all flush policies of rwgen, the default first.
func policies() []policy {
	flush := func(name string, opts ...writer.Option) policy {
		return policy{name, func(arrived func(*sample.Record)) (func(*sample.Record) error, func() error, error) {
			return throughExchange(arrived, opts...)
		}, sample.ExchangeRow(name, opts...)}
	}
	return []policy{
		{"chan T", throughChannel, sample.Shape().Row("chan T")},
		flush("rwgen, when idle"),
		flush("rwgen, every record", writer.FlushEveryRecord()),
		flush("rwgen, after 1 ms", writer.FlushAfter(time.Millisecond)),
		flush("rwgen, after 10 ms", writer.FlushAfter(10*time.Millisecond)),
		flush(onFull, writer.FlushOnFull()),
	}
}

func throughChannel(arrived func(*sample.Record)) (send func(*sample.Record) error, end func() error, err error) {
	c, done := make(chan sample.Record, 1024), make(chan struct{})
	go func() {
		defer close(done)
		for r := range c {
			arrived(&r)
		}
	}()
	send = func(r *sample.Record) error { c <- *r; return nil }
	end = func() error { close(c); <-done; return nil }
	return send, end, nil
}

func throughExchange(arrived func(*sample.Record), opts ...writer.Option) (send func(*sample.Record) error, end func() error, err error) {
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		return nil, nil, err
	}
	return throughEnds(x.Partition(0), x.Gate(0), x.Close, arrived, opts...)
}

// throughEnds sends records through the ends of an exchange, which it closes by release.
func throughEnds(out writer.Output, in *gate.Gate, release func(context.Context) error, arrived func(*sample.Record), opts ...writer.Option) (send func(*sample.Record) error, end func() error, err error) {
	ctx := context.Background()
	w, err := sample.NewRecordByKeyWriter(out, opts...)
	if err != nil {
		return nil, nil, err
	}
	r, err := sample.NewRecordReader(in)
	if err != nil {
		return nil, nil, err
	}
	done := make(chan error, 1)
	go func() {
		var v sample.Record
		for {
			ok, err := r.Next(ctx, &v)
			if !ok {
				done <- errors.Join(err, r.Close())
				return
			}
			arrived(&v)
		}
	}()
	send = func(r *sample.Record) error { return w.Emit(ctx, r) }
	end = func() error { return errors.Join(w.Close(), <-done, release(ctx)) }
	return send, end, nil
}
