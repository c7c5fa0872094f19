package main

import (
	"regexp"
	"testing"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
)

// BenchmarkSerializers measures every operation of every row of every shape: go test -bench '/small/^unmarshal/rwgen' and the like. One
// operation is one record.
func BenchmarkSerializers(b *testing.B) {
	all, err := tables(regexp.MustCompile(""))
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range all {
		b.Run(t.name, func(b *testing.B) {
			for op := range operation(operations) {
				b.Run(op.String(), func(b *testing.B) {
					for _, r := range t.rows {
						b.Run(r.name, func(b *testing.B) { benchmark(b, op, r) })
					}
				})
			}
		})
	}
}

// benchmark runs all records in each iteration, in the loop of the row, and reports what one record took.
func benchmark(b *testing.B, op operation, r row) {
	b.ReportAllocs()
	b.SetBytes(int64(r.bytes * harness.Records))
	for b.Loop() {
		if err := op.run(r.loops, harness.Records); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/harness.Records, "ns/record")
}
