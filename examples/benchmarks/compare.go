package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// A series is what the rounds of one row in one cell measured.
type series struct {
	row    harness.Row
	rounds []harness.Measurement
}

// A column is one cell of a table with the series of its rows.
type column struct {
	cell   harness.Cell
	series []series
}

// compare measures every row of a table in every cell. The rows of a cell take turns round by round, each round starting with another row,
// so that what else the machine does meets all of them alike. It stops between two runs when ctx ends.
func compare(ctx context.Context, o options, t table, progress io.Writer) ([]column, error) {
	var columns []column
	for _, c := range t.cells {
		fmt.Fprintf(progress, "%s %s: ", t.name, c)
		all := make([]series, len(t.shape.Rows))
		for i, r := range t.shape.Rows {
			all[i].row = r
		}
		if err := measure(ctx, o, t.shape, c, all, progress); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		fmt.Fprintln(progress)
		columns = append(columns, column{c, all})
	}
	return columns, nil
}

// measure adds o.rounds measurements to each of the series.
func measure(ctx context.Context, o options, s harness.Shape, c harness.Cell, all []series, progress io.Writer) error {
	counts := make([]uint64, len(all))
	for i, one := range all {
		n, err := calibrate(ctx, s, one.row, c, o.time)
		if err != nil {
			return err
		}
		counts[i] = n
	}
	for round := range o.rounds {
		for turn := range all {
			if err := ctx.Err(); err != nil {
				return err
			}
			i := (round + turn) % len(all)
			m, err := harness.Measure(s, all[i].row, c, counts[i])
			if err != nil {
				return err
			}
			all[i].rounds = append(all[i].rounds, m)
		}
		fmt.Fprint(progress, ".")
	}
	return nil
}

// calibrate returns the number of records that a run of about the given duration moves.
func calibrate(ctx context.Context, s harness.Shape, r harness.Row, c harness.Cell, aim time.Duration) (uint64, error) {
	n := uint64(20_000)
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		m, err := harness.Measure(s, r, c, n)
		if err != nil {
			return 0, err
		}
		// A run of a fifth of the aim says enough about the speed; a shorter one is mostly its start.
		grow := 8.0
		if m.Wall > 0 {
			grow = min(grow, aim.Seconds()/m.Wall.Seconds())
		}
		if m.Wall >= aim/5 {
			return max(uint64(float64(n)*grow), 1), nil
		}
		n = max(uint64(float64(n)*grow), n+1)
	}
}

// median of a figure, 0 without measurements; of an even number of measurements the mean of the middle two.
func median(rounds []harness.Measurement, figure func(harness.Measurement) float64) float64 {
	values := make([]float64, len(rounds))
	for i, m := range rounds {
		values[i] = figure(m)
	}
	return middle(values)
}

// middle is the median of values, which it sorts; 0 if there are none.
func middle(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	slices.Sort(values)
	if n%2 == 0 {
		return (values[n/2-1] + values[n/2]) / 2
	}
	return values[n/2]
}
