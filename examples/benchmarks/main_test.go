package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

func TestCommandPrintsOneTableEach(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"-rounds", "2", "-time", "1ms", "-shapes", "16B$|100B$", "-cells", "P=1$|P=4", "-rows", "floor|chan T"}
	if code := mainCode(t.Context(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	head := []string{
		`\| cell \| row \| million records/s \| to chan T \| to the best by hand \| CPU s/million \|`,
		`\|---\|---\|--:\|--:\|--:\|--:\|`,
	}
	lines := []string{
		`\| P=1 \| floor \| \S+ \| \S+ \| \S+ \| \S+ \|`,
		`\| P=1 \| chan T \| \S+ \| 1\.00 \| 1\.00 \| \S+ \|`,
		`\| P=4 \| floor \| \S+ \| \S+ \| \S+ \| \S+ \|`,
		`\| P=4 \| chan T \| \S+ \| 1\.00 \| 1\.00 \| \S+ \|`,
	}
	shape := []string{`.+, GOMAXPROCS \d+, go\S+ \w+/\w+; medians of 2 runs of about 1ms, rows taking turns`}
	for _, title := range []string{`16B: .+ \(16 bytes each on average\)`, `100B: .+ \(100 bytes each on average\)`} {
		shape = append(append(append(shape, "", title, ""), head...), lines...)
	}
	if got := stdout.String(); !regexp.MustCompile("^" + strings.Join(shape, "\n") + "\n$").MatchString(got) {
		t.Errorf("output does not match the expected shape:\n%s", got)
	}
	for _, cell := range []string{"16B P=1: ..\n", "16B P=4: ..\n", "100B P=1: ..\n", "100B P=4: ..\n"} {
		if !strings.Contains(stderr.String(), cell) {
			t.Errorf("progress lacks %q:\n%s", cell, &stderr)
		}
	}
}

func TestCommandRefusesBadArguments(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-rounds", "0"}, "-rounds 0 is less than 1"},
		{[]string{"-time", "-1s"}, "-time -1s is not positive"},
		{[]string{"-time", "0"}, "-time 0s is not positive"},
		{[]string{"-shapes", "17B"}, `-shapes: "17B" matches none of the 9 names`},
		{[]string{"-shapes", "16B$", "-cells", "P=5"}, `-cells: "P=5" matches none of the 6 names`},
		{[]string{"-rows", "("}, "-rows: error parsing regexp"},
		{[]string{"-latency", "-rows", "floor"}, `-rows: "floor" matches none of the 6 names`},
		{[]string{"-latency", "-shapes", "order"}, "-latency has rows, but no -shapes"},
		{[]string{"-tls"}, "-tls is for -tcp only"},
		{[]string{"-tcp", "-cells", "P=1$"}, `-cells: "P=1$" matches none of the 6 names`},
		{[]string{"-tcp", "-latency", "-rows", "chan T"}, `-rows: "chan T" matches none of the 5 names`},
		{[]string{"extra"}, `unexpected argument "extra"`},
		{[]string{"-nope"}, "-nope"},
	} {
		var stdout, stderr bytes.Buffer
		code := mainCode(t.Context(), tt.args, &stdout, &stderr)
		if code != 2 || stdout.Len() > 0 || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q; want 2, nothing, %q", tt.args, code, &stdout, &stderr, tt.want)
		}
	}
}

// TestChoose checks that a pattern of cells leaves out the tables that have no such cell.
func TestChoose(t *testing.T) {
	for _, tt := range []struct{ shapes, cells, want string }{
		{"", "", "16B 100B 100B-view 1KiB flight order 16B-skew 16B-broadcast 16B-fanin"},
		{"", "P=4$", "16B 100B 100B-view 1KiB flight order"},
		{"", "W=4", "16B-fanin"},
		{"16B", "shared", "16B 16B-skew 16B-broadcast"},
	} {
		some, err := choose(tables(), tt.shapes, tt.cells, "")
		var names []string
		for _, tab := range some {
			names = append(names, tab.name)
		}
		if got := strings.Join(names, " "); err != nil || got != tt.want {
			t.Errorf("-shapes %q -cells %q: %s, %v; want %s", tt.shapes, tt.cells, got, err, tt.want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		walls []time.Duration
		want  float64
	}{
		{nil, 0},
		{[]time.Duration{3, 1, 2}, 2},
		{[]time.Duration{4, 1, 3, 2}, 2.5},
		{[]time.Duration{7}, 7},
	} {
		var rounds []harness.Measurement
		for _, w := range tt.walls {
			rounds = append(rounds, harness.Measurement{Wall: w})
		}
		if got := median(rounds, func(m harness.Measurement) float64 { return float64(m.Wall) }); got != tt.want {
			t.Errorf("median of %v = %v, want %v", tt.walls, got, tt.want)
		}
	}
}

// TestLatency checks that the table of latencies has a row for each policy, with a figure for each rate.
func TestLatency(t *testing.T) {
	var out, errs strings.Builder
	if code := mainCode(t.Context(), []string{"-latency", "-rounds", "1", "-time", "5ms"}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	for _, p := range policies() {
		line := `(?m)^\| ` + regexp.QuoteMeta(p.name) + ` \| \d+ / \d+ \| \d+ / \d+ \| \d+ / \d+ \| \S+ \| \d+\.\d+ \| \d+\.\d+ \|$`
		if !regexp.MustCompile(line).MatchString(out.String()) {
			t.Errorf("no line for %s:\n%s", p.name, out.String())
		}
	}
}
