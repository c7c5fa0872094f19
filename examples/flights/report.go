package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// report prints the ten busiest origins and, as its last line, the totals.
func report(w io.Writer, c config, r result, took time.Duration) error {
	names := make([]string, 0, len(r.origins))
	for name := range r.origins {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(r.origins[b].flights, r.origins[a].flights), strings.Compare(a, b))
	})
	var out strings.Builder
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "origin\tflights\tmean delay\tworker\t")
	for _, name := range names[:min(10, len(names))] {
		o := r.origins[name]
		fmt.Fprintf(tw, "%s\t%d\t%.1f min\t%d\t\n", name, o.flights, float64(o.delay)/float64(o.flights), o.worker)
	}
	_ = tw.Flush() // to a strings.Builder
	fmt.Fprintln(&out)
	if r.skipped > 0 {
		fmt.Fprintf(&out, "skipped %d malformed rows\n", r.skipped)
	}
	if c.repeat > 1 {
		fmt.Fprintf(&out, "%d records in %.2fs: %.0f records/s\n", r.total.flights, took.Seconds(), float64(r.total.flights)/took.Seconds())
	}
	fmt.Fprintf(&out, "total flights=%d origins=%d delay=%d distance=%d\n", r.total.flights, len(r.origins), r.total.delay, r.total.distance)
	_, err := io.WriteString(w, out.String())
	return err
}
