package tape_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
)

// BenchmarkTee compares an edge of four channels with and without a tee, by record size; the tape goes nowhere.
func BenchmarkTee(b *testing.B) {
	for _, size := range []struct {
		name string
		pad  int
	}{{"16B", 7}, {"100B", 91}, {"1KiB", 1015}} {
		for _, tee := range []bool{false, true} {
			name := size.name + "/plain"
			if tee {
				name = size.name + "/tee"
			}
			b.Run(name, func(b *testing.B) {
				x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 4})
				if err != nil {
					b.Fatal(err)
				}
				var out partition.Output = x.Partition(0)
				if tee {
					out = tape.NewTee(out, discard{})
				}
				w := newWriter(b, out)
				var wg sync.WaitGroup
				for i := range 4 {
					wg.Go(func() {
						if err := drop(b, x.Gate(i)); err != nil {
							b.Error(err)
						}
					})
				}
				v := item{Pad: make([]byte, size.pad)}
				b.SetBytes(int64(size.pad + 9))
				for b.Loop() {
					v.Lane = (v.Lane + 1) % 4
					if err := w.Emit(b.Context(), &v); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
				wg.Wait()
				if err := x.Close(b.Context()); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkRecord writes to a recorder without an edge, by record size, on one goroutine: what a tape costs, and its writer.
func BenchmarkRecord(b *testing.B) {
	for _, size := range []struct {
		name string
		pad  int
	}{{"16B", 7}, {"100B", 91}, {"1KiB", 1015}} {
		b.Run(size.name, func(b *testing.B) {
			rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 4}}, discard{})
			if err != nil {
				b.Fatal(err)
			}
			w := newWriter(b, rec)
			v := item{Pad: make([]byte, size.pad)}
			b.SetBytes(int64(size.pad + 9))
			for b.Loop() {
				v.Lane = (v.Lane + 1) % 4
				if err := w.Emit(b.Context(), &v); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkRead reads a tape of 100-byte records.
func BenchmarkRead(b *testing.B) {
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 4}}, &file)
	if err != nil {
		b.Fatal(err)
	}
	w := newWriter(b, rec)
	const records = 100_000
	v := item{Pad: make([]byte, 91)}
	for range records {
		v.Lane = (v.Lane + 1) % 4
		if err := w.Emit(b.Context(), &v); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	tp := open(b, file.Bytes())
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		c := tp.Cursor()
		n := 0
		for {
			_, ok, err := c.Next(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			if !ok {
				break
			}
			n++
		}
		if n != records {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/records, "ns/record")
}
