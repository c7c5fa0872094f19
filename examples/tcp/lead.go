package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// childVariable makes a process of the test binary this program. Its value is led for the processes that lead starts: they have inherited a listener, say how far they are, and end when their input does.
const (
	childVariable = "RWGEN_EXAMPLE_TCP"
	led           = "led"
)

// leading is what the process that starts the others has.
type leading struct {
	config    config
	hooks     hooks
	monitor   *monitor
	ctx       context.Context
	cancel    context.CancelCauseFunc // kills all processes
	addresses []string
	wg        sync.WaitGroup

	mu    sync.Mutex
	sums  *sums
	errs  []error
	grace *time.Timer // until all are killed; nil: nobody has failed
}

// lead starts all processes, waits for them, and prints the totals of the consumers. When it has returned none of them is left.
func lead(ctx context.Context, c config, stdout, stderr io.Writer, h hooks) (err error) {
	l := &leading{config: c, hooks: h, sums: newSums(c)}
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	defer l.cancel(nil)
	files, err := l.listen()
	defer func() {
		for _, f := range files {
			_ = f.Close()
		}
	}()
	if err != nil {
		return err
	}
	if c.chaos {
		closing, err := l.cutters(stderr)
		defer closing()
		if err != nil {
			return err
		}
	}
	layout := c.layout(l.addresses)
	if c.tls {
		if c.keys == "" {
			dir, err := os.MkdirTemp("", "rwgen-tcp")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
			l.config.keys = dir
		}
		if err := writeKeys(l.config.keys, layout); err != nil {
			return err
		}
	}
	l.monitor = newMonitor(c, stderr)
	for _, p := range layout.places { // any order will do
		var file *os.File
		if p.listens {
			file = files[p.index]
		}
		if err := l.start(p, file); err != nil {
			l.fail(fmt.Errorf("%s: %w", p.name(), err))
		}
	}
	l.wg.Wait()
	if l.grace != nil {
		l.grace.Stop()
	}
	if err := errors.Join(append(l.errs, l.monitor.stop())...); err != nil {
		return err
	}
	return l.sums.print(stdout)
}

// listen makes a listener for each process that has one, for it to inherit: so its address is known before it runs.
func (l *leading) listen() (files []*os.File, err error) {
	for range l.config.listeners() {
		listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			return files, err
		}
		f, err := listener.File() // a copy
		l.addresses = append(l.addresses, listener.Addr().String())
		_ = listener.Close()
		if err != nil {
			return files, err
		}
		files = append(files, f)
	}
	return files, nil
}

// cutters puts a cutter before each listener.
func (l *leading) cutters(stderr io.Writer) (closing func(), err error) {
	var all []*cutter
	closing = func() {
		for _, c := range all {
			c.close(stderr)
		}
	}
	seed := l.config.seed
	for seed == 0 {
		seed = rand.Uint64()
	}
	fmt.Fprintf(stderr, "connections are cut by -seed %d\n", seed)
	for i, address := range l.addresses {
		c, err := newCutter(address, seed, uint64(i))
		if err != nil {
			return closing, err
		}
		all = append(all, c)
		l.addresses[i] = c.address()
	}
	return closing, nil
}

// arguments returns those of a process.
func (l *leading) arguments(p place) []string {
	c := l.config
	args := []string{"-role", p.role, "-index", fmt.Sprint(p.index), "-peers", strings.Join(l.addresses, ","), "-consumers", fmt.Sprint(c.consumers), "-limit", c.limit.String()}
	if p.role == "process" {
		args = append(args, "-producers", fmt.Sprint(c.producers))
	}
	if c.duration > 0 {
		args = append(args, "-for", c.duration.String())
	} else {
		args = append(args, "-repeat", fmt.Sprint(c.repeat))
	}
	if c.tls {
		args = append(args, "-tls", "-keys", c.keys)
	}
	return args
}

// start starts a process, with the listener that it inherits, and follows it to its end.
func (l *leading) start(p place, file *os.File) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := l.arguments(p)
	if l.hooks.command != nil {
		args = l.hooks.command(p.name(), args)
	}
	cmd := exec.CommandContext(l.ctx, self, args...)
	cmd.Env = append(os.Environ(), childVariable+"="+led)
	cmd.Stderr = l.monitor
	if file != nil {
		cmd.ExtraFiles = []*os.File{file}
	}
	if _, err := cmd.StdinPipe(); err != nil { // it ends with this process, however that ends
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if file != nil {
		_ = file.Close() // or it would go on to take connections when the process is gone
	}
	if l.hooks.started != nil {
		l.hooks.started(p.name(), cmd.Process)
	}
	l.wg.Go(func() {
		err := l.follow(p.name(), out)
		if ended := cmd.Wait(); ended != nil {
			err = ended
			if l.ctx.Err() != nil {
				err = fmt.Errorf("%w: %w", ended, context.Cause(l.ctx))
			}
		}
		if err != nil {
			l.fail(fmt.Errorf("%s: %w", p.name(), err))
		}
	})
	return nil
}

// follow reads what a process prints: reports, and at its end lines for the sums. It returns the first error.
func (l *leading) follow(name string, out io.Reader) (err error) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var at sample
		if _, bad := fmt.Sscanf(lines.Text(), reportForm, &at.flights, &at.rss, &at.heap); bad == nil {
			l.monitor.note(name, at)
			if l.hooks.sampled != nil {
				l.hooks.sampled(name, at)
			}
			continue
		}
		l.mu.Lock()
		bad := l.sums.note(lines.Text())
		l.mu.Unlock()
		if err == nil {
			err = bad
		}
	}
	return errors.Join(err, lines.Err())
}

// fail notes that a process has failed. The others find that out by themselves, and say what they miss; one that does not, because it was stopped for example, is killed.
func (l *leading) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errs = append(l.errs, err)
	if l.grace == nil {
		patience := 3*l.config.limit + 3*time.Second
		l.grace = time.AfterFunc(patience, func() { l.cancel(fmt.Errorf("killed %v after another one had failed", patience)) })
	}
}
