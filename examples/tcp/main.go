// Tcp sends the 20,000 flights of examples/flights through an exchange that is spread over several processes, and prints the same totals.
//
//	go run ./examples/tcp                 two processes that produce, two that consume, on this machine
//	go run ./examples/tcp -tls            the same with mutual TLS
//	go run ./examples/tcp -chaos          the same while connections are cut again and again
//	go run ./examples/tcp -processes 1    the same program in one process; 2: in two, both of which produce and consume
//	go run ./examples/tcp -for 10m        the data again and again, with the memory of each process
//
// The process that is started plays no part in the exchange: it starts the others, each with its role, and adds up what the consumers have counted. It fails if that is not what the producers have sent.
//
//	producer 0 ─┐            ┌─► consumer 0 ─┐
//	            ├──── TCP ───┤               ├─► total
//	producer 1 ─┘            └─► consumer 1 ─┘
//
// With -role a process is one of them, on any machine. README.md says how, and what happens when something goes wrong. Usage:
//
//	tcp [-producers N] [-consumers N] [-processes N] [-repeat N | -for DURATION] [-tls] [-chaos] [-seed N] [-limit DURATION] [-report DURATION] [-growth MIB]
//	tcp -role producer  -index I -peers ADDRESS,… -consumers N [-listen ADDRESS] [-repeat N | -for DURATION] [-tls -keys DIRECTORY | -insecure] [-limit DURATION]
//	tcp -role consumer  -index I -peers ADDRESS,… -consumers N [-tls -keys DIRECTORY | -insecure] [-limit DURATION]
//	tcp -role process   -index I -peers ADDRESS,… -producers N -consumers N [as for a producer]
//	tcp -role authority -peers ADDRESS,… -consumers N [-processes N -producers N] -keys DIRECTORY
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
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr, hooks{})
	stop()
	os.Exit(code)
}

// config is what the flags say.
type config struct {
	producers, consumers int
	processes            int // 0: one for each producer and consumer
	repeat               int
	duration             time.Duration // instead of repeat; 0: none
	tls, insecure, chaos bool
	seed                 uint64
	limit                time.Duration
	report               time.Duration // between two reports of memory; 0: none
	growthMiB            int64

	// Of a process with a role.
	role   string
	index  int
	listen string
	peers  []string // addresses of the producers, or of the processes
	keys   string   // directory of certificates
	led    bool     // it was started by lead
}

// hooks are for tests.
type hooks struct {
	// command, if not nil, may change the arguments of a process that is to be started.
	command func(name string, args []string) []string
	// started, if not nil, is told of every process.
	started func(name string, p *os.Process)
	// sampled, if not nil, is told of what processes say of themselves while they work.
	sampled func(name string, s sample)
}

// run is main with everything it touches passed in. It returns the exit code: 0, 1 for a failure, 2 for wrong usage.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, h hooks) int {
	c := config{led: os.Getenv(childVariable) == led}
	peers := ""
	fs := flag.NewFlagSet("tcp", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.IntVar(&c.producers, "producers", 2, "number of producers, which parse and emit")
	fs.IntVar(&c.consumers, "consumers", 2, "number of consumers, which read and count")
	fs.IntVar(&c.processes, "processes", 0, "number of processes among which producers and consumers are divided; 0: each has one of its own")
	fs.IntVar(&c.repeat, "repeat", 1, "send the data so many times")
	fs.DurationVar(&c.duration, "for", 0, "send the data again and again for so long")
	fs.BoolVar(&c.tls, "tls", false, "mutual TLS; without -role with certificates of its own")
	fs.BoolVar(&c.insecure, "insecure", false, "allow plain TCP to other machines")
	fs.BoolVar(&c.chaos, "chaos", false, "cut connections while records flow")
	fs.Uint64Var(&c.seed, "seed", 0, "what the places of cuts follow from; 0: a random one")
	fs.DurationVar(&c.limit, "limit", 10*time.Second, "how long a process that is gone, or does not come, is waited for")
	fs.DurationVar(&c.report, "report", 0, "how often memory is reported; 0: every 30s with -for, else never")
	fs.Int64Var(&c.growthMiB, "growth", 16, "with -for: by how many MiB the memory of a process may grow after a tenth of the time, 20s at least")
	fs.StringVar(&c.role, "role", "", "be one process: producer, consumer, process (both), or authority (makes the certificates of all)")
	fs.IntVar(&c.index, "index", 0, "with -role: the number of the process, from 0")
	fs.StringVar(&c.listen, "listen", "", "with -role: where to listen, if not at the own address in -peers")
	fs.StringVar(&peers, "peers", "", "with -role: the addresses of all producers, or processes, in order, separated by commas")
	fs.StringVar(&c.keys, "keys", "", "the directory of certificates; without -role: a temporary one")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if peers != "" {
		c.peers = strings.Split(peers, ",")
	}
	err := c.check(fs)
	if err != nil {
		fmt.Fprintf(stderr, "tcp: %v\n", err)
		return 2
	}
	name := "tcp"
	switch {
	case c.role == "authority":
		err = writeKeys(c.keys, c.layout(c.peers))
	case c.role != "":
		l := c.layout(c.peers)
		at := l.places[slices.IndexFunc(l.places, func(p place) bool { return p.role == c.role && p.index == c.index })]
		name = at.name()
		err = child(ctx, c, l, at, stdout, stderr)
	case c.processes == 1:
		err = alone(ctx, c, stdout, stderr)
	default:
		err = lead(ctx, c, stdout, stderr, h)
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return 1
	}
	return 0
}

