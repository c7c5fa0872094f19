package main

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const lastLine = "total strikes=10000 airports=50 rules=48 investigated=3985 cost=37486502\n"

// TestRun checks the totals for all kinds of wiring. That every verdict is that of a plain computation is checked by the program itself.
func TestRun(t *testing.T) {
	for _, args := range []string{"", "-sources 1 -workers 1", "-sources 3 -workers 7", "-workers 60 -held 1", "-held 100000"} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), &out, &errs); code != 0 || errs.Len() > 0 {
			t.Fatalf("%s: exit code %d, stderr %q", args, code, &errs)
		}
		if !strings.HasSuffix(out.String(), "\n"+lastLine) {
			t.Errorf("%s: no %q at the end of\n%s", args, lastLine, &out)
		}
	}
}

// TestArguments checks every way to be refused.
func TestArguments(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
		want string // in the error
	}{
		{"-workers 0", 2, "at least 1"},
		{"-held -1", 2, "at least 1"},
		{"today", 2, "no other arguments"},
		{"-nonsense", 2, "-nonsense"},
		{"-h", 0, "-workers"},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(tt.args), &out, &errs); code != tt.code || !strings.Contains(errs.String(), tt.want) || out.Len() > 0 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q, want exit code %d and %q", tt.args, code, &out, &errs, tt.code, tt.want)
		}
	}
}

// input returns a configuration with the whole data set.
func input(t *testing.T) config {
	t.Helper()
	list, err := strikes()
	if err != nil {
		t.Fatal(err)
	}
	return config{strikes: list, rules: rulesOf(1991, 2002), sources: 2, workers: 3, held: 100}
}

// TestOrder checks that the verdicts do not depend on what comes first: all rules, or many strikes before each rule.
func TestOrder(t *testing.T) {
	t.Run("rules first", func(t *testing.T) {
		c := input(t)
		known := make(chan struct{})
		var once sync.Once
		c.before = func(_ context.Context, r *Rule) error {
			if int(r.Version) == len(c.rules) {
				once.Do(func() { close(known) })
			}
			return nil
		}
		c.sent = func(*Strike) { <-known }
		judged(t, c)
	})
	t.Run("strikes first", func(t *testing.T) {
		c := input(t)
		// So many strikes are accepted whatever workers do: a little of what they may hold and of what may be under way.
		const each = 10
		var sent atomic.Int64
		more := make(chan struct{}, 1)
		c.sent = func(*Strike) {
			sent.Add(1)
			select {
			case more <- struct{}{}:
			default:
			}
		}
		c.before = func(ctx context.Context, r *Rule) error {
			for sent.Load() < each*int64(r.Version) {
				select {
				case <-more:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		}
		judged(t, c)
	})
}

func judged(t *testing.T, c config) []*worker {
	t.Helper()
	workers, err := process(t.Context(), c)
	if err == nil {
		err = check(c, workers)
	}
	if err != nil {
		t.Fatal(err)
	}
	return workers
}

// TestFails checks that a failure of one stops all, and is what is reported.
func TestFails(t *testing.T) {
	cause := errors.New("no more rules")
	c := input(t)
	c.before = func(_ context.Context, r *Rule) error {
		if r.Version == 3 {
			return cause
		}
		return nil
	}
	if _, err := process(t.Context(), c); !errors.Is(err, cause) {
		t.Errorf("failing rules: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	c.before = func(_ context.Context, r *Rule) error {
		cancel(cause)
		return nil
	}
	if _, err := process(ctx, c); !errors.Is(err, cause) {
		t.Errorf("canceled: %v", err)
	}
}

// TestCheck checks that wrong verdicts are noticed.
func TestCheck(t *testing.T) {
	c := input(t)
	for name, spoil := range map[string]func([]*worker){
		"judged by rule":         func(w []*worker) { w[0].verdicts[100].Version++ },
		"was judged 0 times":     func(w []*worker) { w[1].verdicts = w[1].verdicts[1:] },
		"was judged 2 times":     func(w []*worker) { w[2].verdicts = append(w[2].verdicts, w[2].verdicts[0]) },
		"a verdict on strike":    func(w []*worker) { w[0].verdicts[0].ID = -1 },
		"knows 47 of 48 rules":   func(w []*worker) { w[0].known = w[0].known[1:] },
		"with worker 0 and with": func(w []*worker) { w[1].airports = w[0].airports },
		"holds 1 at the end":     func(w []*worker) { w[0].held = make([]Strike, 1) },
	} {
		workers := judged(t, c)
		spoil(workers)
		if err := check(c, workers); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}

// TestInForce checks which rule holds on and around the day of a change.
func TestInForce(t *testing.T) {
	rules := rulesOf(1999, 2000)
	for day, version := range map[string]int32{
		"1998-12-31": 0, "1999-01-01": 1, "1999-03-31": 1, "1999-04-01": 2, "2000-10-01": 8, "2030-01-01": 8,
	} {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		var got int32
		if r := inForce(rules, at); r != nil {
			got = r.Version
		}
		if got != version {
			t.Errorf("%s: rule %d, want %d", day, got, version)
		}
	}
}

// TestParse checks good rows and bad ones.
func TestParse(t *testing.T) {
	const head = "date,airport,size,species,cost\n"
	got, err := parse(strings.NewReader(head + "1990-01-08,\"O'HARE, CHICAGO\",Large,Turkey vulture,12\n1990-01-08,A,Small,Gull,0\n"))
	want := []Strike{
		{ID: 0, Date: time.Date(1990, 1, 8, 0, 0, 0, 0, time.UTC), Airport: "O'HARE, CHICAGO", Species: "Turkey vulture", Size: Large, Cost: 12},
		{ID: 1, Date: time.Date(1990, 1, 8, 0, 0, 0, 0, time.UTC), Airport: "A", Species: "Gull", Size: Small},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for row, reason := range map[string]string{
		"1990-13-08,A,Large,B,1\n":                         "line 2: parsing time",
		"1990-01-08,A,Huge,B,1\n":                          `line 2: unknown size "Huge"`,
		"1990-01-08,A,Large,B,much\n":                      `line 2: strconv.ParseInt: parsing "much"`,
		"1990-01-08,A,Large,1\n":                           "wrong number of fields",
		"1990-01-08,A,Large,B,1\n1990-01-07,A,Small,B,1\n": "line 3: the date is before",
	} {
		if _, err := parse(strings.NewReader(head + row)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want %q", row, err, reason)
		}
	}
}
