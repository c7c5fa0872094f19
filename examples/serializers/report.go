package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
)

// conditions says what was measured where.
func conditions(o options) string {
	return fmt.Sprintf("%s, GOMAXPROCS %d, %s %s/%s; %s a record, %s of %d runs of about %v, rows taking turns",
		processor(), runtime.GOMAXPROCS(0), runtime.Version(), runtime.GOOS, runtime.GOARCH, choose(o.cpu, "nanoseconds of processor time", "nanoseconds"), choose(o.best, "the best", "medians"), o.rounds, o.time)
}

// A printer prints tables, as Markdown or in columns.
type printer struct {
	out      io.Writer
	markdown bool
}

// print prints a title and lines, the first of which is the head. The first columns, text of them, are not numbers.
func (p printer) print(title string, text int, lines [][]string) error {
	if !p.markdown {
		w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "\n%s\n\n", title)
		for _, l := range lines {
			fmt.Fprintln(w, strings.Join(l, "\t"))
		}
		return w.Flush()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\n", title)
	for i, l := range lines {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(l, " | "))
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", text) + strings.Repeat("--:|", len(l)-text) + "\n")
		}
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

// results prints a table: a line for each row, with the ratio of each figure to the limit of the row's class.
func (p printer) results(name string, results []result) error {
	lines := [][]string{{"row", "decoded strings", "reused value", "marshal", "×", "unmarshal, copy", "×", "unmarshal, views", "×", "round trip", "×", "bytes", "allocations"}}
	for _, r := range results {
		limit := limitOf(results, r.view)
		cell := func(op operation, there bool) (ns, ratio string) {
			if !there {
				return "", ""
			}
			return nanos(r.nanos[op]), times(r.nanos[op], limit.nanos[op])
		}
		line := []string{r.name, choose(r.view, "share the input", "copies"), choose(r.reset, "reset on the clock", "by the decoder")}
		for _, c := range []struct {
			op    operation
			there bool
		}{{marshal, true}, {unmarshal, !r.view}, {unmarshal, r.view}, {roundTrip, true}} {
			ns, ratio := cell(c.op, c.there)
			line = append(line, ns, ratio)
		}
		lines = append(lines, append(line, fmt.Sprintf("%.0f", r.bytes), fmt.Sprintf("%.2f", r.allocations)))
	}
	return p.print(name, 3, lines)
}

// limitOf returns the limit that a row is compared with; a result of zeros if it was not measured.
func limitOf(results []result, view bool) (limit result) {
	for _, r := range results {
		if r.name == harness.Limit && limit.name == "" || r.name == harness.LimitView && view {
			limit = r
		}
	}
	return limit
}

// verdicts prints how generated code stands in each cell.
func (p printer) verdicts(all []verdict) error {
	if len(all) == 0 {
		return nil
	}
	lines := [][]string{{"shape", "operation", "fastest peer",
		"rwgen", "peer", fmt.Sprintf("ratio, goal %.2f", toPeers), "limit", fmt.Sprintf("ratio, goal %.1f", toLimit), "by hand, our bytes", "ratio", "goal by peers not here", "missed"}}
	for _, v := range all {
		var missed []string
		for _, m := range []struct {
			met  bool
			what string
		}{{v.peers(), "peer"}, {v.limits(), "limit"}, {v.others(), "others"}} {
			if !m.met {
				missed = append(missed, m.what)
			}
		}
		op := v.op.String()
		if v.op == unmarshal {
			op += choose(v.view, ", views", ", copy")
		}
		elsewhere := "–"
		if v.elsewhere > 0 {
			elsewhere = fmt.Sprintf("%.2f", v.elsewhere)
		}
		peer := v.peer.nanos[v.op]
		lines = append(lines, []string{v.shape, op, v.peer.name, nanos(v.own), nanos(peer), times(v.own, peer), nanos(v.limit), times(v.own, v.limit),
			choose(v.ours > 0, nanos(v.ours), "–"), times(v.own, v.ours), elsewhere, strings.Join(missed, ", ")})
	}
	return p.print("Goals: ratios of rwgen to the fastest peer of the same class, to the limit, and to what is written by hand for the same bytes", 3, lines)
}

// choose is one of two words.
func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// nanos has three digits.
func nanos(ns float64) string {
	switch {
	case ns < 10:
		return fmt.Sprintf("%.2f", ns)
	case ns < 100:
		return fmt.Sprintf("%.1f", ns)
	default:
		return fmt.Sprintf("%.0f", ns)
	}
}

// times is a/b, or a dash when b was not measured.
func times(a, b float64) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", a/b)
}

// processor is the processor's name where the platform tells it, as Linux does, and its architecture elsewhere.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
