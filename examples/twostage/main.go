// Twostage is a program of two keyed stages: it finds, for every day, the airport with the most departures and the one with the longest mean delay.
//
//	go generate ./examples/twostage && go run ./examples/twostage
//
// Flights are keyed by origin, so that one counter sees all flights of an airport and knows its sums exactly. These are keyed again, by day, so that one judge sees all airports of a day:
//
//	source ─ Flight, key=Origin ─► count ─ Summary, key=Day ─► judge
//
// The flights are made up from a seed, or read from a file like that of examples/flights. At the end the result is compared with what a plain loop over all flights computes.
//
// Usage:
//
//	twostage [-in FILE] [-flights N] [-seed S] [-sources N] [-counters N] [-judges N] [-memory BYTES]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// config is what the flags say.
type config struct {
	sources, counters, judges int
	memory                    int64
}

// run is main with everything it touches passed in. It returns the exit code: 0, 1 for a failure, 2 for wrong usage.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c config
	fs := flag.NewFlagSet("twostage", flag.ContinueOnError)
	fs.SetOutput(stderr)
	in := fs.String("in", "", "read `FILE`, a gzipped CSV with the columns of examples/flights (default: make flights up)")
	count := fs.Int("flights", 50_000, "number of flights to make up")
	seed := fs.Uint64("seed", 1, "seed of the flights: the same seed, the same flights")
	fs.IntVar(&c.sources, "sources", 2, "number of instances that emit flights")
	fs.IntVar(&c.counters, "counters", 4, "number of instances that count by origin")
	fs.IntVar(&c.judges, "judges", 2, "number of instances that compare by day")
	fs.Int64Var(&c.memory, "memory", 8<<20, "`BYTES` for records on their way")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if fs.NArg() > 0 || *count < 0 {
		fmt.Fprintln(stderr, "twostage: -flights must not be negative, and there are no other arguments")
		return 2
	}
	if err := compare(ctx, c, *in, *count, *seed, stdout); err != nil {
		fmt.Fprintf(stderr, "twostage: %v\n", err)
		return 1
	}
	return 0
}

// compare runs the program and the plain loop over the same flights, and prints the result if they agree.
func compare(ctx context.Context, c config, in string, count int, seed uint64, stdout io.Writer) error {
	flights := made(seed, count)
	if in != "" {
		var err error
		if flights, err = read(in); err != nil {
			return err
		}
	}
	got, err := process(ctx, c, flights)
	if err != nil {
		return err
	}
	if want := plain(flights); !slices.Equal(got, want) {
		return fmt.Errorf("%d days differ from the %d of a plain loop", len(got), len(want))
	}
	return report(stdout, len(flights), got)
}
