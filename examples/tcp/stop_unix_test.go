//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process that stands still for longer than the others wait for a sign of life is taken for gone; when it goes on in time, so do its channels, where they stopped.
func TestStopped(t *testing.T) {
	for _, victim := range []string{"consumer 0", "producer 1"} {
		t.Run(victim, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			code, out, errs := runFor(t, func(name string, p *os.Process) {
				if name == victim {
					time.AfterFunc(300*time.Millisecond, func() {
						_ = p.Signal(syscall.SIGSTOP)
						time.AfterFunc(4*time.Second, func() { _ = p.Signal(syscall.SIGCONT) })
					})
				}
			}, "-repeat", "100", "-limit", "5s")
			if took := time.Since(begin); took < 4*time.Second {
				t.Errorf("it was over after %v, before the process went on", took)
			}
			const n = 100
			want := fmt.Sprintf("total flights=%d origins=220 delay=%d distance=%d\n", 20000*n, 154078*n, 14476934*n)
			if code != 0 || !strings.HasSuffix(out, "\n"+want) {
				t.Errorf("code %d, %s%s, want %s", code, out, errs, want)
			}
		})
	}
}
