package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/rwgen/rwgen/runtime/memory"
)

// TestMain fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// try runs the program and returns what it printed.
func try(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(ctx, args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestProgram(t *testing.T) {
	for _, c := range []struct {
		args []string
		last string
	}{
		{nil, "total flights=50000 places=2999 departures=50000 arrivals=50000 delay=-8497 distance=64906898"},
		{[]string{"-memory", "1048576"}, "total flights=50000 places=2999 departures=50000 arrivals=50000 delay=-8497 distance=64906898"},
		{[]string{"-flights", "0"}, "total flights=0 places=0 departures=0 arrivals=0 delay=0 distance=0"},
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
	for _, c := range []struct {
		ctx  context.Context
		args []string
		code int
		says string
	}{
		{t.Context(), []string{"-h"}, 0, "-in-order"},
		{t.Context(), []string{"-no-such-flag"}, 2, "-no-such-flag"},
		{t.Context(), []string{"more"}, 2, "no other arguments"},
		{t.Context(), []string{"-flights", "-1"}, 2, "negative"},
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

// TestSeeds compares the graph with the plain loop for many data sets and numbers of instances, each with the least memory and on full blocks only.
func TestSeeds(t *testing.T) {
	seeds := 200
	if testing.Short() {
		seeds = 20
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			c := config{sources: 1 + random.IntN(3), departures: 1 + random.IntN(4), arrivals: 1 + random.IntN(4), joins: 1 + random.IntN(4), quiet: 10 * time.Second}
			flights := made(seed, random.IntN(10_000))
			got, err := process(t.Context(), c, flights)
			if err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			if want := plain(flights); !maps.Equal(got, want) {
				t.Errorf("%+v: %d places differ from %d", c, len(got), len(want))
			}
		})
	}
}

// TestInOrder checks that a join that reads one input before the other stops the program, which says so. Under synctest the second of quiet passes when everybody waits.
func TestInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := config{sources: 1, departures: 1, arrivals: 2, joins: 1, quiet: time.Second, inOrder: true}
		_, err := process(t.Context(), c, made(1, 20_000))
		if !errors.Is(err, errStuck) {
			t.Fatalf("got %v, want errStuck", err)
		}
		for _, want := range []string{"departures[0] waits for records of source→departures, from source[0]", "join[0]       waits for records of departures→join, from departures[0]", "circle: source[0] → arrivals["} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want it to say %q", err, want)
			}
		}
	})
}
