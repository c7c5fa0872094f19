package main

import (
	"context"
	"fmt"
	"io"
	"time"
)

// A result is what the rounds of one row in one cell measured.
type result struct {
	cell   cell
	row    row
	rounds []measurement
}

// compare measures every row in every cell. The rows of a cell take turns round by round, each round starting with another row, so that
// what else the machine does meets all of them alike. It stops between two runs when ctx ends.
func compare(ctx context.Context, o options, progress io.Writer) ([]result, error) {
	var results []result
	for _, c := range o.cells {
		fmt.Fprintf(progress, "%s: ", c)
		first := len(results)
		counts := make([]uint64, len(o.rows))
		for i, r := range o.rows {
			n, err := calibrate(ctx, r, c, o.time)
			if err != nil {
				return nil, err
			}
			counts[i] = n
			results = append(results, result{cell: c, row: r})
		}
		for round := range o.rounds {
			for turn := range o.rows {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				i := (round + turn) % len(o.rows)
				m, err := measure(o.rows[i], c, counts[i])
				if err != nil {
					return nil, err
				}
				results[first+i].rounds = append(results[first+i].rounds, m)
			}
			fmt.Fprint(progress, ".")
		}
		fmt.Fprintln(progress)
	}
	return results, nil
}

// calibrate returns the number of records that a run of about the given duration moves.
func calibrate(ctx context.Context, r row, c cell, aim time.Duration) (uint64, error) {
	n := uint64(100_000)
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		m, err := measure(r, c, n)
		if err != nil {
			return 0, err
		}
		// A run of a fifth of the aim says enough about the speed; a shorter one is mostly its start.
		grow := 8.0
		if m.wall > 0 {
			grow = min(grow, aim.Seconds()/m.wall.Seconds())
		}
		if m.wall >= aim/5 {
			return max(uint64(float64(n)*grow), 1), nil
		}
		n = max(uint64(float64(n)*grow), n+1)
	}
}
