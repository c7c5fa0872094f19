package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestCommandPrintsOneTableEach(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"-rounds", "2", "-time", "1ms", "-cells", "P=1$|P=4", "-rows", "floor|chan T"}
	if code := mainCode(t.Context(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	shape := strings.Join([]string{
		`.+, GOMAXPROCS \d+, go\S+ \w+/\w+; medians of 2 runs of about 1ms, rows taking turns; 16-byte records, one producer`,
		``,
		`Million records a second:`,
		``,
		`\| \| P=1 \| P=4 \|`,
		`\|---\|--:\|--:\|`,
		`\| floor \| \S+ \| \S+ \|`,
		`\| chan T \| \S+ \| \S+ \|`,
		``,
		`Ratio to chan T / to the best made by hand:`,
		``,
		`\| \| P=1 \| P=4 \|`,
		`\|---\|--:\|--:\|`,
		`\| floor \| \S+ / \S+ \| \S+ / \S+ \|`,
		`\| chan T \| 1\.00 / 1\.00 \| 1\.00 / 1\.00 \|`,
		``,
	}, "\n")
	if got := stdout.String(); !regexp.MustCompile("^" + shape).MatchString(got) {
		t.Errorf("output does not match the expected shape:\n%s", got)
	}
}

func TestCommandRefusesBadArguments(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-rounds", "0"}, "-rounds 0 is less than 1"},
		{[]string{"-time", "-1s"}, "-time -1s is not positive"},
		{[]string{"-cells", "P=5"}, `-cells: "P=5" matches none of the 6 names`},
		{[]string{"-rows", "("}, "-rows: error parsing regexp"},
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

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		walls []time.Duration
		want  float64
	}{
		{[]time.Duration{3, 1, 2}, 2},
		{[]time.Duration{4, 1, 3, 2}, 2.5},
		{[]time.Duration{7}, 7},
	} {
		var rounds []measurement
		for _, w := range tt.walls {
			rounds = append(rounds, measurement{wall: w})
		}
		if got := median(rounds, func(m measurement) float64 { return float64(m.wall) }); got != tt.want {
			t.Errorf("median of %v = %v, want %v", tt.walls, got, tt.want)
		}
	}
}

// TestLatency checks that the table of latencies has a row for each rate.
func TestLatency(t *testing.T) {
	var out, errs strings.Builder
	if code := mainCode(t.Context(), []string{"-latency", "-rounds", "1", "-time", "5ms"}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	rows := regexp.MustCompile(`(?m)^\| \d+ \| \d+ / \d+ \| \d+ / \d+ \|$`).FindAllString(out.String(), -1)
	if len(rows) != len(latencyGaps) {
		t.Errorf("%d rows, want %d:\n%s", len(rows), len(latencyGaps), out.String())
	}
}
