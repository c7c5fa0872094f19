package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The test binary is also the processes that it starts.
func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// locked is a buffer that several processes write to.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// result is what a run has left.
type result struct {
	code           int
	stdout, stderr string
	took           time.Duration
}

// runWith runs the program. When it has returned all processes have ended: run awaits them, and kills them when the context ends.
func runWith(t *testing.T, h hooks, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	var out, errs locked
	begin := time.Now()
	code := run(ctx, args, &out, &errs, h)
	if ctx.Err() != nil {
		t.Fatalf("it hangs; stderr:\n%s", errs.String())
	}
	return result{code, out.String(), errs.String(), time.Since(begin)}
}

// runTimeout is for one run, on a machine that has much else to do.
const runTimeout = 100 * time.Second

// total is the last line for the data set, sent n times.
func total(n int) string {
	return fmt.Sprintf("total flights=%d origins=220 delay=%d distance=%d\n", 20000*n, 154078*n, 14476934*n)
}

// isTotal reports whether the run has ended well, with the right total for n times the data set.
func (r result) isTotal(n int) bool {
	return r.code == 0 && (strings.HasSuffix(r.stdout, "\n"+total(n)))
}

// names reports whether a process has said something of its own, on one line, in which all of the words are.
func (r result) names(process string, words ...string) bool {
	return slices.ContainsFunc(strings.Split(r.stderr, "\n"), func(line string) bool {
		return strings.HasPrefix(line, process+": ") && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) })
	})
}

// The totals are those of examples/flights, whatever the numbers of processes, whatever is in which, with TLS and without, and however often connections are cut.
func TestTotals(t *testing.T) {
	for _, test := range []struct {
		args string
		n    int
	}{
		{"", 1},
		{"-producers 1 -consumers 3", 1},
		{"-producers 3 -consumers 1 -repeat 2", 2},
		{"-tls -repeat 2", 2},
		{"-processes 1", 1},
		{"-processes 1 -producers 3 -consumers 5 -repeat 3", 3},
		{"-processes 2", 1},
		{"-processes 3 -producers 2 -consumers 7 -tls", 1},
		{"-chaos -repeat 100", 100},
		{"-chaos -repeat 50 -tls -processes 3 -producers 3 -consumers 4", 50},
	} {
		t.Run(test.args, func(t *testing.T) {
			r := runWith(t, hooks{}, strings.Fields(test.args)...)
			if !r.isTotal(test.n) {
				t.Errorf("code %d, %s%s, want %s", r.code, r.stdout, r.stderr, total(test.n))
			}
			if strings.Contains(test.args, "-chaos") && (!strings.Contains(r.stderr, "were cut") || !strings.Contains(r.stderr, "-seed ")) {
				t.Errorf("nothing is said of cuts: %s", r.stderr)
			}
		})
	}
}

// With -for producers send as much as they can in the time, and all of it arrives; memory is reported.
func TestFor(t *testing.T) {
	for _, args := range []string{"", "-processes 1"} {
		t.Run(args, func(t *testing.T) {
			r := runWith(t, hooks{}, append(strings.Fields(args), "-for", "1500ms", "-report", "500ms")...)
			var sum totals
			last := strings.Split(strings.TrimSpace(r.stdout), "\n")
			if _, err := fmt.Sscanf(last[len(last)-1], "total "+totalsForm, &sum.flights, &sum.origins, &sum.delay, &sum.distance); err != nil || r.code != 0 {
				t.Fatalf("code %d, %s%s: %v", r.code, r.stdout, r.stderr, err)
			}
			if sum.flights < 20000 || sum.origins != 220 || r.took < 1500*time.Millisecond {
				t.Errorf("%v after %v", sum, r.took)
			}
			if strings.Count(r.stderr, "memory in MiB") < 2 || !strings.Contains(r.stderr, " 0 ") {
				t.Errorf("memory is not reported:\n%s", r.stderr)
			}
		})
	}
}

