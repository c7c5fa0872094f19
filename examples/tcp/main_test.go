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

func runFor(t *testing.T, started func(string, *os.Process), args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Second)
	defer cancel()
	var out, errs locked
	code = run(ctx, args, &out, &errs, started)
	if ctx.Err() != nil {
		t.Fatalf("it hangs; stderr:\n%s", errs.String())
	}
	return code, out.String(), errs.String()
}

func nobody(string, *os.Process) {}

// The totals are those of examples/flights, whatever the numbers of processes, and however often connections are cut.
func TestTotals(t *testing.T) {
	for _, args := range []string{"", "-producers 1 -consumers 3", "-producers 3 -consumers 1 -repeat 2", "-chaos -repeat 20"} {
		t.Run(args, func(t *testing.T) {
			code, out, errs := runFor(t, nobody, strings.Fields(args)...)
			n := 1
			if _, after, ok := strings.Cut(args, "-repeat "); ok {
				fmt.Sscan(after, &n)
			}
			want := fmt.Sprintf("total flights=%d origins=220 delay=%d distance=%d\n", 20000*n, 154078*n, 14476934*n)
			if code != 0 || !strings.HasSuffix(out, "\n"+want) {
				t.Errorf("code %d, %s%s, want %s", code, out, errs, want)
			}
			if strings.Contains(args, "-chaos") && (!strings.Contains(errs, "were cut") || strings.Contains(errs, " 0 ends")) {
				t.Errorf("nothing was cut: %s", errs)
			}
		})
	}
}

// A process that is killed makes the others fail within the limit, with its name; or everything has arrived already, and the total is right.
func TestKilled(t *testing.T) {
	for _, victim := range []string{"consumer 1", "producer 0"} {
		t.Run(victim, func(t *testing.T) {
			begin := time.Now()
			code, out, errs := runFor(t, func(name string, p *os.Process) {
				if name == victim {
					time.AfterFunc(500*time.Millisecond, func() { _ = p.Kill() })
				}
			}, "-repeat", "1000000", "-limit", "1s")
			if code != 1 || strings.Contains(out, "total") {
				t.Errorf("code %d, %s%s", code, out, errs)
			}
			// Those on the other side of the exchange name it.
			other := map[string]string{"consumer 1": "producer", "producer 0": "consumer"}[victim]
			for i := range 2 {
				if !slices.ContainsFunc(strings.Split(errs, "\n"), func(line string) bool {
					return strings.HasPrefix(line, fmt.Sprintf("%s %d: ", other, i)) && strings.Contains(line, fmt.Sprintf("peer %q", victim))
				}) {
					t.Errorf("%s %d does not name %s:\n%s", other, i, victim, errs)
				}
			}
			if took := time.Since(begin); took > 60*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	for _, args := range []string{"-producers 0", "x", "-nosuch"} {
		if code, _, _ := runFor(t, nobody, strings.Fields(args)...); code != 2 {
			t.Errorf("%s: code %d", args, code)
		}
	}
	if code, _, errs := runFor(t, nobody, "-role", "king"); code != 1 || !strings.Contains(errs, "king") {
		t.Errorf("code %d, %s", code, errs)
	}
}
