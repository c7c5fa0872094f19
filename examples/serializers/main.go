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
	if err := run(ctx, o, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "serializers:", err)
		return 1
	}
	return 0
}

// options are the flags.
type options struct {
	rounds   int
	time     time.Duration
	cpu      bool      // measure processor time and not time
	best     bool      // show the fastest round and not the median
	start    time.Time // of the command
	markdown bool
	shapes   *regexp.Regexp
	rows     *regexp.Regexp
}

// parse reads the flags and says on stderr what is wrong with them.
func parse(args []string, stderr io.Writer) (options, error) {
	o := options{start: time.Now()}
	flags := flag.NewFlagSet("serializers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rounds, "rounds", 7, "measured `rounds` of every row; the tables show medians")
	flags.DurationVar(&o.time, "time", 50*time.Millisecond, "aim for the `duration` of one run")
	flags.BoolVar(&o.cpu, "cpu", false, "measure the processor time of the process, with that of the garbage collector, for machines that are busy otherwise")
	flags.BoolVar(&o.best, "best", false, "show the fastest round of each row and not the median")
	flags.BoolVar(&o.markdown, "markdown", false, "print Markdown")
	shapes := flags.String("shapes", "", "only shapes whose name matches the `regexp`, for example 'small|sensor'")
	rows := flags.String("rows", "", "only rows whose name matches the `regexp`, for example 'limit|rwgen|mus'")
	if err := flags.Parse(args); err != nil {
		return options{}, err
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
		if o.cpu && processTime() == 0 {
			return errors.New("-cpu: the platform does not tell the processor time")
		}
		if o.shapes, err = regexp.Compile(*shapes); err != nil {
			return fmt.Errorf("-shapes: %w", err)
		}
		if o.rows, err = regexp.Compile(*rows); err != nil {
			return fmt.Errorf("-rows: %w", err)
		}
		return nil
	}()
	if err != nil {
		fmt.Fprintln(stderr, "serializers:", err)
	}
	return o, err
}

// run measures and prints one table after the other, and the goals at the end.
func run(ctx context.Context, o options, stdout, progress io.Writer) error {
	all, err := tables(o.shapes)
	if err != nil {
		return err
	}
	if all = o.some(all); len(all) == 0 {
		return errors.New("no row of any shape matches")
	}
	p := printer{stdout, o.markdown}
	fmt.Fprintln(stdout, conditions(o))
	var verdicts []verdict
	for _, t := range all {
		results, err := measure(ctx, o, t, progress)
		if err != nil {
			return err
		}
		if err := p.results(t.name, results); err != nil {
			return err
		}
		verdicts = append(verdicts, judge(t.name, results)...)
	}
	return p.verdicts(verdicts)
}

// some returns the tables with the rows that the flags choose, without tables that have none.
func (o options) some(all []table) []table {
	var chosen []table
	for _, t := range all {
		t.rows = slices.DeleteFunc(t.rows, func(r row) bool { return !o.rows.MatchString(r.name) })
		if len(t.rows) > 0 {
			chosen = append(chosen, t)
		}
	}
	return chosen
}
