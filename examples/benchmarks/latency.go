package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/rwgen/rwgen/examples/benchmarks/records"
	"github.com/rwgen/rwgen/runtime/exchange"
)

// latencyGaps are the times between two records at 10,000, 100,000 and 500,000 records a second.
var latencyGaps = []time.Duration{100 * time.Microsecond, 10 * time.Microsecond, 2 * time.Microsecond}

// A latencyRow is one way to move records to one consumer one by one.
type latencyRow struct {
	name string
	// start starts the consumer, which calls arrived for each record, and returns how to send one and how to end and wait.
	start func(arrived func(*records.Sample)) (send func(*records.Sample) error, end func() error, err error)
}

func latencyRows() []latencyRow {
	return []latencyRow{
		{"chan T", func(arrived func(*records.Sample)) (func(*records.Sample) error, func() error, error) {
			c, done := make(chan records.Sample, 1024), make(chan struct{})
			go func() {
				defer close(done)
				for s := range c {
					arrived(&s)
				}
			}()
			return func(s *records.Sample) error { c <- *s; return nil }, func() error { close(c); <-done; return nil }, nil
		}},
		{"rwgen", func(arrived func(*records.Sample)) (func(*records.Sample) error, func() error, error) {
			ctx := context.Background()
			x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
			if err != nil {
				return nil, nil, err
			}
			w, err := records.NewSampleByIDWriter(x.Partition(0))
			if err != nil {
				return nil, nil, err
			}
			r, err := records.NewSampleReader(x.Gate(0))
			if err != nil {
				return nil, nil, err
			}
			done := make(chan error, 1)
			go func() {
				var s records.Sample
				for {
					ok, err := r.Next(ctx, &s)
					if !ok {
						done <- errors.Join(err, r.Close())
						return
					}
					arrived(&s)
				}
			}()
			send := func(s *records.Sample) error { return w.Emit(ctx, s) }
			end := func() error { return errors.Join(w.Close(), <-done, x.Close(ctx)) }
			return send, end, nil
		}},
	}
}

// latency sends n records with a gap between them and returns how long each was on its way, in ascending order. The producer waits
// actively, so that it is not the timer that is measured.
func latency(ctx context.Context, r latencyRow, gap time.Duration, n int) ([]time.Duration, error) {
	took := make([]time.Duration, 0, n)
	begin := time.Now()
	send, end, err := r.start(func(s *records.Sample) { took = append(took, time.Since(begin)-time.Duration(s.Value)) })
	if err != nil {
		return nil, err
	}
	for i := range n {
		if ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), end())
		}
		for next := time.Duration(i) * gap; time.Since(begin) < next; {
		}
		if err := send(&records.Sample{ID: uint64(i), Value: int64(time.Since(begin))}); err != nil {
			return nil, errors.Join(err, end())
		}
	}
	if err := end(); err != nil {
		return nil, err
	}
	if len(took) != n {
		return nil, fmt.Errorf("%s: %d records arrived, want %d", r.name, len(took), n)
	}
	slices.Sort(took)
	return took, nil
}

// latencies prints the median and the 99th percentile of every row at every rate, medians of o.rounds runs that take turns.
func latencies(ctx context.Context, o options, w io.Writer) error {
	fmt.Fprintf(w, "%s\n\n", conditions(o))
	fmt.Fprintln(w, "Latency, median / 99th percentile in µs:\n\n| records a second | chan T | rwgen |\n|--:|--:|--:|")
	for _, gap := range latencyGaps {
		n := max(100, int(o.time/gap))
		p50, p99 := make([][]time.Duration, 2), make([][]time.Duration, 2)
		for range o.rounds {
			for i, r := range latencyRows() {
				l, err := latency(ctx, r, gap, n)
				if err != nil {
					return err
				}
				p50[i] = append(p50[i], l[len(l)/2])
				p99[i] = append(p99[i], l[len(l)*99/100])
			}
		}
		fmt.Fprintf(w, "| %d |", time.Second/gap)
		for i := range p50 {
			slices.Sort(p50[i])
			slices.Sort(p99[i])
			fmt.Fprintf(w, " %.0f / %.0f |", micros(p50[i][o.rounds/2]), micros(p99[i][o.rounds/2]))
		}
		fmt.Fprintln(w)
	}
	return nil
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
