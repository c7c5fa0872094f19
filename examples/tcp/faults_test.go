package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// size is how large the exchanges of these tests are. .ci/chaos makes them larger by environment variables: RWGEN_TCP_SIDE producers, and as many consumers, and RWGEN_TCP_REPEAT times the data set.
func size(t *testing.T) (side, repeat int) {
	t.Helper()
	side, repeat = 2, 50
	for name, n := range map[string]*int{"RWGEN_TCP_SIDE": &side, "RWGEN_TCP_REPEAT": &repeat} {
		if s := os.Getenv(name); s != "" {
			var err error
			if *n, err = strconv.Atoi(s); err != nil || *n < 2 {
				t.Fatalf("%s=%s: %v", name, s, err)
			}
		}
	}
	return side, repeat
}

// chaos runs an exchange of that size, with a limit for what is waited for, and checks what must hold whatever happens: the total is right, or there is none, the code says so, and it ends.
func chaos(t *testing.T, h hooks, limit time.Duration, more ...string) result {
	t.Helper()
	side, repeat := size(t)
	args := []string{"-producers", strconv.Itoa(side), "-consumers", strconv.Itoa(side), "-limit", limit.String()}
	if !slices.Contains(more, "-for") {
		args = append(args, "-repeat", strconv.Itoa(repeat))
	}
	r := runWith(t, h, append(args, more...)...)
	said := r.stdout[strings.LastIndex(strings.TrimSpace(r.stdout), "\n")+1:]
	for line := range strings.Lines(r.stderr) {
		if r.code != 0 && strings.Contains(line, "peer ") { // the first one
			said = line
			break
		}
	}
	t.Logf("code %d after %v: %.300s", r.code, r.took.Round(time.Millisecond), said)
	switch {
	case r.code == 0 && !slices.Contains(more, "-for") && !r.isTotal(repeat):
		t.Errorf("a wrong total: %s, want %s%s", r.stdout, total(repeat), r.stderr)
	case r.code != 0 && (r.code != 1 || strings.Contains(r.stdout, "total")):
		t.Errorf("code %d, %s%s", r.code, r.stdout, r.stderr)
	}
	return r
}

// noticed checks that a run has failed by itself, in the time that is for that and for what a busy machine may take beside it: nobody had to be killed because he had not noticed.
func (r result) noticed(t *testing.T, within time.Duration) {
	t.Helper()
	if r.code != 1 || strings.Contains(r.stderr, "after another one had failed") {
		t.Errorf("code %d, %s%s", r.code, r.stdout, r.stderr)
	}
	if within += slack; r.took > within {
		t.Errorf("it took %v, want at most %v", r.took, within)
	}
}

// last is the last process of its role.
func last(t *testing.T, role string) string {
	side, _ := size(t)
	return fmt.Sprintf("%s %d", role, side-1)
}

// others returns the processes on the other side of a process.
func others(t *testing.T, of string) (names []string) {
	side, _ := size(t)
	role := map[string]string{"consumer": "producer", "producer": "consumer"}[strings.Fields(of)[0]]
	for i := range side {
		names = append(names, fmt.Sprintf("%s %d", role, i))
	}
	return names
}

// failed checks that a run has failed by itself, and that all on the other side of a process name it.
func (r result) failed(t *testing.T, victim string, within time.Duration) {
	t.Helper()
	r.noticed(t, within)
	for _, name := range others(t, victim) {
		if !r.names(name, fmt.Sprintf("peer %q", victim)) {
			t.Errorf("%s does not name %s:\n%s", name, victim, r.stderr)
		}
	}
}

// whenFlowing does something to a process, once, when all consumers have read for a while: then each has read from all producers.
func whenFlowing(t *testing.T, victim string, do func(p *os.Process)) hooks {
	side, _ := size(t)
	var mu sync.Mutex
	var process *os.Process
	reading := map[string]int{} // in so many reports
	return hooks{
		started: func(name string, p *os.Process) {
			mu.Lock()
			defer mu.Unlock()
			if name == victim {
				process = p
			}
		},
		sampled: func(name string, s sample) {
			mu.Lock()
			defer mu.Unlock()
			if s.flights > 0 {
				reading[name]++
			}
			if process != nil && len(reading) == side && !slices.ContainsFunc(slices.Collect(maps.Values(reading)), func(n int) bool { return n < 2 }) {
				do(process)
				process = nil
			}
		},
	}
}

// slack is what a busy machine may take beside what is waited for.
const slack = 30 * time.Second

// Connections are cut again and again, and nothing is lost or repeated.
func TestCuts(t *testing.T) {
	t.Parallel()
	side, _ := size(t)
	for _, more := range [][]string{{"-chaos"}, {"-chaos", "-tls"}, {"-chaos", "-processes", strconv.Itoa(side)}} {
		t.Run(strings.Join(more, " "), func(t *testing.T) {
			if r := chaos(t, hooks{}, 10*time.Second, more...); r.code != 0 {
				t.Errorf("code %d, %s", r.code, r.stderr)
			} else if n := cuts(r.stderr); n == 0 {
				t.Errorf("nothing was cut: %s", r.stderr)
			} else {
				t.Logf("%d connections were cut", n)
			}
		})
	}
}

