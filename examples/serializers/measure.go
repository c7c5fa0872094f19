package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
)

// An operation is one of the loops of a row.
type operation int

const (
	marshal operation = iota
	unmarshal
	roundTrip
	operations int = iota
)

// String is the head of the operation's column.
func (o operation) String() string { return [...]string{"marshal", "unmarshal", "round trip"}[o] }

// run does the operation n times.
func (o operation) run(l harness.Loops, n int) (err error) {
	switch o {
	case marshal:
		_, err = l.MarshalAll(n)
	case unmarshal:
		err = l.UnmarshalAll(n)
	case roundTrip:
		err = l.RoundTrips(n)
	}
	return err
}

// A result is what one row took.
type result struct {
	row
	nanos [operations]float64 // of one record, the median of all rounds or the best
}

// measure measures all rows of a table. In each operation rows take turns, round by round, each round starting with another row, so that what
// else the machine does meets all of them alike. It stops between two runs when ctx ends.
func measure(ctx context.Context, o options, t table, progress io.Writer) ([]result, error) {
	results := make([]result, len(t.rows))
	for i, r := range t.rows {
		results[i].row = r
	}
	for op := range operation(operations) {
		fmt.Fprintf(progress, "%s %s: ", t.name, op)
		if err := compare(ctx, o, op, results, progress); err != nil {
			return nil, fmt.Errorf("%s %s: %w", t.name, op, err)
		}
		fmt.Fprintln(progress)
	}
	return results, nil
}

// compare measures one operation of all rows.
func compare(ctx context.Context, o options, op operation, results []result, progress io.Writer) error {
	counts := make([]int, len(results))
	for i := range results {
		n, err := calibrate(ctx, op, results[i].loops, o.time)
		if err != nil {
			return fmt.Errorf("%s: %w", results[i].name, err)
		}
		counts[i] = n
	}
	rounds := make([][]float64, len(results))
	for round := range o.rounds {
		for turn := range results {
			if err := ctx.Err(); err != nil {
				return err
			}
			i := (round + turn) % len(results)
			runtime.GC() // garbage of the row before would otherwise be collected on this row's account
			start := o.clock()
			if err := op.run(results[i].loops, counts[i]); err != nil {
				return fmt.Errorf("%s: %w", results[i].name, err)
			}
			rounds[i] = append(rounds[i], float64((o.clock()-start).Nanoseconds())/float64(counts[i]))
		}
		fmt.Fprint(progress, ".")
	}
	for i := range results {
		results[i].nanos[op] = o.figure(rounds[i])
	}
	return nil
}

// calibrate returns the number of records, a multiple of all, that take about the given time.
func calibrate(ctx context.Context, op operation, l harness.Loops, aim time.Duration) (int, error) {
	n := harness.Records
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		start := time.Now()
		if err := op.run(l, n); err != nil {
			return 0, err
		}
		took := time.Since(start)
		if took >= aim/5 {
			all := float64(n) / harness.Records * aim.Seconds() / took.Seconds()
			return max(int(all), 1) * harness.Records, nil
		}
		n *= 4
	}
}

// clock is the time that is measured.
func (o options) clock() time.Duration {
	if o.cpu {
		return processTime()
	}
	return time.Since(o.start)
}

// figure is what the tables show of all rounds.
func (o options) figure(rounds []float64) float64 {
	if o.best {
		return slices.Min(rounds)
	}
	return median(rounds)
}

// median sorts the values, of which there is at least one.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
