package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/metrics"
)

// check compares what was sent with what was received and what is in the spill. Everything has to be there exactly once.
func (r *result) check(spilled []int64) error {
	var errs []error
	expect := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	for edge, more := range map[int][]int64{balances: nil, audit: spilled} {
		seen := make([]int, r.sent.payments)
		for _, id := range slices.Concat(idsOf(r.received[edge]), more) {
			if id < 0 || id >= int64(len(seen)) {
				return fmt.Errorf("edge %d: payment %d of %d", edge, id, len(seen))
			}
			seen[id]++
		}
		for id, times := range seen {
			expect(times == 1, "edge %d: payment %d came %d times", edge, id, times)
		}
	}
	expect(len(idsOf(r.received[audit])) == r.sent.audited, "audit: %d payments came, %d were sent", len(idsOf(r.received[audit])), r.sent.audited)
	expect(len(spilled) == r.sent.diverted, "spill: %d payments, %d were diverted", len(spilled), r.sent.diverted)
	expect(r.sent.audited+r.sent.diverted == r.sent.payments, "audit: %d accepted and %d diverted of %d payments", r.sent.audited, r.sent.diverted, r.sent.payments)

	owner := make(map[string]int)
	var cents int64
	var above []int64
	for i, c := range r.received[balances] {
		for card := range c.balances {
			other, twice := owner[card]
			expect(!twice, "balances: card %s is with worker %d and with worker %d", card, other, i)
			owner[card] = i
		}
		expect(c.limits == r.sent.limits, "balances: worker %d got %d of %d limits", i, c.limits, r.sent.limits)
		cents += c.cents
		above = append(above, c.above...)
	}
	expect(cents == r.sent.cents, "balances: %d cents of %d", cents, r.sent.cents)
	// Workers judge by the limits that came to them between the payments: if one had come late or early, they would find others than the task.
	slices.Sort(above)
	expect(slices.Equal(above, r.sent.alerts), "balances: workers found %d payments above the limit, the task %d", len(above), len(r.sent.alerts))
	for i, c := range r.received[alerts] {
		expect(slices.Equal(c.payments, r.sent.alerts), "alerts: desk %d got %d of %d, or in another order", i, len(c.payments), len(r.sent.alerts))
	}

	m := r.memory
	expect(m.Peak+m.Reserved <= m.Limit, "memory: %d bytes in blocks and %d reserved of %d", m.Peak, m.Reserved, m.Limit)
	expect(m.Used == 0, "memory: %d bytes were not given back", m.Used)
	expect(errors.Is(r.refused, memory.ErrInsufficient), "the exchange that does not fit: %v", r.refused)
	return errors.Join(errs...)
}

// idsOf returns what all consumers of an edge have received.
func idsOf(consumers []*consumer) (ids []int64) {
	for _, c := range consumers {
		ids = append(ids, c.payments...)
	}
	return ids
}

// print prints the counters of the edges, the memory, and as its last line the totals, which are the same in every run. A setting counts once for each worker, an alert once for
// all desks.
func (r *result) print(w io.Writer) error {
	var out strings.Builder
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "edge\tconsumers\trecords\tbytes\tblocked\t")
	for _, e := range r.edges {
		at := slices.IndexFunc(r.counters, func(m metrics.Writer) bool { return m.Name == e.name })
		if at < 0 {
			return fmt.Errorf("no counters of %s", e.name)
		}
		m := r.counters[at]
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%v\t\n", m.Name, e.consumers, m.Records, m.Bytes, m.Blocked.Round(10*time.Microsecond))
	}
	_ = tw.Flush() // to a strings.Builder
	m := r.memory
	fmt.Fprintf(&out, "\naudit: %d payments to auditors, %d to the spill; there was room again %d times\n", r.sent.audited, r.sent.diverted, r.sent.resumed)
	fmt.Fprintf(&out, "memory: at most %d bytes in blocks, and %d reserved for large records, of %d\n", m.Peak, m.Reserved, m.Limit)
	fmt.Fprintf(&out, "one more exchange: %v\n", r.refused)
	fmt.Fprintf(&out, "total payments=%d cents=%d limits=%d alerts=%d\n", r.sent.payments, r.sent.cents, r.sent.limits, len(r.sent.alerts))
	_, err := io.WriteString(w, out.String())
	return err
}
