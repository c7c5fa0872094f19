package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// report prints the first days and, as its last line, the totals.
func report(w io.Writer, flights int, days []day) error {
	var out strings.Builder
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "day\tairports\tflights\tmean delay\tbusiest\tflights\tworst\tmean delay\t")
	var airports int
	var delay int64
	for i, d := range days {
		airports += d.airports
		delay += d.delay
		if i < 7 {
			fmt.Fprintf(tw, "%s\t%d\t%d\t%.1f min\t%s\t%d\t%s\t%.1f min\t\n", firstDay().AddDate(0, 0, int(d.day)).Format("2006-01-02"), d.airports, d.flights,
				mean(d.delay, d.flights), d.busiest.Airport, d.busiest.Flights, d.worst.Airport, mean(d.worst.Delay, d.worst.Flights))
		}
	}
	_ = tw.Flush() // to a strings.Builder
	fmt.Fprintf(&out, "\ntotal flights=%d days=%d airports-by-day=%d delay=%d\n", flights, len(days), airports, delay)
	_, err := io.WriteString(w, out.String())
	return err
}

func mean(sum, n int64) float64 { return float64(sum) / float64(n) }
