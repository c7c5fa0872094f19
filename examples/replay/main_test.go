package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/rwgen/rwgen/runtime/tape"
)

// TestMain fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// try runs the program and returns what it printed.
func try(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(ctx, args, &out, &errs)
	return code, out.String(), errs.String()
}

// TestRun checks what the program prints as far as it is the same in every run.
func TestRun(t *testing.T) {
	code, out, errs := try(t.Context())
	if code != 0 || errs != "" {
		t.Fatalf("exit code %d, stderr %q", code, errs)
	}
	for _, want := range []string{
		`(?m)^taped     flights=20000 delay=596660 distance=27862731, \d+ bytes in 2 files$`,
		`(?m)^replayed  flights=20000 delay=596660 distance=27862731$`,
		`(?m)^resumed   flights=20000 delay=596660 distance=27862731, after 999\d flights$`,
		`\ntotal flights=20000 delay=596660 distance=27862731 origins=12\n$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// TestSeeds runs other data, none included: the program itself compares the runs.
func TestSeeds(t *testing.T) {
	for _, args := range []string{"-flights 0", "-flights 1 -seed 9", "-flights 3 -seed 4", "-flights 777 -seed 5", "-flights 5000 -seed 6"} {
		if code, out, errs := try(t.Context(), strings.Fields(args)...); code != 0 || !strings.Contains(out, "\ntotal flights=") {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", args, code, out, errs)
		}
	}
}

// TestKept checks that -dir keeps tapes that are whole.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := try(t.Context(), "-dir", dir, "-flights", "500"); code != 0 {
		t.Fatalf("exit code %d, stderr %q", code, errs)
	}
	tapes, err := openTapes(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, tp := range tapes {
		if h := tp.Header(); h.Topology.Producer != i || h.Lanes != workers || h.Key != "Origin" || h.Record != "Flight" {
			t.Errorf("tape %d: header %+v", i, h)
		}
		if err := errors.Join(tp.Verify(t.Context()), tp.Close()); err != nil {
			t.Errorf("tape %d: %v", i, err)
		}
	}
}

// TestDamaged checks that a tape that was cut or changed is no silent loss.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	if _, err := record(t.Context(), config{flights: 500, dir: dir}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path(dir, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path(dir, 1), b[:len(b)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := openTapes(dir); !errors.Is(err, tape.ErrTruncated) {
		t.Errorf("half a tape: %v", err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(path(dir, 1), b, 0o644); err != nil {
		t.Fatal(err)
	}
	tapes, err := openTapes(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replay(t.Context(), tapes, nil, newTotals()); !errors.Is(err, tape.ErrCorrupt) {
		t.Errorf("a changed byte: %v", err)
	}
	for _, tp := range tapes {
		if err := tp.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestErrors checks every way to be refused, and that nothing is printed as a result then.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"-flights -1", 2, "must not be negative"},
		{"file.tape", 2, "no other arguments"},
		{"-nonsense", 2, "-nonsense"},
		{"-dir " + filepath.Join(t.TempDir(), "none"), 1, "first run: "},
	} {
		if code, out, errs := try(t.Context(), strings.Fields(tt.args)...); code != tt.code || out != "" || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", tt.args, code, out, errs)
		}
	}
	if code, _, errs := try(t.Context(), "-h"); code != 0 || !strings.Contains(errs, "-seed") {
		t.Errorf("-h: exit code %d, %q", code, errs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, out, errs := try(ctx); code != 1 || out != "" || !strings.Contains(errs, "context canceled") {
		t.Errorf("interrupted: exit code %d, stdout %q, stderr %q", code, out, errs)
	}
}

// TestEqual checks that totals that differ are noticed.
func TestEqual(t *testing.T) {
	a, b := newTotals(), newTotals()
	a.count(&Flight{Origin: "ATL", Delay: 1})
	if err := a.equal(b); err == nil || err.Error() != "0 origins, not 1" {
		t.Errorf("%v", err)
	}
	b.count(&Flight{Origin: "ATL", Delay: 2})
	if err := a.equal(b); err == nil || err.Error() != "origin ATL has flights=1 delay=2 distance=0, not flights=1 delay=1 distance=0" {
		t.Errorf("%v", err)
	}
}
