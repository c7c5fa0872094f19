package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/loopback"
	"github.com/rwgen/rwgen/examples/benchmarks/records/sample"
)

// tcpGap is the time between two records at 10,000 records a second.
const tcpGap = 100 * time.Microsecond

// tcpRecord is the size of the records of -tcp -latency.
const tcpRecord = 16

// tcpWays are the rows of -tcp -latency, the raw connection first.
func tcpWays(encrypted bool) []policy {
	way := func(name string, open func(size int, encrypted bool) (loopback.Line, error)) policy {
		return policy{name: name, start: func(arrived func(*sample.Record)) (func(*sample.Record) error, func() error, error) {
			line, err := open(tcpRecord, encrypted)
			if err != nil {
				return nil, nil, err
			}
			send, end := throughLine(line, arrived)
			return send, end, nil
		}}
	}
	return []policy{
		way("raw connection", loopback.RawLine),
		way("connection with blocks, to another goroutine", loopback.BlockLine),
		way("yamux stream", loopback.YamuxLine),
		way("gRPC, raw, a record a message", loopback.MessageLine),
		{name: "rwgen", start: func(arrived func(*sample.Record)) (func(*sample.Record) error, func() error, error) {
			ends, err := loopback.NewEnds(1, encrypted)
			if err != nil {
				return nil, nil, err
			}
			in, err := ends.Gate(0)
			if err != nil {
				return nil, nil, err
			}
			return throughEnds(ends.Output(0), in, ends.Close, arrived)
		}},
	}
}

// throughLine sends encoded records over a line and calls arrived for each after decoding it.
func throughLine(line loopback.Line, arrived func(*sample.Record)) (send func(*sample.Record) error, end func() error) {
	done := make(chan error, 1)
	go func() {
		var r sample.Record
		for {
			got, err := line.Receive()
			if err == nil {
				_, err = sample.RecordSerializer{}.Consume(got, &r)
			}
			if err == io.EOF {
				done <- nil
				return
			}
			if err != nil {
				done <- errors.Join(err, line.Close()) // so that sending fails too
				return
			}
			arrived(&r)
		}
	}()
	encoded := make([]byte, tcpRecord)
	send = func(r *sample.Record) error {
		n, err := sample.RecordSerializer{}.Put(encoded, r)
		if err != nil {
			return err
		}
		return line.Send(encoded[:n])
	}
	end = func() error { return errors.Join(line.End(), <-done, line.Close()) }
	return send, end
}

// tcpLatencies prints the median and the 99th percentile of every way, medians of o.rounds runs that take turns.
func tcpLatencies(ctx context.Context, o options, w, progress io.Writer) error {
	type figures struct{ p50, p99 []float64 }
	all := make([]figures, len(o.policies))
	fmt.Fprintf(progress, "%d records/s: ", time.Second/tcpGap)
	for range o.rounds {
		for i, p := range o.policies {
			took, err := latency(ctx, p, tcpGap, max(100, int(o.time/tcpGap)))
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			all[i].p50 = append(all[i].p50, micros(took[len(took)/2]))
			all[i].p99 = append(all[i].p99, micros(took[len(took)*99/100]))
		}
		fmt.Fprint(progress, ".")
	}
	fmt.Fprintln(progress)

	var raw50, raw99 float64
	if o.policies[0].name == tcpWays(o.tls)[0].name {
		raw50, raw99 = middle(all[0].p50), middle(all[0].p99)
	}
	fmt.Fprintf(w, "\nLatency of records of 16 bytes at %d records/s, in µs, and to that of the raw connection:\n\n", time.Second/tcpGap)
	fmt.Fprint(w, "| | p50 | p99 | p50 to raw | p99 to raw |\n|---|--:|--:|--:|--:|\n")
	for i, p := range o.policies {
		p50, p99 := middle(all[i].p50), middle(all[i].p99)
		fmt.Fprintf(w, "| %s | %.0f | %.0f | %s | %s |\n", p.name, p50, p99, ratio(p50, raw50), ratio(p99, raw99))
	}
	return nil
}