// check finds wrong usage, and fills in what follows from other flags.
func (c *config) check(fs *flag.FlagSet) error {
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch c.role {
	case "":
		for _, name := range []string{"index", "listen", "peers", "insecure"} {
			if given[name] {
				return fmt.Errorf("-%s is for a process with a -role", name)
			}
		}
	case "producer", "consumer", "authority":
		if given["producers"] && !given["processes"] {
			return errors.New("the number of producers is that of -peers; for processes that do both add -processes")
		}
		if !given["processes"] {
			c.producers = len(c.peers)
		}
	case "process":
		c.processes = len(c.peers)
	default:
		return fmt.Errorf("there is no role %q", c.role)
	}
	if c.report == 0 && c.duration > 0 {
		c.report = 30 * time.Second
	}
	n := map[string]int{"producer": c.producers, "consumer": c.consumers, "process": c.processes, "authority": 1, "": 1}[c.role]
	switch {
	case fs.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", fs.Arg(0))
	case c.role != "" && len(c.peers) == 0:
		return errors.New("-role needs -peers")
	case c.role != "" && c.processes > 0 && (c.processes != len(c.peers) || c.role == "producer" || c.role == "consumer"):
		return fmt.Errorf("-processes with -role is for processes that produce and consume, of which -peers has %d", len(c.peers))
	case c.producers < 1 || c.consumers < 1 || c.repeat < 1:
		return errors.New("-producers, -consumers and -repeat must be at least 1")
	case c.processes < 0 || c.processes > max(c.producers, c.consumers):
		return fmt.Errorf("%d processes for %d producers and %d consumers", c.processes, c.producers, c.consumers)
	case c.limit < minLimit:
		return fmt.Errorf("-limit must be at least %v", minLimit)
	case c.duration < 0 || c.report < 0 || c.growthMiB < 1:
		return errors.New("-for and -report must not be negative, -growth must be at least 1")
	case given["repeat"] && given["for"]:
		return errors.New("-repeat and -for exclude each other")
	case c.index < 0 || c.index >= n:
		return fmt.Errorf("there is no %s %d, there are %d", c.role, c.index, n)
	case c.processes == 1 && (c.tls || c.chaos):
		return errors.New("there are no connections in one process")
	case c.role != "" && c.chaos:
		return errors.New("-chaos is for the process that starts the others")
	case c.role != "" && c.role != "authority" && c.tls != given["keys"]:
		return errors.New("-tls and -keys need each other")
	case c.role == "" && given["keys"] && !c.tls:
		return errors.New("-keys needs -tls")
	case c.role == "authority" && !given["keys"]:
		return errors.New("-role authority needs -keys")
	}
	for i, a := range c.peers {
		if slices.Contains(c.peers[:i], a) {
			return fmt.Errorf("%q is twice among -peers", a)
		}
	}
	return nil
}

// minLimit leaves time for a few signs of life.
const minLimit = 100 * time.Millisecond
