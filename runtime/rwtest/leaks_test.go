package rwtest_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/rwtest"
)

// fakeTest is a test whose failures are looked at.
type fakeTest struct {
	testing.TB
	cleanups []func()
	failures []string
}

func (f *fakeTest) Helper()          {}
func (f *fakeTest) Cleanup(c func()) { f.cleanups = append(f.cleanups, c) }
func (f *fakeTest) Error(args ...any) {
	f.failures = append(f.failures, fmt.Sprint(args...))
}
func (f *fakeTest) Errorf(format string, args ...any) {
	f.failures = append(f.failures, fmt.Sprintf(format, args...))
}
func (f *fakeTest) Fatal(args ...any) {
	f.Error(args...)
	panic(f)
}

// end ends the test, and returns its failures.
func (f *fakeTest) end() []string {
	for _, c := range slices.Backward(f.cleanups) {
		c()
	}
	return f.failures
}

func TestNewPool(t *testing.T) {
	f := &fakeTest{}
	p := rwtest.NewPool(f, 64<<10)
	block, ok := p.Acquire(4 << 10)
	share, err := p.NewShare(16<<10, 0, nil)
	room, err2 := p.Reserve(8 << 10)
	if !ok || err != nil || err2 != nil || !room.Charge(2<<10) {
		t.Fatal(ok, err, err2)
	}
	want := []string{
		"rwtest: not given back to the pool of 65536 bytes: 4096 bytes of blocks, 2048 bytes charged, 2 shares open, to which 24576 bytes are guaranteed",
		"memory: segments in use: 6144 bytes",
	}
	if got := f.end(); !slices.Equal(got, want) {
		t.Errorf("failures %q", got)
	}
	p.Release(block)
	room.Discharge(2 << 10)
	room.Close()
	share.Close()
	f.failures = nil
	if got := f.end(); len(got) != 0 {
		t.Errorf("failures %q", got)
	}
}

func TestNewPoolTooSmall(t *testing.T) {
	f := &fakeTest{}
	defer func() {
		if recover() != f || len(f.failures) != 1 {
			t.Errorf("failures %q", f.failures)
		}
	}()
	rwtest.NewPool(f, 1)
}

// closer fails to close.
type closer struct{ err error }

func (c closer) Close() error { return c.err }

func TestMustClose(t *testing.T) {
	f := &fakeTest{}
	rwtest.MustClose(f, closer{errors.New("left open")})
	rwtest.MustClose(f, closer{})
	if got := f.end(); !slices.Equal(got, []string{"left open"}) {
		t.Errorf("failures %q", got)
	}
}

// TestNoLeaks: a goroutine that waits in a connection is named with its stack; one that ends in time, or was there before, is not.
func TestNoLeaks(t *testing.T) {
	inWorld(t, func(w *world) {
		accept := func() (end func()) {
			l, err := w.Listen("server:0")
			if err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = l.Accept() }() // until it is closed
			synctest.Wait()
			return func() { _ = l.Close() }
		}
		defer accept()()

		f := &fakeTest{}
		rwtest.NoLeaks(f)
		end := accept()
		w.elapsed(2047*time.Millisecond, func() {
			got := f.end()
			if len(got) != 1 || !regexp.MustCompile(`^rwtest: left running: goroutine \d+ \[`).MatchString(got[0]) || !strings.Contains(got[0], "rwtest.(*Listener).Accept(") {
				t.Errorf("failures %q", got)
			}
		})

		f.failures = nil
		time.AfterFunc(time.Second, end)
		if got := f.end(); len(got) != 0 {
			t.Errorf("failures %q", got)
		}
	})
}
