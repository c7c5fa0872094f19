package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
)

// report prints the medians as three Markdown tables: throughput, ratios, processor time.
func report(w io.Writer, o options, results []result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, conditions(o))

	table(out, o, "Million records a second", func(c cell, r row) string {
		return fmt.Sprintf("%.3g", medianOf(results, c, r.name, measurement.millions))
	})
	table(out, o, "Ratio to chan T / to the best made by hand", func(c cell, r row) string {
		own := medianOf(results, c, r.name, measurement.millions)
		return ratio(own, medianOf(results, c, "chan T", measurement.millions)) + " / " + ratio(own, bestByHand(results, c))
	})
	if processTime() > 0 {
		table(out, o, "CPU seconds a million records, all cores", func(c cell, r row) string {
			return fmt.Sprintf("%.3f", medianOf(results, c, r.name, measurement.cpuPerMillion))
		})
	}
	return out.Flush()
}

// conditions says what was measured where.
func conditions(o options) string {
	return fmt.Sprintf("%s, GOMAXPROCS %d, %s %s/%s; medians of %d runs of about %v, rows taking turns; 16-byte records, one producer",
		processor(), runtime.GOMAXPROCS(0), runtime.Version(), runtime.GOOS, runtime.GOARCH, o.rounds, o.time)
}

// table prints a line for each row and a column for each cell.
func table(w io.Writer, o options, title string, entry func(cell, row) string) {
	fmt.Fprintf(w, "\n%s:\n\n|", title)
	for _, c := range o.cells {
		fmt.Fprintf(w, " | %s", c)
	}
	fmt.Fprintf(w, " |\n|---%s|\n", strings.Repeat("|--:", len(o.cells)))
	for _, r := range o.rows {
		fmt.Fprintf(w, "| %s", r.name)
		for _, c := range o.cells {
			fmt.Fprintf(w, " | %s", entry(c, r))
		}
		fmt.Fprintln(w, " |")
	}
}

// ratio is a/b, or a dash when the row of b was not measured.
func ratio(a, b float64) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", a/b)
}

// bestByHand is the throughput of the fastest hand-made row of a cell, 0 if none was measured.
func bestByHand(results []result, c cell) float64 {
	best := 0.0
	for _, r := range results {
		if r.cell == c && r.row.handMade {
			best = max(best, median(r.rounds, measurement.millions))
		}
	}
	return best
}

// medianOf is the median of a figure over the rounds of the named row in a cell, 0 if it was not measured.
func medianOf(results []result, c cell, name string, figure func(measurement) float64) float64 {
	for _, r := range results {
		if r.cell == c && r.row.name == name {
			return median(r.rounds, figure)
		}
	}
	return 0
}

// median of a figure; of an even number of measurements the mean of the middle two.
func median(rounds []measurement, figure func(measurement) float64) float64 {
	values := make([]float64, len(rounds))
	for i, m := range rounds {
		values[i] = figure(m)
	}
	slices.Sort(values)
	if n := len(values); n%2 == 0 {
		return (values[n/2-1] + values[n/2]) / 2
	}
	return values[len(values)/2]
}

// processor is the processor's name where the platform tells it, as Linux does, and its architecture elsewhere.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
