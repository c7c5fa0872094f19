package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// sample is what a process says of itself while it works.
type sample struct {
	flights   int64 // that its consumers have read
	rss, heap int64 // memory in bytes: resident, 0 if the system does not say; objects on the Go heap
}

// reportForm is the form of the line with which a process tells that which has started it, every reportEvery.
const (
	reportForm  = "report %d %d %d"
	reportEvery = time.Second / 2
)

// sample takes a sample of this process.
func (w *work) sample() sample {
	s := sample{flights: w.count.Load()}
	m := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(m)
	s.heap = int64(m[0].Value.Uint64())
	// Linux: the second number is that of resident pages.
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			if pages, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				s.rss = pages * int64(os.Getpagesize())
			}
		}
	}
	return s
}

// tell tells the process that has started this one, until stop is called, which returns nil.
func (w *work) tell(out io.Writer) (stop func() error) {
	note := func() {
		s := w.sample()
		fmt.Fprintf(out, reportForm+"\n", s.flights, s.rss, s.heap)
	}
	end := every(reportEvery, note)
	return func() error {
		end()
		note()
		return nil
	}
}

// show shows how far this process is, and its memory, until stop is called. The error is that of monitor.stop.
func (w *work) show(stderr io.Writer) (stop func() error) {
	m := newMonitor(w.config, stderr)
	note := func() { m.note(w.at.name(), w.sample()) }
	end := every(reportEvery/5, note)
	return func() error {
		end()
		note()
		return m.stop()
	}
}

// every calls f on a goroutine of its own, until stop has returned.
func every(interval time.Duration, f func()) (stop func()) {
	quit := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		t := time.NewTicker(interval)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				f()
			case <-quit:
				return
			}
		}
	})
	return func() {
		close(quit)
		wg.Wait()
	}
}

// monitor shows what processes say of themselves: how far they are on one line, if it is a terminal, and their memory now and then. It is also what they write messages to, so that these do not run into that line.
type monitor struct {
	config   config
	out      io.Writer
	terminal bool
	begin    time.Time
	end      func()

	mu     sync.Mutex
	line   bool              // the line is there
	told   time.Time         // when memory was reported
	last   map[string]sample // by name
	first  map[string]sample // that growth is measured from
	growth map[string]error
}

func newMonitor(c config, out io.Writer) *monitor {
	now := time.Now()
	m := &monitor{config: c, out: out, terminal: isTerminal(out), begin: now, told: now, last: map[string]sample{}, first: map[string]sample{}, growth: map[string]error{}}
	m.end = every(reportEvery/5, m.show)
	return m
}

// warmUp is how long a process may begin to use its memory, at least: growth is measured from then.
const warmUp = 20 * time.Second

// note takes a sample.
func (m *monitor) note(name string, s sample) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last[name] = s
	if m.config.duration == 0 || time.Since(m.begin) < max(m.config.duration/10, warmUp) {
		return
	}
	first, ok := m.first[name]
	if !ok {
		m.first[name] = s
		return
	}
	for _, g := range []struct {
		what     string
		from, to int64
	}{{"resident memory", first.rss, s.rss}, {"Go heap", first.heap, s.heap}} {
		if g.to-g.from > m.config.growthMiB<<20 && m.growth[name] == nil {
			m.growth[name] = fmt.Errorf("%s: the %s has grown from %.1f to %.1f MiB, -growth allows %d", name, g.what, mib(g.from), mib(g.to), m.config.growthMiB)
		}
	}
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// show shows what there is to show now.
func (m *monitor) show() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if every := m.config.report; every > 0 && now.Sub(m.told) >= every {
		m.told = m.told.Add(every)
		m.report(now)
	}
	if m.terminal && now.Sub(m.begin) > time.Second {
		n := m.flights()
		fmt.Fprintf(m.out, "\r%v: %d flights, %.2f million/s ", now.Sub(m.begin).Truncate(time.Second), n, float64(n)/now.Sub(m.begin).Seconds()/1e6)
		m.line = true
	}
}

// flights returns how many have arrived. REQUIRES: mu held.
func (m *monitor) flights() (n int64) {
	for _, s := range m.last {
		n += s.flights
	}
	return n
}

// report prints the memory of each process. REQUIRES: mu held.
func (m *monitor) report(now time.Time) {
	m.clear()
	var b strings.Builder
	fmt.Fprintf(&b, "after %v %d flights; memory in MiB, resident and Go heap:", now.Sub(m.begin).Round(time.Second), m.flights())
	names := make([]string, 0, len(m.last))
	for name := range m.last {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		rss := "unknown"
		if s := m.last[name]; s.rss > 0 {
			rss = fmt.Sprintf("%.1f", mib(s.rss))
		}
		fmt.Fprintf(&b, " %s %s %.1f;", name, rss, mib(m.last[name].heap))
	}
	fmt.Fprintln(m.out, strings.TrimSuffix(b.String(), ";"))
}

// clear takes the line away. REQUIRES: mu held.
func (m *monitor) clear() {
	if m.line {
		fmt.Fprint(m.out, "\r\x1b[K")
		m.line = false
	}
}

// Write writes a message.
func (m *monitor) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
	return m.out.Write(p)
}

// stop ends the display, with a last report. It returns an error if the memory of a process has grown too much.
func (m *monitor) stop() error {
	m.end()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
	if m.config.report > 0 {
		m.report(time.Now())
	}
	var errs []error
	for _, err := range m.growth {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// isTerminal reports whether w is a character device other than the null device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || f.Name() == os.DevNull {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
