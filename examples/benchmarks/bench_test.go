package main

import (
	"testing"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
)

// BenchmarkExchange measures every row in every cell of every table: go test -bench '/^16B$/^P=4$/chan' and the like. One operation is one
// record.
func BenchmarkExchange(b *testing.B) { benchmarkTables(b, tables()) }

// BenchmarkTCP measures every row over TCP in the same way.
func BenchmarkTCP(b *testing.B) { benchmarkTables(b, tcpTables(false)) }

// BenchmarkTLS measures every row over TLS in the same way.
func BenchmarkTLS(b *testing.B) { benchmarkTables(b, tcpTables(true)) }

func benchmarkTables(b *testing.B, all []table) {
	for _, t := range all {
		b.Run(t.name, func(b *testing.B) {
			for _, c := range t.cells {
				b.Run(c.String(), func(b *testing.B) {
					for _, r := range t.shape.Rows {
						b.Run(r.Name, func(b *testing.B) { benchmark(b, t.shape, r, c) })
					}
				})
			}
		})
	}
}

// BenchmarkPolicies measures the flush policies at full speed.
func BenchmarkPolicies(b *testing.B) {
	shape, c := tables()[0].shape, harness.Cell{Partitions: 4}
	for _, p := range policies() {
		b.Run(p.name, func(b *testing.B) { benchmark(b, shape, p.full, c) })
	}
}

func benchmark(b *testing.B, s harness.Shape, r harness.Row, c harness.Cell) {
	m, err := harness.Measure(s, r, c, uint64(b.N))
	if err != nil {
		b.Fatal(err)
	}
	// What preparation took does not count: the figures are those of the run itself.
	b.ReportMetric(float64(m.Wall.Nanoseconds())/float64(b.N), "ns/op")
	b.ReportMetric(m.Millions(), "Mrec/s")
	b.ReportMetric(m.Millions()*float64(s.Bytes), "MB/s")
	b.ReportMetric(m.CPUPerMillion(), "cpu-s/Mrec")
}
