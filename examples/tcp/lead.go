package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// lead starts all processes, waits for them, and prints the totals of the consumers.
func lead(ctx context.Context, c config, stdout, stderr io.Writer, started func(string, *os.Process)) error {
	var listeners []*os.File
	var addresses []string
	defer func() {
		for _, f := range listeners {
			_ = f.Close()
		}
	}()
	for range c.producers {
		l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			return err
		}
		f, err := l.File() // a copy, for the producer to inherit
		address := l.Addr().String()
		_ = l.Close()
		if err != nil {
			return err
		}
		listeners = append(listeners, f)
		if c.chaos {
			p, err := newCutter(address)
			if err != nil {
				return err
			}
			defer p.close(stderr)
			address = p.address()
		}
		addresses = append(addresses, address)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, c.producers+c.consumers)
	counted := make([]bytes.Buffer, c.consumers)
	start := func(at int, role string, index int, file *os.File, out io.Writer) {
		cmd := exec.CommandContext(ctx, self, "-role", role, "-index", fmt.Sprint(index), "-addresses", strings.Join(addresses, ","),
			"-producers", fmt.Sprint(c.producers), "-consumers", fmt.Sprint(c.consumers), "-repeat", fmt.Sprint(c.repeat), "-limit", c.limit.String())
		cmd.Env = append(os.Environ(), childVariable+"=1")
		cmd.Stdout, cmd.Stderr = out, stderr
		if file != nil {
			cmd.ExtraFiles = []*os.File{file}
		}
		name := fmt.Sprintf("%s %d", role, index)
		if errs[at] = cmd.Start(); errs[at] != nil {
			return
		}
		if file != nil {
			_ = file.Close() // or it would go on to take connections when the producer is gone
		}
		started(name, cmd.Process)
		wg.Go(func() {
			if err := cmd.Wait(); err != nil {
				errs[at] = fmt.Errorf("%s: %w", name, err)
			}
		})
	}
	for j := range c.consumers { // any order will do
		start(j, "consumer", j, nil, &counted[j])
	}
	for i := range c.producers {
		start(c.consumers+i, "producer", i, listeners[i], stderr)
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	var sum totals
	for j := range counted {
		var t totals
		if _, err := fmt.Sscanf(counted[j].String(), totalsForm, &t.flights, &t.origins, &t.delay, &t.distance); err != nil {
			return fmt.Errorf("consumer %d has printed %q: %w", j, counted[j].String(), err)
		}
		fmt.Fprintf(stdout, "consumer %d %v\n", j, t)
		sum.flights += t.flights
		sum.origins += t.origins
		sum.delay += t.delay
		sum.distance += t.distance
	}
	_, err = fmt.Fprintf(stdout, "total %v\n", sum)
	return err
}

// childVariable is set for the processes that are started.
const childVariable = "RWGEN_EXAMPLE_TCP"
