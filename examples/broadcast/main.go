// Broadcast judges wildlife strikes by rules that change while the strikes come in: the rules go to all workers, the strikes to the one that has their airport.
//
//	go generate ./examples/broadcast && go run ./examples/broadcast
//
// A worker has two inputs, of different record types:
//
//	rules ──── broadcast, event time From ──┐
//	                                        ├─► worker: strikes are held until the rules of their day are complete
//	strikes ── keyed by airport ────────────┘
//
// It reads from whichever has something (gate.Select). What comes first is a matter of chance, but the result is not: the writer of the rules sends watermarks, which follow from its directive
//
//	//rwgen:writer ToAll broadcast eventtime=From
//
// and a worker judges a strike when the watermark of the rules has reached its day. The program compares every verdict with that of a plain loop over the data.
//
// Usage:
//
//	broadcast [-sources N] [-workers M] [-held K]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main with everything it touches passed in. It returns the exit code: 0, 1 for a failure, 2 for wrong usage.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("broadcast", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var c config
	fs.IntVar(&c.sources, "sources", 2, "number of sources of strikes")
	fs.IntVar(&c.workers, "workers", 4, "number of workers")
	fs.IntVar(&c.held, "held", 256, "number of strikes that a worker may hold until it knows the rules")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if fs.NArg() > 0 || c.sources < 1 || c.workers < 1 || c.held < 1 {
		fmt.Fprintln(stderr, "broadcast: -sources, -workers and -held must be at least 1, and there are no other arguments")
		return 2
	}
	if err := c.judge(ctx, stdout); err != nil {
		fmt.Fprintf(stderr, "broadcast: %v\n", err)
		return 1
	}
	return 0
}

// judge runs the example, checks its result and prints it.
func (c *config) judge(ctx context.Context, stdout io.Writer) (err error) {
	if c.strikes, err = strikes(); err != nil {
		return err
	}
	// The first strikes are from before the first rule.
	c.rules = rulesOf(c.strikes[0].Date.Year()+1, c.strikes[len(c.strikes)-1].Date.Year())
	workers, err := process(ctx, *c)
	if err != nil {
		return err
	}
	if err := check(*c, workers); err != nil {
		return err
	}
	return report(stdout, *c, workers)
}