// cuts returns how many connections were cut, before all processes.
func cuts(stderr string) (sum int) {
	for line := range strings.Lines(stderr) {
		var before string
		var n int
		if _, err := fmt.Sscanf(line, "before %s %d connections", &before, &n); err == nil {
			sum += n
		}
	}
	return sum
}

// A process that is killed makes the others fail within the limit, with its name.
func TestKilled(t *testing.T) {
	t.Parallel()
	const limit = 2 * time.Second
	for _, role := range []string{"consumer", "producer"} {
		t.Run(role, func(t *testing.T) {
			victim := last(t, role)
			r := chaos(t, whenFlowing(t, victim, func(p *os.Process) { _ = p.Kill() }), limit, "-for", "1m")
			r.failed(t, victim, 2*limit)
		})
	}
}

// Killed at any time, while connections are cut: all has arrived, or nothing is said of a total.
func TestKilledAtAnyTime(t *testing.T) {
	t.Parallel()
	side, _ := size(t)
	limit := time.Duration(side-1) * time.Second // the more there are, the longer it takes one to come back while connections are cut
	for n, ms := range []int{0, 20, 50, 100, 200, 400, 1600, 5000} {
		t.Run(fmt.Sprint(ms), func(t *testing.T) {
			after, victim := time.Duration(ms)*time.Millisecond, last(t, []string{"consumer", "producer"}[n%2])
			r := chaos(t, hooks{started: func(name string, p *os.Process) {
				if name == victim {
					time.AfterFunc(after, func() { _ = p.Kill() })
				}
			}}, limit, "-chaos")
			if r.code == 0 {
				return
			}
			r.noticed(t, after+3*limit)
			// If nobody else has failed, all had arrived, and only the victim could not say so any more.
			if strings.Contains(r.stderr, "exit status 1") && !slices.ContainsFunc(others(t, victim), func(name string) bool { return r.names(name, "peer ") }) {
				t.Errorf("nobody says whom he misses: %s", r.stderr)
			}
		})
	}
}

// exchanged changes the value of a flag of one process.
func exchanged(process, flag, value string) hooks {
	return hooks{command: func(name string, args []string) []string {
		if name == process {
			args[slices.Index(args, flag)+1] = value
		}
		return args
	}}
}

// A consumer that believes that there are more of them is refused, with the numbers, and the exchange fails: nobody else reads what was meant for it.
func TestWrongConsumers(t *testing.T) {
	t.Parallel()
	const limit = time.Second
	side, _ := size(t)
	victim := last(t, "consumer")
	r := chaos(t, exchanged(victim, "-consumers", strconv.Itoa(side+1)), limit)
	if !r.names(victim, `peer "producer `, "topology differs", fmt.Sprintf("with %d consumers", side), fmt.Sprintf("with %d consumers", side+1)) {
		t.Errorf("it does not say why: %s", r.stderr)
	}
	r.failed(t, victim, 3*limit)
}

// Of two processes of one name the later one takes the place of the earlier one, which says so; and a third one is missing then.
func TestDuplicateIndex(t *testing.T) {
	t.Parallel()
	const limit = time.Second
	r := chaos(t, exchanged(last(t, "consumer"), "-index", "0"), limit)
	if !r.names("consumer 0", `peer "producer `, `"consumer 0"`) {
		t.Errorf("it does not say why: %s", r.stderr)
	}
	r.noticed(t, 3*limit)
}

// A process with the certificate of another one is not let in.
func TestWrongCertificate(t *testing.T) {
	t.Parallel()
	const limit = time.Second
	for _, role := range []string{"consumer", "producer"} {
		t.Run(role, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "keys")
			victim := last(t, role)
			r := chaos(t, hooks{command: func(name string, args []string) []string {
				if name == victim { // it has not read its own
					pem, err := os.ReadFile(filepath.Join(dir, place{role: "consumer", index: 0}.keyFile()))
					if err == nil {
						err = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(victim, " ", "-")+".pem"), pem, 0o600)
					}
					if err != nil {
						t.Error(err)
					}
				}
				return args
			}}, limit, "-tls", "-keys", dir)
			switch {
			case role == "consumer" && !r.names(victim, "the certificate is for", `"consumer 0"`, victim):
				t.Errorf("it does not say that it was refused: %s", r.stderr)
			case role == "producer" && !strings.Contains(r.stderr, "tls: failed to verify certificate"):
				t.Errorf("nobody says why it was refused: %s", r.stderr)
			}
			r.noticed(t, 3*limit)
		})
	}
}

// A producer that is not there is named by its address, within the limit.
func TestUnreachable(t *testing.T) {
	r := runWith(t, hooks{}, "-role", "consumer", "-peers", "127.0.0.1:1", "-limit", "300ms")
	if !r.names("consumer 0", "peer 127.0.0.1:1", "not reached for 300ms") {
		t.Error(r.stderr)
	}
	r.noticed(t, 300*time.Millisecond)
}
