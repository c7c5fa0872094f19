// Edges is a task with three output edges over one budget of memory: it screens a day of card payments, and does not wait for the slowest of its consumers.
//
//	go generate ./examples/edges && go run ./examples/edges
//
// One goroutine writes to three exchanges, which share a memory.Pool. Each edge has its own number of consumers, selector and flush policy:
//
//	                    ┌─ balances ─ keyed by card, blocks as their readers are idle ──► 4 workers   every payment, EmitBatch; the limit of the hour, Broadcast
//	payments ─► screen ─┼─ audit ──── to the less loaded, blocks when they are full ────► 2 auditors  every payment for which there is room, TryEmit; the others: spill
//	                    └─ alerts ─── to all, every record at once ─────────────────────► 3 desks     payments above the limit, Emit
//
// Auditors are slow. When TryEmit finds no room, the payment is diverted: it is counted and appended to a file, the spill, and so are those after it until Ready says that it
// is worth trying again. The other edges go on at their own pace, because each exchange is guaranteed a part of the budget.
//
// At the end the program checks that every payment has arrived exactly once at each edge, or stands in the spill; and prints what each edge has carried, what the budget was
// used for, and why an exchange that would not have fitted into it was refused.
//
// Usage:
//
//	edges [-payments N] [-seed S] [-memory BYTES]
package main

import (
	"bufio"
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
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main with everything it touches passed in. It returns the exit code: 0, 1 for a failure, 2 for wrong usage.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("edges", flag.ContinueOnError)
	fs.SetOutput(stderr)
	payments := fs.Int("payments", 24_000, "number of payments in the day")
	seed := fs.Uint64("seed", 1, "seed of the data: the same seed, the same day")
	memory := fs.Int64("memory", 1<<20, "`BYTES` for records on their way, on all edges together")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if fs.NArg() > 0 || *payments < 0 {
		fmt.Fprintln(stderr, "edges: -payments must not be negative, and there are no other arguments")
		return 2
	}
	if err := day(ctx, *payments, *seed, *memory, stdout); err != nil {
		fmt.Fprintf(stderr, "edges: %v\n", err)
		return 1
	}
	return 0
}

// day processes one day with a spill in a temporary file, and prints what came of it.
func day(ctx context.Context, payments int, seed uint64, memory int64, stdout io.Writer) error {
	file, err := os.CreateTemp("", "edges-spill-*")
	if err != nil {
		return err
	}
	defer func() {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}()
	buffered := bufio.NewWriter(file)
	r, err := process(ctx, config{memory: memory, hours: hours(seed, payments), spill: buffered, audit: slowly})
	if err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	spilled, err := readSpill(file)
	if err != nil {
		return err
	}
	if err := r.check(spilled); err != nil {
		return err
	}
	return r.print(stdout)
}

// slowly is an auditor who needs a millisecond for 64 payments. A task on three edges is a good deal faster.
func slowly(ctx context.Context, p *Entry) error {
	if p.ID%64 != 0 {
		return nil
	}
	select {
	case <-time.After(time.Millisecond):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
