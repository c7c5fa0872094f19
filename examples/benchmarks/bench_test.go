package main

import "testing"

// BenchmarkExchange measures every row in every cell: go test -bench '/P=4$/chan' and the like. One operation is one record.
func BenchmarkExchange(b *testing.B) {
	for _, c := range cells {
		b.Run(c.String(), func(b *testing.B) {
			for _, r := range rows() {
				b.Run(r.name, func(b *testing.B) {
					m, err := measure(r, c, uint64(b.N))
					if err != nil {
						b.Fatal(err)
					}
					b.SetBytes(encodedSize)
					// What preparation took does not count: the figures are those of the run itself.
					b.ReportMetric(float64(m.wall.Nanoseconds())/float64(b.N), "ns/op")
					b.ReportMetric(m.millions(), "Mrec/s")
					b.ReportMetric(m.cpuPerMillion(), "cpu-s/Mrec")
				})
			}
		})
	}
}
