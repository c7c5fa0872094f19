package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(mainCode(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// mainCode is the command with its surroundings passed in; it returns the exit code.
func mainCode(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	if o.latency {
		err = latencies(ctx, o, stdout)
	} else {
		var results []result
		if results, err = compare(ctx, o, stderr); err == nil {
			err = report(stdout, o, results)
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
		return 1
	}
	return 0
}

// options are the flags.
type options struct {
	latency bool          // measure latency instead of throughput
	rounds  int           // measured rounds of every row in every cell, at least 1
	time    time.Duration // aim for one run
	cells   []cell
	rows    []row
}

// parse reads the flags and says on stderr what is wrong with them.
func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&o.latency, "latency", false, "measure how long single records take at low rates, instead of throughput")
	flags.IntVar(&o.rounds, "rounds", 5, "measured `rounds` of every row; the table shows medians")
	flags.DurationVar(&o.time, "time", 500*time.Millisecond, "aim for the `duration` of one run")
	cellPattern := flags.String("cells", "", "only cells whose name matches the `regexp`, for example 'P=4$|shared'")
	rowPattern := flags.String("rows", "", "only rows whose name matches the `regexp`, for example 'chan T|rwgen'")
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	err := func() error {
		if flags.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q", flags.Arg(0))
		}
		if o.rounds < 1 {
			return fmt.Errorf("-rounds %d is less than 1", o.rounds)
		}
		if o.time <= 0 {
			return fmt.Errorf("-time %v is not positive", o.time)
		}
		var err error
		if o.cells, err = matching(cells[:], cell.String, *cellPattern); err != nil {
			return fmt.Errorf("-cells: %w", err)
		}
		if o.rows, err = matching(rows(), func(r row) string { return r.name }, *rowPattern); err != nil {
			return fmt.Errorf("-rows: %w", err)
		}
		return nil
	}()
	if err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
	}
	return o, err
}

// matching returns the elements whose names match the pattern; none is an error.
func matching[T any](all []T, name func(T) string, pattern string) ([]T, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	some := slices.DeleteFunc(slices.Clone(all), func(v T) bool { return !re.MatchString(name(v)) })
	if len(some) == 0 {
		return nil, fmt.Errorf("%q matches none of the %d names", pattern, len(all))
	}
	return some, nil
}
