package main

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// hand starts a process as a user would from a shell. It ends with the context, at the latest with the test.
func hand(ctx context.Context, t *testing.T, args ...string) (end func() (stdout string, err error)) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), childVariable+"=hand")
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceValues(func() (string, error) {
		err := cmd.Wait()
		if errs.Len() > 0 {
			err = errors.Join(err, errors.New(errs.String()))
		}
		return out.String(), err
	})
	t.Cleanup(func() { _, _ = end() })
	return end
}

// freeAddresses returns addresses of this machine at which nobody listens now.
func freeAddresses(t *testing.T, n int) string {
	t.Helper()
	var all []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // when all are known
		all = append(all, l.Addr().String())
	}
	return strings.Join(all, ",")
}

// The commands of README.md for several machines, all of them on this one.
func TestByHand(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		common    string
		processes []string
	}{
		{"producers and consumers", "-consumers 2", []string{"-role producer -index 0", "-role consumer -index 1", "-role producer -index 1", "-role consumer -index 0"}},
		{"both in each process", "-producers 3 -consumers 2", []string{"-role process -index 0", "-role process -index 1"}},
	} {
		for _, secure := range []bool{false, true} {
			t.Run(test.name, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
				defer cancel()
				common := append([]string{"-peers", freeAddresses(t, 2)}, strings.Fields(test.common)...)
				if secure {
					keys := filepath.Join(t.TempDir(), "keys")
					authority := append([]string{"-role", "authority", "-keys", keys}, common...)
					if strings.Contains(test.common, "-producers") {
						authority = append(authority, "-processes", "2")
					}
					if r := runWith(t, hooks{}, authority...); r.code != 0 {
						t.Fatal(r.stderr)
					}
					common = append(common, "-tls", "-keys", keys)
				}
				ends := make([]func() (string, error), len(test.processes))
				for n, p := range test.processes {
					ends[n] = hand(ctx, t, append(strings.Fields(p), common...)...)
				}
				s := newSums(config{producers: 2 + strings.Count(test.common, "-producers"), consumers: 2})
				for n, end := range ends {
					stdout, err := end()
					if err != nil {
						t.Errorf("%s: %v", test.processes[n], err)
					}
					for line := range strings.Lines(stdout) {
						if err := s.note(line); err != nil {
							t.Errorf("%s: %v", test.processes[n], err)
						}
					}
				}
				var out strings.Builder
				if err := s.print(&out); err != nil || !strings.HasSuffix(out.String(), total(1)) {
					t.Errorf("%s, %v", out.String(), err)
				}
			})
		}
	}
}

// Certificates are not written over others.
func TestAuthorityTwice(t *testing.T) {
	args := []string{"-role", "authority", "-peers", "localhost:1", "-keys", t.TempDir()}
	if r := runWith(t, hooks{}, args...); r.code != 0 {
		t.Fatal(r.stderr)
	}
	if r := runWith(t, hooks{}, args...); r.code != 1 || !strings.Contains(r.stderr, authorityFile) || !strings.Contains(r.stderr, "remove the directory, or name another") {
		t.Errorf("code %d, %s", r.code, r.stderr)
	}
}

// What is missing on a machine is named, with what makes it.
func TestMissing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	none, some := filepath.Join(t.TempDir(), "none"), t.TempDir()
	if r := runWith(t, hooks{}, "-role", "authority", "-peers", "localhost:1", "-keys", some); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-role", "consumer", "-peers", "localhost:1", "-tls", "-keys", none}, "(tcp -role authority makes it)"},
		{[]string{"-role", "process", "-peers", "localhost:1,localhost:2", "-tls", "-keys", some}, "for processes that do both with -processes"},
		{[]string{"-role", "producer", "-peers", l.Addr().String()}, "(-listen, if this machine has another address)"},
	} {
		if r := runWith(t, hooks{}, test.args...); r.code != 1 || !strings.Contains(r.stderr, test.want) {
			t.Errorf("%s: code %d, %s", test.args, r.code, r.stderr)
		}
	}
}

// A process whose lead is gone does not stay.
func TestLeave(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	cmd := exec.CommandContext(ctx, self, "-role", "consumer", "-peers", "127.0.0.1:1", "-limit", "1h")
	cmd.Env = append(os.Environ(), childVariable+"="+led)
	cmd.Stderr = &errs
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := stdin.Close(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err == nil || ctx.Err() != nil || !strings.Contains(errs.String(), "is gone") {
		t.Errorf("%v, %s", err, errs.String())
	}
}