// Growth beyond the bound is an error that names the process and the numbers. What comes before a tenth of the time, or 20 s, does not count.
func TestGrowth(t *testing.T) {
	m := newMonitor(config{duration: time.Second, report: time.Hour, growthMiB: 2}, new(locked))
	m.begin = time.Now().Add(-time.Hour)
	m.note("consumer 0", sample{rss: 5 << 20, heap: 1 << 20})
	m.note("consumer 1", sample{rss: 5 << 20, heap: 1 << 20})
	m.note("consumer 1", sample{rss: 7 << 20, heap: 3 << 20})
	m.note("consumer 0", sample{rss: 5 << 20, heap: 4 << 20})
	if err := m.stop(); err == nil || err.Error() != "consumer 0: the Go heap has grown from 1.0 to 4.0 MiB, -growth allows 2" {
		t.Errorf("got %v", err)
	}
	m = newMonitor(config{duration: time.Hour, report: time.Hour, growthMiB: 2}, new(locked))
	m.note("consumer 0", sample{rss: 5 << 20})
	m.note("consumer 0", sample{rss: 50 << 20})
	if err := m.stop(); err != nil {
		t.Errorf("growth at the beginning: %v", err)
	}
}

// What consumers have counted must be what producers have sent, or there is no total.
func TestSums(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		want  string // "" for a total
	}{
		"right":         {[]string{"producer 0 flights=3 origins=2 delay=-5 distance=7", "consumer 0 flights=1 origins=1 delay=1 distance=4", "consumer 1 flights=2 origins=1 delay=-6 distance=3"}, ""},
		"one is lost":   {[]string{"producer 0 flights=3 origins=2 delay=-5 distance=7", "consumer 0 flights=1 origins=1 delay=1 distance=4", "consumer 1 flights=1 origins=1 delay=-6 distance=3"}, "have sent flights=3"},
		"a silent one":  {[]string{"producer 0 flights=3 origins=2 delay=-5 distance=7", "consumer 0 flights=3 origins=1 delay=1 distance=4"}, "consumer 1 has not said"},
		"twice":         {[]string{"producer 0 flights=3 origins=2 delay=-5 distance=7", "producer 0 flights=3 origins=2 delay=-5 distance=7"}, "not expected"},
		"another one":   {[]string{"consumer 2 flights=3 origins=2 delay=-5 distance=7"}, "not expected"},
		"something odd": {[]string{"consumer 0 flights=many"}, "has printed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSums(config{producers: 1, consumers: 2})
			var err error
			for _, line := range test.lines {
				if err == nil {
					err = s.note(line)
				}
			}
			var out bytes.Buffer
			if err == nil {
				err = s.print(&out)
			}
			switch {
			case test.want == "" && (err != nil || !strings.HasSuffix(out.String(), "total flights=3 origins=2 delay=-5 distance=7\n")):
				t.Errorf("%q, %v", out.String(), err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(out.String(), "total")):
				t.Errorf("%q, %v, want %q", out.String(), err, test.want)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-producers 0", "at least 1"},
		{"x", `unexpected argument "x"`},
		{"-nosuch", "not defined"},
		{"-role king -peers a:1", `no role "king"`},
		{"-role producer", "needs -peers"},
		{"-role producer -peers a:1 -index 1", "there is no producer 1, there are 1"},
		{"-role consumer -peers a:1 -consumers 2 -index 2", "there is no consumer 2, there are 2"},
		{"-role producer -peers a:1,b:1,a:1", `"a:1" is twice`},
		{"-role producer -peers a:1 -producers 2", "that of -peers; for processes that do both add -processes"},
		{"-role authority -peers a:1 -producers 2 -keys k", "for processes that do both add -processes"},
		{"-keys k", "-keys needs -tls"},
		{"-role consumer -peers a:1 -processes 1", "-processes"},
		{"-role producer -peers a:1 -tls", "need each other"},
		{"-role producer -peers a:1 -chaos", "-chaos is for"},
		{"-role authority -peers a:1", "needs -keys"},
		{"-index 1", "-index is for"},
		{"-repeat 2 -for 1s", "exclude each other"},
		{"-processes 3", "3 processes for 2 producers and 2 consumers"},
		{"-processes 1 -tls", "no connections"},
		{"-limit 1ms", "-limit must be"},
	} {
		r := runWith(t, hooks{}, strings.Fields(test.args)...)
		if r.code != 2 || !strings.Contains(r.stderr, test.want) {
			t.Errorf("%s: code %d, %s", test.args, r.code, r.stderr)
		}
	}
}
