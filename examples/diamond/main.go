// Diamond is a program whose stages part and meet again: it joins what leaves an airport on a day with what arrives there.
//
//	go generate ./examples/diamond && go run ./examples/diamond
//
// Every flight is written to two edges, and comes to the same airports on two ways:
//
//	        ┌─ Flight, key=Origin ──────► departures ─ Departure, key=Airport ─┐
//	source ─┤                                                                  ├─► join
//	        └─ Flight, key=Destination ─► arrivals ─── Arrival, key=Airport ───┘
//
// This is the shape in which programs stop for ever: if join wanted all departures before the first arrival, arrivals would fill the memory of their edges, source would wait for room
// there, and no departure would come any more. Here join reads from whichever input is ready, and the program runs with the least memory that the graph can be given and with writers that
// hand over full blocks only. With -in-order join reads one input before the other; the program stops, says who waits for whom, and fails.
//
// At the end the result is compared with what a plain loop over all flights computes.
//
// Usage:
//
//	diamond [-flights N] [-seed S] [-memory BYTES] [-in-order]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main with everything it touches passed in. It returns the exit code: 0, 1 for a failure, 2 for wrong usage.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c := config{sources: 2, departures: 2, arrivals: 3, joins: 2, quiet: time.Second}
	fs := flag.NewFlagSet("diamond", flag.ContinueOnError)
	fs.SetOutput(stderr)
	count := fs.Int("flights", 50_000, "number of flights to make up")
	seed := fs.Uint64("seed", 1, "seed of the flights: the same seed, the same flights")
	fs.Int64Var(&c.memory, "memory", 0, "`BYTES` for records on their way (default: the least that is accepted)")
	fs.BoolVar(&c.inOrder, "in-order", false, "read all departures before the first arrival")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if fs.NArg() > 0 || *count < 0 {
		fmt.Fprintln(stderr, "diamond: -flights must not be negative, and there are no other arguments")
		return 2
	}
	flights := made(*seed, *count)
	got, err := process(ctx, c, flights)
	if err != nil {
		fmt.Fprintf(stderr, "diamond: %v\n", err)
		return 1
	}
	if want := plain(flights); !maps.Equal(got, want) {
		fmt.Fprintf(stderr, "diamond: %d days at airports differ from the %d of a plain loop\n", len(got), len(want))
		return 1
	}
	if err := report(stdout, len(flights), got); err != nil {
		fmt.Fprintf(stderr, "diamond: %v\n", err)
		return 1
	}
	return 0
}
