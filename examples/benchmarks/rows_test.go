package main

import (
	"testing"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// counts are numbers of records that leave batches and blocks empty, begun, exactly full, and full many times over; few for the
// cells that take long.
func counts(c harness.Cell) []uint64 {
	switch {
	case c.Partitions == 1000 && testing.Short():
		return nil
	case c.Scenario == harness.Broadcast || c.Partitions == 1000:
		return []uint64{5003}
	case testing.Short():
		return []uint64{1, 10_007}
	}
	return []uint64{0, 1, 1024, 20_003}
}

// TestRowsMoveEveryRecordToItsPartition compares what each consumer saw with what the floor counted for it by hashing the keys, and their
// total with the sum that is known without going through the records.
func TestRowsMoveEveryRecordToItsPartition(t *testing.T) {
	for _, tab := range tables() {
		for _, c := range tab.cells {
			for _, n := range counts(c) {
				want := place(t, tab.shape, c, n)
				for _, r := range tab.shape.Rows[1:] {
					_, got, err := harness.Run(r, c, n)
					if err != nil {
						t.Fatalf("%s %s, %s, %d records: %v", tab.name, c, r.Name, n, err)
					}
					if len(got) != len(want) {
						t.Fatalf("%s %s, %s, %d records: %d consumers, want %d", tab.name, c, r.Name, n, len(got), len(want))
					}
					for lane := range want {
						if got[lane] != want[lane] {
							t.Errorf("%s %s, %s, %d records: consumer %d saw %+v, want %+v", tab.name, c, r.Name, n, lane, got[lane], want[lane])
						}
					}
				}
			}
		}
	}
}

// place returns what the floor counts by consumer, after a check of the total.
func place(t *testing.T, s harness.Shape, c harness.Cell, n uint64) []harness.Tally {
	t.Helper()
	_, want, err := harness.Run(s.Row("floor"), c, n)
	if err != nil {
		t.Fatal(err)
	}
	var total harness.Tally
	for _, w := range want {
		total.Merge(w)
	}
	copies := uint64(c.Copies())
	if known := (harness.Tally{Count: n * copies, Sum: s.Sum(c, n) * copies}); total != known {
		t.Fatalf("%s, %d records: the floor counts %+v, want %+v", c, n, total, known)
	}
	return want
}

// TestScenarios checks where the records of skewed and of broadcast cells go.
func TestScenarios(t *testing.T) {
	const n = 3000
	for _, tab := range tables() {
		for _, c := range tab.cells {
			if c.Scenario == harness.Spread || c.Shared {
				continue
			}
			for lane, got := range place(t, tab.shape, c, n) {
				want := uint64(n)
				if c.Scenario == harness.Skew {
					if want = 1; lane == 0 {
						want = n - uint64(c.Partitions) + 1
					}
				}
				if got.Count != want {
					t.Errorf("%s %s: %d of %d records for channel %d, want %d", tab.name, c, got.Count, n, lane, want)
				}
			}
		}
	}
}

// TestSizes holds the names of the tables to what the records take.
func TestSizes(t *testing.T) {
	want := map[string]int{"16B": 16, "100B": 100, "100B-view": 100, "1KiB": 1024}
	for _, tab := range tables() {
		if size, named := want[tab.name]; named && tab.shape.Bytes != size {
			t.Errorf("records of %s take %d bytes on average, want %d", tab.name, tab.shape.Bytes, size)
		}
	}
}

// TestMeasureRefusesLoss shows that a row that loses, repeats or changes records does not get a figure.
func TestMeasureRefusesLoss(t *testing.T) {
	shape := tables()[0].shape
	cell := harness.Cell{Partitions: 4}
	honest := shape.Row("floor")
	for name, cheat := range map[string]func(*harness.Tally){
		"nothing":          func(*harness.Tally) {},
		"loses a record":   func(t *harness.Tally) { t.Count-- },
		"repeats a record": func(t *harness.Tally) { t.Count++ },
		"changes a field":  func(t *harness.Tally) { t.Sum++ },
	} {
		t.Run(name, func(t *testing.T) {
			r := harness.Row{Name: name, Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
				p, err := honest.Prepare(c, n)
				consume := p.Consume[0]
				p.Consume[0] = func() (harness.Tally, error) {
					got, err := consume()
					cheat(&got)
					return got, err
				}
				return p, err
			}}
			if _, err := harness.Measure(shape, r, cell, 5000); (err == nil) != (name == "nothing") {
				t.Errorf("Measure returned %v", err)
			}
		})
	}
}
