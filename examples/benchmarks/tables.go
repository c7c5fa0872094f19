package main

import (
	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/examples/benchmarks/records/flight"
	"github.com/rwgen/rwgen/examples/benchmarks/records/kilo"
	"github.com/rwgen/rwgen/examples/benchmarks/records/order"
	"github.com/rwgen/rwgen/examples/benchmarks/records/sample"
	"github.com/rwgen/rwgen/examples/benchmarks/records/text"
	"github.com/rwgen/rwgen/examples/benchmarks/records/view"
)

// A table is a shape of records in one scenario, with the cells that it is measured in.
type table struct {
	name  string
	title string
	shape harness.Shape
	cells []harness.Cell
}

// spread are the cells of the records of fixed size by hash: up to four partitions have a consumer each, many both a consumer each and
// one for all.
var spread = []harness.Cell{
	{Partitions: 1},
	{Partitions: 4},
	{Partitions: 100, Shared: true},
	{Partitions: 100},
	{Partitions: 1000, Shared: true},
	{Partitions: 1000},
}

// tables are all tables, as the package comment describes them.
func tables() []table {
	samples := sample.Shape()
	few := []harness.Cell{{Partitions: 4}, {Partitions: 100, Shared: true}}
	hundred := func(s harness.Scenario) []harness.Cell {
		return []harness.Cell{{Scenario: s, Partitions: 100, Shared: true}, {Scenario: s, Partitions: 100}}
	}
	return []table{
		{"16B", "records of 16 bytes, two integers", samples, spread},
		{"100B", "records of 100 bytes, an integer and two strings", text.Shape(), spread},
		{"100B-view", "records of 100 bytes whose strings are decoded as views", view.Shape(), spread},
		{"1KiB", "records of 1 KiB, an integer and bytes", kilo.Shape(), spread},
		{"flight", "the flights of examples/flights, by origin", flight.Shape(), few},
		{"order", "nested orders, by customer", order.Shape(), few},
		{"16B-skew", "records of 16 bytes, one for each channel and then all for channel 0", samples, hundred(harness.Skew)},
		{"16B-broadcast", "records of 16 bytes, each to all 100 channels and counted once", samples, hundred(harness.Broadcast)},
		{"16B-fanin", "records of 16 bytes, four writers and one consumer", samples, []harness.Cell{{Producers: 4, Partitions: 1}}},
	}
}
