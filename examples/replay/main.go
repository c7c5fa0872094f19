// Replay records what the sources of an edge have sent, and runs the consumers again from the files: over everything, and from the middle.
//
//	go generate ./examples/replay && go run ./examples/replay
//
// In the first run a tee stands between each source and the exchange:
//
//	source 0 ─ FlightByOriginWriter ─ tee ─┐              ┌─► worker 0 ─┐
//	                                   └ file: flights-0  ├─► worker 1 ─┼─► totals by origin
//	source 1 ─ FlightByOriginWriter ─ tee ─┤   exchange   └─► worker 2 ─┘
//	                                   └ file: flights-1
//
// In the second run the files stand for the sources, and the same workers get the same totals. In the third one a worker has stopped in the middle: it has read the first half of what was sent to it, here from the files
// themselves, has kept its totals and how far it had read, and goes on from there. The program fails if the totals of the three runs differ.
//
// Usage:
//
//	replay [-flights N] [-seed S] [-dir DIR]
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

// config is what the flags say.
type config struct {
	flights int // of each source
	seed    uint64
	dir     string
}

// run is main with everything it touches passed in. It returns the exit code: 0, 1 for a failure, 2 for wrong usage.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c config
	fs := flag.NewFlagSet("replay", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&c.flights, "flights", 10_000, "number of flights of each of the two sources")
	fs.Uint64Var(&c.seed, "seed", 1, "seed of the data: the same seed, the same flights")
	fs.StringVar(&c.dir, "dir", "", "keep the tapes in `DIR` (default: a directory that is removed at the end)")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if fs.NArg() > 0 || c.flights < 0 {
		fmt.Fprintln(stderr, "replay: -flights must not be negative, and there are no other arguments")
		return 2
	}
	if err := threeRuns(ctx, c, stdout); err != nil {
		fmt.Fprintf(stderr, "replay: %v\n", err)
		return 1
	}
	return 0
}

// threeRuns is the program with a directory for the tapes.
func threeRuns(ctx context.Context, c config, stdout io.Writer) (err error) {
	if c.dir == "" {
		if c.dir, err = os.MkdirTemp("", "replay-*"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(c.dir)) }()
	}
	first, err := record(ctx, c)
	if err != nil {
		return fmt.Errorf("first run: %w", err)
	}
	tapes, err := openTapes(c.dir)
	if err != nil {
		return err
	}
	defer func() {
		for _, t := range tapes {
			err = errors.Join(err, t.Close())
		}
	}()
	again, err := replay(ctx, tapes, nil, newTotals())
	if err != nil {
		return fmt.Errorf("second run: %w", err)
	}
	half, places, err := firstHalf(ctx, tapes)
	if err != nil {
		return fmt.Errorf("first half: %w", err)
	}
	kept := half.sum()
	resumed, err := replay(ctx, tapes, places, half)
	if err != nil {
		return fmt.Errorf("third run: %w", err)
	}
	for _, t := range []struct {
		run    string
		totals totals
	}{{"second", again}, {"third", resumed}} {
		if err := first.equal(t.totals); err != nil {
			return fmt.Errorf("the %s run is not like the first: %w", t.run, err)
		}
	}
	var bytes int64
	for _, t := range tapes {
		bytes += t.Size()
	}
	_, err = fmt.Fprintf(stdout, "taped     %v, %d bytes in %d files\nreplayed  %v\nresumed   %v, after %d flights\ntotal %v origins=%d\n",
		first.sum(), bytes, len(tapes), again.sum(), resumed.sum(), kept.flights, first.sum(), len(first))
	return err
}
