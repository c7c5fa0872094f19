package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/memory"
)

// TestRun checks what the program prints as far as it is the same in every run.
func TestRun(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), nil, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("exit code %d, stderr %q", code, &errs)
	}
	for _, want := range []string{
		`(?m)^ *balances +4 +24096 +1193336 +\S+ *$`, // 24 limits to 4 workers
		`(?m)^ *alerts +3 +239 +12092 +\S+ *$`,
		`(?m)^ *audit +2 +\d+ +\d+ +0s *$`, // it never waits
		`(?m)^memory: at most \d+ bytes in blocks, and \d+ reserved for large records, of 1048576$`,
		`(?m)^one more exchange: exchange: .*insufficient memory: \d+ bytes are to be guaranteed, \d+ of 1048576 are guaranteed already$`,
		`\ntotal payments=24000 cents=94398580 limits=24 alerts=239\n$`,
	} {
		if !regexp.MustCompile(want).Match(out.Bytes()) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
	shares := regexp.MustCompile(`audit: (\d+) payments to auditors, (\d+) to the spill`).FindStringSubmatch(out.String())
	if len(shares) != 3 || number(t, shares[1])+number(t, shares[2]) != 24_000 {
		t.Errorf("audit: %q, want 24000 together", shares)
	}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestArguments checks days of other sizes, and every way to be refused.
func TestArguments(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
		want string // in the output, or in the error
	}{
		{"-payments 0", 0, "total payments=0 cents=0 limits=24 alerts=0\n"},
		{"-payments 1", 0, "total payments=1 "},
		{"-payments 1000 -seed 2 -memory 65536", 0, "total payments=1000 "},
		{"-payments 1000 -memory 67108864", 0, "insufficient memory"}, // one more exchange does not fit into any budget
		{"-memory 1000", 1, "edges: memory: insufficient memory"},
		{"-memory 8192", 1, "insufficient memory"},
		{"-payments -1", 2, "must not be negative"},
		{"today", 2, "no other arguments"},
		{"-nonsense", 2, "-nonsense"},
		{"-h", 0, ""},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), strings.Fields(tt.args), &out, &errs)
		said := &out
		if code != 0 {
			said = &errs
		}
		if code != tt.code || !strings.Contains(said.String(), tt.want) || code != 0 && out.Len() > 0 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q, want exit code %d and %q", tt.args, code, &out, &errs, tt.code, tt.want)
		}
	}
}

// held is a spill that lets auditors begin when the first payment is diverted, so that one is.
type held struct {
	bytes.Buffer
	first Entry
	begin chan struct{}
	once  sync.Once
}

func newHeld() *held { return &held{begin: make(chan struct{})} }

func (h *held) Write(p []byte) (int, error) {
	var err error
	h.once.Do(func() {
		_, err = EntrySerializer{}.Consume(p, &h.first)
		close(h.begin)
	})
	if err != nil {
		return 0, err
	}
	return h.Buffer.Write(p)
}

