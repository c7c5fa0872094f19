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

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
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
	fmt.Fprintln(stdout, conditions(o))
	switch {
	case o.tcp && o.latency:
		err = tcpLatencies(ctx, o, stdout, stderr)
	case o.tcp:
		err = tcpThroughputs(ctx, o, stdout, stderr)
	case o.latency:
		err = latencies(ctx, o, stdout, stderr)
	default:
		err = throughputs(ctx, o, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
		return 1
	}
	return 0
}

// throughputs measures and prints one table after the other.
func throughputs(ctx context.Context, o options, stdout, progress io.Writer) error {
	for _, t := range o.tables {
		columns, err := compare(ctx, o, t, progress)
		if err != nil {
			return err
		}
		if err := report(stdout, t, columns); err != nil {
			return err
		}
	}
	return nil
}

// options are the flags.
type options struct {
	latency  bool          // measure latency instead of throughput
	tcp      bool          // over loopback TCP, not in process
	tls      bool          // the same over TLS
	rounds   int           // measured rounds of every row in every cell, at least 1
	time     time.Duration // aim for one run
	tables   []table       // with the cells and rows that are to be measured
	policies []policy      // rows of -latency
}

// The aims for one run without -time. A policy that shows only full blocks has a latency of half a second at the lowest rate.
// Over TCP, large blocks of a thousand partitions fill only after two million records.
const (
	throughputTime = 250 * time.Millisecond
	tcpTime        = 500 * time.Millisecond
	latencyTime    = time.Second
)

// parse reads the flags and says on stderr what is wrong with them.
func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&o.latency, "latency", false, "measure how long single records take under each flush policy, and its throughput, instead of the tables")
	flags.BoolVar(&o.tcp, "tcp", false, "measure over one connection of the loopback interface instead of in process")
	flags.BoolVar(&o.tls, "tls", false, "with -tcp: over TLS")
	flags.IntVar(&o.rounds, "rounds", 5, "measured `rounds` of every row; the tables show medians")
	flags.DurationVar(&o.time, "time", 0, fmt.Sprintf("aim for the `duration` of one run (default %v, with -tcp %v, with -latency %v)", throughputTime, tcpTime, latencyTime))
	shapes := flags.String("shapes", "", "only tables whose name matches the `regexp`, for example '^16B$|order'")
	cells := flags.String("cells", "", "only cells whose name matches the `regexp`, for example 'P=4$|shared'")
	rows := flags.String("rows", "", "only rows whose name matches the `regexp`, for example 'chan T|rwgen'")
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	if !given(flags, "time") {
		switch {
		case o.latency:
			o.time = latencyTime
		case o.tcp:
			o.time = tcpTime
		default:
			o.time = throughputTime
		}
	}
	err := func() (err error) {
		if flags.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q", flags.Arg(0))
		}
		if o.rounds < 1 {
			return fmt.Errorf("-rounds %d is less than 1", o.rounds)
		}
		if o.time <= 0 {
			return fmt.Errorf("-time %v is not positive", o.time)
		}
		if o.tls && !o.tcp {
			return errors.New("-tls is for -tcp only")
		}
		if o.latency {
			if *shapes != "" || *cells != "" {
				return errors.New("-latency has rows, but no -shapes and no -cells")
			}
			if o.policies, err = matching(ways(o), func(p policy) string { return p.name }, *rows); err != nil {
				return fmt.Errorf("-rows: %w", err)
			}
			return nil
		}
		all := tables()
		if o.tcp {
			all = tcpTables(o.tls)
		}
		o.tables, err = choose(all, *shapes, *cells, *rows)
		return err
	}()
	if err != nil {
		fmt.Fprintln(stderr, "benchmarks:", err)
	}
	return o, err
}

// ways are the rows of -latency.
func ways(o options) []policy {
	if o.tcp {
		return tcpWays(o.tls)
	}
	return policies()
}

// given says whether a flag was set.
func given(flags *flag.FlagSet, name string) (found bool) {
	flags.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// choose returns the tables, cells and rows that match the patterns. A table without cells or rows is left out; if none is left that is an
// error.
func choose(all []table, shapes, cells, rows string) ([]table, error) {
	all, err := matching(all, func(t table) string { return t.name }, shapes)
	if err != nil {
		return nil, fmt.Errorf("-shapes: %w", err)
	}
	var some []table
	var cellErr, rowErr error
	for _, t := range all {
		var ofCells, ofRows error
		t.cells, ofCells = matching(t.cells, harness.Cell.String, cells)
		t.shape.Rows, ofRows = matching(t.shape.Rows, func(r harness.Row) string { return r.Name }, rows)
		switch {
		case ofCells != nil:
			cellErr = fmt.Errorf("-cells: %w", ofCells)
		case ofRows != nil:
			rowErr = fmt.Errorf("-rows: %w", ofRows)
		default:
			some = append(some, t)
		}
	}
	if len(some) == 0 {
		return nil, errors.Join(cellErr, rowErr)
	}
	return some, nil
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
