package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// plainly returns the verdicts that one loop over the data gives, by the IDs of the strikes.
func plainly(strikes []Strike, rules []Rule) []verdict {
	list := make([]verdict, len(strikes))
	for i := range strikes {
		s := &strikes[i]
		list[i].ID = s.ID
		for k := range rules {
			if r := &rules[k]; !r.From.After(s.Date) {
				list[i].Version, list[i].Investigate = r.Version, r.applies(s)
			}
		}
	}
	return list
}

// check compares what the workers have found with a plain computation: every strike must have been judged once, by the rule that was in force, and each airport have been with one worker.
func check(c config, workers []*worker) error {
	var errs []error
	expect := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	want := plainly(c.strikes, c.rules)
	times := make([]int, len(want))
	owner := make(map[string]int)
	for i, w := range workers {
		expect(len(w.known) == len(c.rules), "worker %d knows %d of %d rules", i, len(w.known), len(c.rules))
		expect(len(w.held) == 0 && w.peak <= c.held, "worker %d held up to %d strikes, and holds %d at the end", i, w.peak, len(w.held))
		for airport := range w.airports {
			other, twice := owner[airport]
			expect(!twice, "strikes of %s are with worker %d and with worker %d", airport, other, i)
			owner[airport] = i
		}
		for _, v := range w.verdicts {
			if v.ID < 0 || int(v.ID) >= len(want) {
				return fmt.Errorf("a verdict on strike %d of %d", v.ID, len(want))
			}
			times[v.ID]++
			expect(v == want[v.ID], "strike %d was judged by rule %d, investigate %t; the plain computation says rule %d, %t",
				v.ID, v.Version, v.Investigate, want[v.ID].Version, want[v.ID].Investigate)
		}
	}
	for id, n := range times {
		expect(n == 1, "strike %d was judged %d times", id, n)
	}
	return errors.Join(errs...)
}

// report prints what each worker has done, and as its last line the totals, which are the same in every run.
func report(out io.Writer, c config, workers []*worker) error {
	var text strings.Builder
	tw := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "worker\tairports\tstrikes\tinvestigated\theld at most\t")
	airports, judged, investigated := 0, 0, 0
	var cost int64
	for i, w := range workers {
		n := 0
		for _, v := range w.verdicts {
			if v.Investigate {
				n++
				cost += c.strikes[v.ID].Cost
			}
		}
		fmt.Fprintf(tw, "%d\t%d\t%d\t%d\t%d\t\n", i, len(w.airports), len(w.verdicts), n, w.peak)
		airports += len(w.airports)
		judged += len(w.verdicts)
		investigated += n
	}
	_ = tw.Flush() // to a strings.Builder
	fmt.Fprintf(&text, "total strikes=%d airports=%d rules=%d investigated=%d cost=%d\n", judged, airports, len(c.rules), investigated, cost)
	_, err := io.WriteString(out, text.String())
	return err
}
