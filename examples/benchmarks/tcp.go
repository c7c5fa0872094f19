package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/examples/benchmarks/internal/loopback"
	"github.com/rwgen/rwgen/examples/benchmarks/records/kilo"
	"github.com/rwgen/rwgen/examples/benchmarks/records/sample"
	"github.com/rwgen/rwgen/examples/benchmarks/records/text"
	"github.com/rwgen/rwgen/examples/benchmarks/records/view"
)

// tcpCells are the cells of the tables over TCP: a consumer each, or one for all.
var tcpCells = []harness.Cell{
	{Partitions: 4, Shared: true},
	{Partitions: 4},
	{Partitions: 100, Shared: true},
	{Partitions: 100},
	{Partitions: 1000, Shared: true},
	{Partitions: 1000},
}

// tcpTables are the tables of -tcp.
func tcpTables(encrypted bool) []table {
	of := func(name, title string, r loopback.Records) table {
		shape := harness.Shape{Rows: tcpRows(r, encrypted), Sum: r.Sum, Bytes: r.Size}
		return table{name, title, shape, tcpCells}
	}
	return []table{
		of("16B", "records of 16 bytes, two integers", sample.OverTCP()),
		of("100B", "records of 100 bytes, an integer and two strings", text.OverTCP()),
		of("100B-view", "records of 100 bytes whose strings are decoded as views", view.OverTCP()),
		of("1KiB", "records of 1 KiB, an integer and bytes", kilo.OverTCP()),
	}
}

// tcpRows are the rows of a table over TCP: what the connection allows, what is made by hand for one connection, and the others.
func tcpRows(r loopback.Records, encrypted bool) []harness.Row {
	rows := []harness.Row{
		loopback.Limit(r, 1, encrypted),
		loopback.Limit(r, 16, encrypted),
		loopback.LargeBlocks(r, encrypted),
		loopback.SmallBlocks(r, encrypted),
	}
	if !encrypted {
		rows = append(rows, loopback.ConnectionEach(r), loopback.Yamux(r), loopback.Messages(r), loopback.Batches(r), loopback.RawMessages(r))
	}
	return append(rows, loopback.Exchange(r, encrypted))
}

// tcpThroughputs measures and prints one table after the other, behind one of what the rows promise.
func tcpThroughputs(ctx context.Context, o options, stdout, progress io.Writer) error {
	fmt.Fprint(stdout, "\nOne producer, key hash over P partitions, both ends in one process.\n\n")
	fmt.Fprint(stdout, "| row | what it keeps |\n|---|---|\n")
	for _, r := range o.tables[0].shape.Rows {
		fmt.Fprintf(stdout, "| %s | %s |\n", r.Name, r.Keeps)
	}
	for _, t := range o.tables {
		columns, err := compare(ctx, o, t, progress)
		if err != nil {
			return err
		}
		if err := tcpReport(stdout, t, columns); err != nil {
			return err
		}
	}
	return nil
}

// tcpReport prints the medians of one table as Markdown: a line for each row in each cell.
func tcpReport(w io.Writer, t table, columns []column) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "\n%s: %s\n\n", t.name, t.title)
	fmt.Fprint(out, "| cell | row | MB/s of records | million records/s | to the best by hand | to the connection itself | CPU s/million |\n"+
		"|---|---|--:|--:|--:|--:|--:|\n")
	for _, c := range columns {
		_, best := c.reference()
		limit := c.limit()
		for _, s := range c.series {
			own, cpu := median(s.rounds, harness.Measurement.Millions), "–"
			if harness.ProcessTime() > 0 {
				cpu = fmt.Sprintf("%.3f", median(s.rounds, harness.Measurement.CPUPerMillion))
			}
			fmt.Fprintf(out, "| %s | %s | %.0f | %.3g | %s | %s | %s |\n",
				c.cell, s.row.Name, own*float64(t.shape.Bytes), own, ratio(own, best), ratio(own, limit), cpu)
		}
	}
	return out.Flush()
}

// limit returns what the connection itself allows, 0 if that was not measured.
func (c column) limit() (most float64) {
	for _, s := range c.series {
		if s.row.Limit {
			most = max(most, median(s.rounds, harness.Measurement.Millions))
		}
	}
	return most
}