func (h *held) wait(ctx context.Context) error {
	select {
	case <-h.begin:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// TestDiverts checks that auditors who do not move hold up nobody else, and that what they have no room for is in the spill.
func TestDiverts(t *testing.T) {
	spill := newHeld()
	r, err := process(t.Context(), config{
		memory: 256 << 10, hours: hours(3, 10_000), spill: spill,
		audit: func(ctx context.Context, _ *Entry) error { return spill.wait(ctx) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := readSpill(&spill.Buffer)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.check(ids); err != nil {
		t.Fatal(err)
	}
	if r.sent.audited == 0 || r.sent.diverted == 0 || r.sent.payments != 10_000 {
		t.Errorf("%d audited and %d diverted of %d", r.sent.audited, r.sent.diverted, r.sent.payments)
	}
}

// TestResumes checks that auditors get payments again after they had no room: the day goes on until one of them has seen a later payment than the first diverted one.
func TestResumes(t *testing.T) {
	spill := newHeld()
	resumed := make(chan struct{})
	var once sync.Once
	r, err := process(t.Context(), config{
		memory: 256 << 10, spill: spill,
		hours: func(yield func(Entry, []Entry) bool) {
			for id := int64(0); ; {
				for limit, payments := range hours(3, 2400) {
					select {
					case <-resumed:
						return
					case <-t.Context().Done():
						return
					default:
					}
					for i := range payments {
						payments[i].ID = id
						id++
					}
					if !yield(limit, payments) {
						return
					}
				}
			}
		},
		audit: func(ctx context.Context, p *Entry) error {
			if err := spill.wait(ctx); err != nil {
				return err
			}
			if p.ID > spill.first.ID {
				once.Do(func() { close(resumed) })
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := readSpill(&spill.Buffer)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.check(ids); err != nil {
		t.Fatal(err)
	}
	if r.sent.resumed == 0 || ids[0] != spill.first.ID {
		t.Errorf("%d times there was room again; first diverted %d, in the spill %d", r.sent.resumed, spill.first.ID, ids[0])
	}
}

// TestFailures checks that whatever fails stops everything, and is what is reported.
func TestFailures(t *testing.T) {
	errBroken := errors.New("broken")
	endless := func(yield func(Entry, []Entry) bool) {
		for {
			for limit, payments := range hours(1, 24_000) {
				if !yield(limit, payments) {
					return
				}
			}
		}
	}
	for name, c := range map[string]config{
		"auditor": {hours: endless, spill: io.Discard, audit: func(context.Context, *Entry) error { return errBroken }},
		"spill":   {hours: endless, spill: brokenSpill{errBroken}, audit: func(ctx context.Context, _ *Entry) error { <-ctx.Done(); return nil }},
		"kind": {spill: io.Discard, hours: iter.Seq2[Entry, []Entry](func(yield func(Entry, []Entry) bool) {
			yield(Entry{Kind: 7}, nil)
		})},
	} {
		c.memory = 256 << 10
		_, err := process(t.Context(), c)
		if name == "kind" {
			if err == nil || !strings.Contains(err.Error(), "of balances: an entry of kind 7") {
				t.Errorf("%s: %v", name, err)
			}
		} else if !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := process(ctx, config{memory: 256 << 10, hours: endless, spill: io.Discard, audit: func(context.Context, *Entry) error {
		cancel(errBroken)
		return nil
	}})
	if !errors.Is(err, errBroken) {
		t.Errorf("canceled: %v", err)
	}
}

type brokenSpill struct{ err error }

func (b brokenSpill) Write([]byte) (int, error) { return 0, b.err }

// TestCheck checks that nothing that goes wrong is overlooked.
func TestCheck(t *testing.T) {
	spill := newHeld()
	good, err := process(t.Context(), config{
		memory: 256 << 10, hours: hours(3, 10_000), spill: spill,
		audit: func(ctx context.Context, _ *Entry) error { return spill.wait(ctx) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := readSpill(&spill.Buffer)
	if err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(r *result, ids *[]int64){
		"came 0 times":              func(_ *result, ids *[]int64) { *ids = (*ids)[1:] },
		"came 2 times":              func(r *result, _ *[]int64) { c := &r.received[balances][0].payments; *c = append(*c, (*c)[0]) },
		"edge 1: payment 10000":     func(_ *result, ids *[]int64) { *ids = append(*ids, 10_000) },
		"payments came":             func(r *result, _ *[]int64) { r.sent.audited-- },
		"were diverted":             func(r *result, _ *[]int64) { r.sent.diverted-- },
		"with worker 0 and":         func(r *result, _ *[]int64) { r.received[balances][1] = r.received[balances][0] },
		"limits":                    func(r *result, _ *[]int64) { r.received[balances][0].limits-- },
		"cents":                     func(r *result, _ *[]int64) { r.sent.cents++ },
		"workers found":             func(r *result, _ *[]int64) { r.received[balances][0].above = nil },
		"desk 0":                    func(r *result, _ *[]int64) { slices.Reverse(r.received[alerts][0].payments) },
		"reserved of":               func(r *result, _ *[]int64) { r.memory.Peak = r.memory.Limit },
		"not given back":            func(r *result, _ *[]int64) { r.memory.Used = 1024 },
		"does not fit: <nil>":       func(r *result, _ *[]int64) { r.refused = nil },
		"does not fit: memory: poo": func(r *result, _ *[]int64) { r.refused = memory.ErrClosed },
	} {
		bad, badIDs := good, slices.Clone(ids)
		for edge := range bad.received {
			bad.received[edge] = nil
			for _, c := range good.received[edge] {
				own := *c
				own.payments = slices.Clone(c.payments)
				bad.received[edge] = append(bad.received[edge], &own)
			}
		}
		spoil(&bad, &badIDs)
		if err := bad.check(badIDs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := good.check(ids); err != nil {
		t.Error(err)
	}
	if _, err := readSpill(strings.NewReader("\x01")); err == nil {
		t.Error("a damaged spill was read")
	}
}
