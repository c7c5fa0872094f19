package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/rwgen/rwgen/runtime/memory"
)

// TestMain fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// data is the file of examples/flights.
const data = "../flights/data/flights-20k.csv.gz"

// try runs the program and returns what it printed.
func try(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(ctx, args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestProgram(t *testing.T) {
	const madeUp, real = "total flights=50000 days=90 airports-by-day=12671 delay=340944", "total flights=20000 days=90 airports-by-day=6901 delay=154078"
	for _, c := range []struct {
		args []string
		last string
	}{
		{nil, madeUp},
		{[]string{"-sources", "1", "-counters", "1", "-judges", "1"}, madeUp},
		{[]string{"-sources", "3", "-counters", "7", "-judges", "5", "-memory", "262144"}, madeUp},
		{[]string{"-in", data}, real},
		{[]string{"-flights", "0"}, "total flights=0 days=0 airports-by-day=0 delay=0"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			code, out, errs := try(t.Context(), c.args...)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if code != 0 || errs != "" || lines[len(lines)-1] != c.last {
				t.Errorf("exit code %d, stderr %q, last line %q, want %q", code, errs, lines[len(lines)-1], c.last)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	plainText := filepath.Join(t.TempDir(), "flights.csv")
	if err := os.WriteFile(plainText, []byte("date,delay\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ctx  context.Context
		args []string
		code int
		says string
	}{
		{t.Context(), []string{"-h"}, 0, "-counters"},
		{t.Context(), []string{"-no-such-flag"}, 2, "-no-such-flag"},
		{t.Context(), []string{"more"}, 2, "no other arguments"},
		{t.Context(), []string{"-in", "no-such-file"}, 1, "no-such-file"},
		{t.Context(), []string{"-in", plainText}, 1, "gzip"},
		{t.Context(), []string{"-judges", "0"}, 1, `"judge" has 0 instances`},
		{t.Context(), []string{"-memory", "1000"}, 1, memory.ErrInsufficient.Error()},
		{canceled, nil, 1, "context canceled"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			if code, _, errs := try(c.ctx, c.args...); code != c.code || !strings.Contains(errs, c.says) {
				t.Errorf("exit code %d, stderr %q; want %d and %q", code, errs, c.code, c.says)
			}
		})
	}
}

// TestSeeds compares the graph with the plain loop for many data sets and numbers of instances.
func TestSeeds(t *testing.T) {
	seeds := 200
	if testing.Short() {
		seeds = 20
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			c := config{sources: 1 + random.IntN(3), counters: 1 + random.IntN(5), judges: 1 + random.IntN(4), memory: 64 << 10}
			flights := made(seed, random.IntN(10_000))
			got, err := process(t.Context(), c, flights)
			if err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			if want := plain(flights); !slices.Equal(got, want) {
				t.Errorf("%+v: %d days differ from %d", c, len(got), len(want))
			}
		})
	}
}
