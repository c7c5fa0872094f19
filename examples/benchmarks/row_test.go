package main

import (
	"testing"
)

// counts are numbers of records that leave batches and blocks empty, begun, exactly full, and full many times over.
var counts = []uint64{0, 1, 1000, 1024, 4096, 100_003}

func TestRowsMoveEveryRecordToItsPartition(t *testing.T) {
	for _, c := range cells {
		for _, r := range rows() {
			t.Run(c.String()+"/"+r.name, func(t *testing.T) {
				for _, n := range counts {
					_, got, err := run(r, c, n)
					if err != nil {
						t.Fatalf("%d records: %v", n, err)
					}
					want := make([]tally, c.lanes())
					for i := range n {
						s := sample(i)
						want[c.lane(partitionOf(&s, c.partitions))].add(&s)
					}
					if len(got) != len(want) {
						t.Fatalf("%d records: %d consumers, want %d", n, len(got), len(want))
					}
					for lane := range want {
						if got[lane] != want[lane] {
							t.Errorf("%d records: consumer %d saw %+v, want %+v", n, lane, got[lane], want[lane])
						}
					}
				}
			})
		}
	}
}

func TestExpectedIsTheSumOfAllSamples(t *testing.T) {
	for _, n := range counts {
		var want tally
		for i := range n {
			s := sample(i)
			want.add(&s)
		}
		if got := expected(n); got != want {
			t.Errorf("expected(%d) = %+v, want %+v", n, got, want)
		}
	}
}

// TestMeasureRefusesLoss shows that a row that loses, repeats or changes records does not get a figure.
func TestMeasureRefusesLoss(t *testing.T) {
	cheats := map[string]func(tally) tally{
		"loses a record":  func(t tally) tally { s := sample(7); t.count--; t.sum -= s.ID + 3*uint64(s.Value); return t },
		"miscounts":       func(t tally) tally { t.count++; return t },
		"changes a field": func(t tally) tally { t.sum++; return t },
	}
	honest := floorRow()
	for name, cheat := range cheats {
		t.Run(name, func(t *testing.T) {
			r := row{name: name, prepare: func(c cell, n uint64) (pipe, error) {
				p, err := honest.prepare(c, n)
				consume := p.consume[0]
				p.consume[0] = func() (tally, error) {
					got, err := consume()
					return cheat(got), err
				}
				return p, err
			}}
			if _, err := measure(r, cells[1], 5000); err == nil {
				t.Error("measure accepted it")
			}
		})
	}
	if _, err := measure(honest, cells[1], 5000); err != nil {
		t.Error(err)
	}
}
