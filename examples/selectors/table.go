package main

import (
	"bytes"
	"fmt"
	"io"
)

// run measures and writes the tables in Markdown.
func run(w io.Writer, sz size) error {
	r, err := measure(sz)
	if err != nil {
		return err
	}
	q, err := backlogs(sz)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	imbalanceTable(&b, r)
	b.WriteByte('\n')
	backlogTable(&b, q)
	_, err = w.Write(b.Bytes())
	return err
}

func imbalanceTable(b *bytes.Buffer, r results) {
	b.WriteString("| greatest load / average load |")
	for _, keys := range []string{"uniform", "Zipf"} {
		for _, n := range consumers {
			fmt.Fprintf(b, " %s, %d |", keys, n)
		}
	}
	b.WriteString("\n|---|")
	for range 2 * len(consumers) {
		b.WriteString("--:|")
	}
	b.WriteByte('\n')
	for i, rule := range rules {
		fmt.Fprintf(b, "| %s |", rule.name)
		for _, figures := range r[i] {
			for _, x := range figures {
				switch {
				case x == 0:
					b.WriteString(" – |")
				case x < 10:
					fmt.Fprintf(b, " %.2f |", x)
				default:
					fmt.Fprintf(b, " %.1f |", x)
				}
			}
		}
		b.WriteByte('\n')
	}
}

func backlogTable(b *bytes.Buffer, backlogs [][2]int64) {
	b.WriteString("| longest queue, KiB | equal speed | one consumer of half the speed |\n|---|--:|--:|\n")
	for i, rule := range rules {
		if !rule.queued {
			continue
		}
		fmt.Fprintf(b, "| %s | %.1f | %.1f |\n", rule.name, float64(backlogs[i][0])/1024, float64(backlogs[i][1])/1024)
	}
}
