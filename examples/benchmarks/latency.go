package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/examples/benchmarks/records/sample"
)

// latencyGaps are the times between two records at 10,000, 100,000 and 500,000 records a second.
var latencyGaps = [...]time.Duration{100 * time.Microsecond, 10 * time.Microsecond, 2 * time.Microsecond}

// latency sends n records with a gap between them and returns how long each was on its way, in ascending order. The producer waits
// actively, so that it is not the timer that is measured.
func latency(ctx context.Context, p policy, gap time.Duration, n int) ([]time.Duration, error) {
	took := make([]time.Duration, 0, n)
	var ids harness.Tally
	begin := time.Now()
	send, end, err := p.start(func(r *sample.Record) {
		took = append(took, time.Since(begin)-time.Duration(r.Value))
		ids.Add(r.ID)
	})
	if err != nil {
		return nil, err
	}
	for i := range n {
		if ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), end())
		}
		for next := time.Duration(i) * gap; time.Since(begin) < next; {
		}
		if err := send(&sample.Record{ID: uint64(i), Value: int64(time.Since(begin))}); err != nil {
			return nil, errors.Join(err, end())
		}
	}
	if err := end(); err != nil {
		return nil, err
	}
	if want := (harness.Tally{Count: uint64(n), Sum: harness.Numbers(uint64(n))}); ids != want {
		return nil, fmt.Errorf("%s: %d records with sum %d arrived, want %d with sum %d", p.name, ids.Count, ids.Sum, want.Count, want.Sum)
	}
	slices.Sort(took)
	return took, nil
}

// latencies prints the median and the 99th percentile of every policy at every rate, medians of o.rounds runs that take turns, and
// the throughput that the policy keeps.
func latencies(ctx context.Context, o options, w, progress io.Writer) error {
	type figures struct{ p50, p99 [len(latencyGaps)][]float64 }
	all := make([]figures, len(o.policies))
	for at, gap := range latencyGaps {
		fmt.Fprintf(progress, "%d records/s: ", time.Second/gap)
		for range o.rounds {
			for i, p := range o.policies {
				took, err := latency(ctx, p, gap, max(100, int(o.time/gap)))
				if err != nil {
					return err
				}
				all[i].p50[at] = append(all[i].p50[at], micros(took[len(took)/2]))
				all[i].p99[at] = append(all[i].p99[at], micros(took[len(took)*99/100]))
			}
			fmt.Fprint(progress, ".")
		}
		fmt.Fprintln(progress)
	}

	full := harness.Cell{Partitions: 4}
	fmt.Fprintf(progress, "full speed, %s: ", full)
	speeds := make([]series, len(o.policies))
	single, blocks := 0.0, 0.0
	for i, p := range o.policies {
		speeds[i].row = p.full
	}
	if err := measure(ctx, o, sample.Shape(), full, speeds, progress); err != nil {
		return err
	}
	fmt.Fprintln(progress)
	for i, p := range o.policies {
		switch own := median(speeds[i].rounds, harness.Measurement.Millions); p.name {
		case "chan T":
			single = own
		case onFull:
			blocks = own
		}
	}

	fmt.Fprint(w, "\nLatency of records of 16 bytes to one consumer, median / 99th percentile in µs, and million records/s at P=4:\n\n|")
	for _, gap := range latencyGaps {
		fmt.Fprintf(w, " | %d/s", time.Second/gap)
	}
	fmt.Fprint(w, " | at full speed | to chan T | to full blocks |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for i, p := range o.policies {
		fmt.Fprintf(w, "| %s", p.name)
		for at := range latencyGaps {
			fmt.Fprintf(w, " | %.0f / %.0f", middle(all[i].p50[at]), middle(all[i].p99[at]))
		}
		own := median(speeds[i].rounds, harness.Measurement.Millions)
		fmt.Fprintf(w, " | %.3g | %s | %s |\n", own, ratio(own, single), ratio(own, blocks))
	}
	return nil
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
