//go:build unix

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stopped stops a process while records flow, for a while.
func stopped(t *testing.T, victim string, pause time.Duration) hooks {
	return whenFlowing(t, victim, func(p *os.Process) {
		_ = p.Signal(syscall.SIGSTOP)
		time.AfterFunc(pause, func() { _ = p.Signal(syscall.SIGCONT) })
	})
}

// A process that stands still for longer than the others wait for a sign of life has its connections broken; when it goes on in time, so do its channels, where they stopped.
func TestStopped(t *testing.T) {
	const limit, pause = 6 * time.Second, 4 * time.Second // a third of the limit without a sign of life ends a connection
	for _, role := range []string{"consumer", "producer"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			r := chaos(t, stopped(t, last(t, role), pause), limit, "-for", "4s")
			if r.code != 0 {
				t.Errorf("code %d, %s%s", r.code, r.stdout, r.stderr)
			}
			if r.took < pause+2*reportEvery {
				t.Errorf("it was over after %v, before the process went on", r.took)
			}
		})
	}
}

// One that stands still for longer than it is waited for has failed the others, with its name; when it goes on, it fails too.
func TestStoppedForTooLong(t *testing.T) {
	const limit, pause = time.Second, 5 * time.Second
	for _, role := range []string{"consumer", "producer"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			victim := last(t, role)
			r := chaos(t, stopped(t, victim, pause), limit, "-for", "1m")
			r.failed(t, victim, pause+3*limit)
			if !r.names(victim) {
				t.Errorf("%s says nothing: %s", victim, r.stderr)
			}
		})
	}
}

// One that never goes on is killed by the process that has started it: nobody else can.
func TestStoppedForGood(t *testing.T) {
	t.Parallel()
	const limit = time.Second
	victim := last(t, "consumer")
	r := chaos(t, stopped(t, victim, time.Hour), limit, "-for", "1m")
	if r.code != 1 || !strings.Contains(r.stderr, victim+": signal: killed: killed 6s after another one had failed") {
		t.Errorf("code %d, %s", r.code, r.stderr)
	}
	if r.took > 8*limit+5*time.Second+slack {
		t.Errorf("it took %v", r.took)
	}
}
