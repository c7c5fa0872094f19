package main

import (
	"context"
	"io"
	"strings"
	"testing"
)

// TestCommand measures two rows of a shape for a moment.
func TestCommand(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want []string
	}{
		{"columns", nil, []string{"\nsmall\n", "limit by hand ", "mus ", "\nGoals: "}},
		{"best", []string{"-best"}, []string{"; nanoseconds a record, the best of 1 runs"}},
		{"Markdown", []string{"-markdown"}, []string{"\nsmall\n", "\n| limit by hand | copies | by the decoder | ", "\n|---|---|---|--:|", "\n| small | unmarshal, copy | mus | "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			args := append([]string{"-rounds", "1", "-time", "1us", "-shapes", "small", "-rows", "^limit by hand$|^rwgen$|^mus$"}, test.args...)
			if code := mainCode(t.Context(), args, &out, io.Discard); code != 0 {
				t.Fatalf("exit code %d", code)
			}
			for _, want := range test.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the output has no %q:\n%s", want, &out)
				}
			}
			if strings.Contains(out.String(), "msgp") || strings.Contains(out.String(), "order") {
				t.Errorf("the output has more than was asked for:\n%s", &out)
			}
		})
	}
}

// TestFlags holds the exit codes and what stands on the standard error output.
func TestFlags(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-help"}, 0, "-markdown"},
		{[]string{"more"}, 2, `unexpected argument "more"`},
		{[]string{"-rounds", "0"}, 2, "-rounds 0 is less than 1"},
		{[]string{"-time", "-1s"}, 2, "-time -1s is not positive"},
		{[]string{"-shapes", "("}, 2, "-shapes: error parsing regexp"},
		{[]string{"-rows", "("}, 2, "-rows: error parsing regexp"},
		{[]string{"-shapes", "large"}, 1, "no row of any shape matches"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			var stderr strings.Builder
			if code := mainCode(t.Context(), test.args, io.Discard, &stderr); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if !strings.Contains(stderr.String(), test.want) {
				t.Errorf("the error output has no %q:\n%s", test.want, &stderr)
			}
		})
	}
}

// TestInterrupted ends the command in front of the first run.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr strings.Builder
	if code := mainCode(ctx, []string{"-shapes", "small"}, io.Discard, &stderr); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if !strings.Contains(stderr.String(), context.Canceled.Error()) {
		t.Errorf("the error output does not name the cause:\n%s", &stderr)
	}
}

// TestJudge compares with peers of the same class only, and not with rows of rwgen.
func TestJudge(t *testing.T) {
	times := func(name string, view bool, marshal, unmarshal float64) result {
		return result{row: row{name: name, view: view, loops: noLoops{}}, nanos: [operations]float64{marshal, unmarshal, marshal + unmarshal}}
	}
	all := judge("small", []result{
		times("limit by hand", false, 10, 100),
		times("limit by hand, views", true, 10, 10),
		times("by hand, our bytes", false, 1, 2),
		times("rwgen", false, 21, 131),
		times("rwgen, record.Reflect", false, 5, 5),
		times("quick", true, 20, 20),
		times("slow", false, 30, 120),
		times("slower", false, 40, 140),
	})
	if len(all) != 2 {
		t.Fatalf("%d verdicts, want 2: there are no views of rwgen", len(all))
	}
	for i, want := range []struct {
		peer                  string
		peers, limits, others bool
		ours                  float64
	}{
		{"quick", true, false, true, 1},
		{"slow", false, false, true, 2},
	} {
		v := all[i]
		if v.peer.name != want.peer || v.peers() != want.peers || v.limits() != want.limits || v.others() != want.others || v.ours != want.ours {
			t.Errorf("%s: peer %s, met %t, %t, %t, by hand %v, want %+v", v.op, v.peer.name, v.peers(), v.limits(), v.others(), v.ours, want)
		}
	}
}

// noLoops are loops of nothing.
type noLoops struct{}

func (noLoops) MarshalAll(int) (int, error) { return 0, nil }
func (noLoops) UnmarshalAll(int) error      { return nil }
func (noLoops) RoundTrips(int) error        { return nil }

// TestMedian takes the middle.
func TestMedian(t *testing.T) {
	if got := median([]float64{5, 1, 3}); got != 3 {
		t.Errorf("of three %v, want 3", got)
	}
	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("of four %v, want 2.5", got)
	}
}
