package rwtest

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"time"
)

// NoLeaks fails a test that leaves goroutines of this module behind: those that were started after the call, and run code of rwgen's runtime, or were started by it, when the test and the cleanups that were registered later have ended. They have 2 seconds
// to come to their end by then. The failure shows their stacks.
//
// It is not for tests that run in parallel, whose goroutines cannot be told apart, and not needed inside a bubble of testing/synctest, which looks for itself. Projects that use
// go.uber.org/goleak get the same, for all goroutines, from that.
func NoLeaks(t testing.TB) {
	t.Helper()
	before := map[string]bool{}
	for _, g := range goroutines() {
		before[g.id] = true
	}
	t.Cleanup(func() {
		left := awaitEnd(before)
		for _, g := range left {
			t.Errorf("rwtest: left running: %s", g.stack)
		}
	})
}

// goroutine is one of a dump of all stacks.
type goroutine struct{ id, stack string }

// awaitEnd waits until no goroutine of ours is left that was not there before, and returns those that do not end.
func awaitEnd(before map[string]bool) []goroutine {
	const patience = 2 * time.Second
	for waited, pause := time.Duration(0), time.Millisecond; ; pause *= 2 {
		var left []goroutine
		for _, g := range goroutines() {
			if !before[g.id] && g.isOurs() {
				left = append(left, g)
			}
		}
		if len(left) == 0 || waited >= patience {
			return left
		}
		time.Sleep(pause)
		waited += pause
	}
}

// isOurs says whether code of the runtime is on the stack, or has started the goroutine.
func (g goroutine) isOurs() bool {
	return strings.Contains(g.stack, "\ngithub.com/rwgen/rwgen/runtime/") || strings.Contains(g.stack, "\ncreated by github.com/rwgen/rwgen/runtime/")
}

// goroutines returns all goroutines but the one that calls.
func goroutines() []goroutine {
	dump := make([]byte, 64<<10)
	for {
		n := runtime.Stack(dump, true)
		if n < len(dump) {
			dump = dump[:n]
			break
		}
		dump = make([]byte, 2*len(dump))
	}
	var all []goroutine
	for i, stack := range bytes.Split(dump, []byte("\n\n")) {
		if i == 0 { // runtime.Stack begins with the caller
			continue
		}
		text := strings.TrimSpace(string(stack))
		id, _, _ := strings.Cut(strings.TrimPrefix(text, "goroutine "), " ")
		all = append(all, goroutine{id, text})
	}
	return all
}
