// Flights is the quickstart of rwgen: it reads 20,000 flights, sends each by a generated writer to the worker that owns its origin, and
// prints the busiest origins.
//
//	go generate ./examples/flights && go run ./examples/flights
//
// N sources parse the input and emit, M workers read and aggregate:
//
//	input ─ chunks of lines ─► source 0 ─┐ FlightByOriginWriter          FlightReader ┌─► worker 0 ─┐
//	                           source 1 ─┼──────────── exchange ──────────────────────┼─► worker 1 ─┼─► summary
//	                                     ┘ key=Origin                                 └─► worker 2 ─┘
//
// Without flags it uses its own copy of the data. Usage:
//
//	flights [-in FILE] [-producers N] [-consumers M] [-repeat N] [-memory BYTES] [-skip-bad]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// config is what the flags say.
type config struct {
	in        string
	producers int
	consumers int
	repeat    int
	memory    byteSize
	skipBad   bool
}

// run is main with everything it touches passed in. It returns the exit code: 0, 1 for a failure, 2 for wrong usage.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := config{memory: 64 << 20}
	fs := flag.NewFlagSet("flights", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&c.in, "in", "", "read `FILE`, a CSV with the header "+header+", plain or .gz; - for standard input (default: the embedded data)")
	fs.IntVar(&c.producers, "producers", 2, "number of sources that parse and emit")
	fs.IntVar(&c.consumers, "consumers", 4, "number of workers that read and aggregate")
	fs.IntVar(&c.repeat, "repeat", 1, "feed the input so many times")
	fs.Var(&c.memory, "memory", "`BYTES` for records on their way, for example 8388608 or 8MiB")
	fs.BoolVar(&c.skipBad, "skip-bad", false, "count and skip malformed rows instead of stopping")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if err := c.check(fs.Args()); err != nil {
		fmt.Fprintf(stderr, "flights: %v\n", err)
		return 2
	}
	start := time.Now()
	in, err := openInput(c.in, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "flights: %v\n", err)
		return 1
	}
	progress := newProgress(stderr)
	result, err := process(ctx, c, in, progress)
	progress.stop()
	if err != nil {
		fmt.Fprintf(stderr, "flights: %v\n", err)
		return 1
	}
	if err := report(stdout, c, result, time.Since(start)); err != nil {
		fmt.Fprintf(stderr, "flights: %v\n", err)
		return 1
	}
	return 0
}

func (c config) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q; files are named with -in", rest[0])
	case c.producers < 1 || c.consumers < 1 || c.repeat < 1:
		return errors.New("-producers, -consumers and -repeat must be at least 1")
	case c.in == "-" && c.repeat > 1:
		return errors.New("-repeat needs a file: standard input can be read only once")
	}
	return nil
}
