package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// conditions says what was measured where.
func conditions(o options) string {
	return fmt.Sprintf("%s, GOMAXPROCS %d, %s %s/%s; medians of %d runs of about %v, rows taking turns",
		processor(), runtime.GOMAXPROCS(0), runtime.Version(), runtime.GOOS, runtime.GOARCH, o.rounds, o.time)
}

// report prints the medians of one table as Markdown: a line for each row in each cell.
func report(w io.Writer, t table, columns []column) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "\n%s: %s (%d bytes each on average)\n\n", t.name, t.title, t.shape.Bytes)
	fmt.Fprint(out, "| cell | row | million records/s | to chan T | to the best by hand | CPU s/million |\n|---|---|--:|--:|--:|--:|\n")
	for _, c := range columns {
		single, best := c.reference()
		for _, s := range c.series {
			own, cpu := median(s.rounds, harness.Measurement.Millions), "–"
			if harness.ProcessTime() > 0 {
				cpu = fmt.Sprintf("%.3f", median(s.rounds, harness.Measurement.CPUPerMillion))
			}
			fmt.Fprintf(out, "| %s | %s | %.3g | %s | %s | %s |\n", c.cell, s.row.Name, own, ratio(own, single), ratio(own, best), cpu)
		}
	}
	return out.Flush()
}

// reference returns the throughput of chan T and of the fastest hand-made row, 0 if they were not measured.
func (c column) reference() (single, best float64) {
	for _, s := range c.series {
		if !s.row.HandMade {
			continue
		}
		own := median(s.rounds, harness.Measurement.Millions)
		best = max(best, own)
		if s.row.Name == "chan T" {
			single = own
		}
	}
	return single, best
}

// ratio is a/b, or a dash when b was not measured.
func ratio(a, b float64) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", a/b)
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
