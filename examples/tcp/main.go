// Tcp sends the 20,000 flights of examples/flights through an exchange that is spread over several processes on this machine, and prints the same totals.
//
//	go run ./examples/tcp            two processes that produce, two that consume
//	go run ./examples/tcp -chaos     the same, while connections are cut again and again
//
// The process that is started plays no part in the exchange: it starts the others, each with its role, and adds up what the consumers have counted.
//
//	producer 0 ─┐            ┌─► consumer 0 ─┐
//	            ├──── TCP ───┤               ├─► total
//	producer 1 ─┘            └─► consumer 1 ─┘
//
// With -chaos a proxy stands before each producer. If a process dies the others fail within the limit of -limit and say who it was. Usage:
//
//	tcp [-producers N] [-consumers M] [-repeat N] [-chaos] [-limit DURATION]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr, func(string, *os.Process) {})
	stop()
	os.Exit(code)
}

// config is what the flags say.
type config struct {
	producers, consumers, repeat int
	chaos                        bool
	limit                        time.Duration

	// Of the processes that are started.
	role      string
	index     int
	addresses string // of the producers, separated by commas
}

// run is main with everything it touches passed in. started is told of every process. It returns the exit code: 0, 1 for a failure, 2 for wrong usage.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, started func(name string, p *os.Process)) int {
	var c config
	fs := flag.NewFlagSet("tcp", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&c.producers, "producers", 2, "number of processes that parse and emit")
	fs.IntVar(&c.consumers, "consumers", 2, "number of processes that read and count")
	fs.IntVar(&c.repeat, "repeat", 1, "feed the input so many times")
	fs.BoolVar(&c.chaos, "chaos", false, "cut connections while records flow")
	fs.DurationVar(&c.limit, "limit", 10*time.Second, "how long a process that is gone is waited for")
	fs.StringVar(&c.role, "role", "", "of a process that was started by another: producer or consumer")
	fs.IntVar(&c.index, "index", 0, "number of such a process")
	fs.StringVar(&c.addresses, "addresses", "", "where the producers listen")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if fs.NArg() > 0 || c.producers < 1 || c.consumers < 1 || c.repeat < 1 || c.limit <= 0 {
		fmt.Fprintln(stderr, "tcp: -producers, -consumers and -repeat must be at least 1, -limit above 0, and there are no other arguments")
		return 2
	}
	var err error
	switch c.role {
	case "":
		err = lead(ctx, c, stdout, stderr, started)
	case "producer":
		if addresses := strings.Split(c.addresses, ","); c.index < 0 || c.index >= len(addresses) {
			err = fmt.Errorf("there is no producer %d among %q", c.index, addresses)
			break
		}
		err = produce(ctx, c)
	case "consumer":
		err = consume(ctx, c, stdout)
	default:
		err = fmt.Errorf("there is no role %q", c.role)
	}
	if err != nil {
		name := "tcp"
		if c.role != "" {
			name = fmt.Sprintf("%s %d", c.role, c.index)
		}
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return 1
	}
	return 0
}
