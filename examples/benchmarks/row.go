package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/rwgen/rwgen/runtime/writer"
)

// A row is one way to move records from a producer to consumers.
type row struct {
	name     string
	handMade bool // competes for the best of what is made by hand
	// prepare builds everything for one run; it is not measured.
	prepare func(c cell, n uint64) (pipe, error)
}

// A pipe is a prepared run: each function is called once, each in a goroutine of its own.
type pipe struct {
	produce func() error
	consume []func() (tally, error)
	// close, if not nil, is called after all of them have returned; it is not measured.
	close func() error
}

// rows are all rows, the floor first and rwgen last.
func rows() []row {
	return []row{
		floorRow(),
		recordsRow(1024),
		batchesRow(128),
		batchesRow(1024),
		blocksRow(4 << 10),
		blocksRow(32 << 10),
		exchangeRow("rwgen"),
		exchangeRow("rwgen, full blocks", writer.FlushOnFull()),
	}
}

// A measurement is what one run took.
type measurement struct {
	records uint64
	wall    time.Duration
	cpu     time.Duration // of the whole process, user and system; 0 where the platform does not tell
}

// millions is the throughput in million records a second.
func (m measurement) millions() float64 {
	return float64(m.records) / 1e6 / m.wall.Seconds()
}

// cpuPerMillion is the processor time in seconds that a million records took, over all cores.
func (m measurement) cpuPerMillion() float64 {
	return m.cpu.Seconds() / (float64(m.records) / 1e6)
}

// measure moves n records through the row and checks that exactly these arrived. The clock runs from the first record until the last
// consumer has seen the end.
func measure(r row, c cell, n uint64) (measurement, error) {
	m, tallies, err := run(r, c, n)
	if err != nil {
		return measurement{}, fmt.Errorf("%s at %s: %w", r.name, c, err)
	}
	var got tally
	for _, t := range tallies {
		got.merge(t)
	}
	if want := expected(n); got != want {
		return measurement{}, fmt.Errorf("%s at %s: %d records with sum %d arrived, want %d with sum %d",
			r.name, c, got.count, got.sum, want.count, want.sum)
	}
	return m, nil
}

// run does what measure says but for the check; it returns the tallies of the consumers.
func run(r row, c cell, n uint64) (measurement, []tally, error) {
	p, err := r.prepare(c, n)
	if err != nil {
		return measurement{}, nil, err
	}
	// Garbage of the run before would otherwise be collected on this run's account.
	runtime.GC()

	tallies := make([]tally, len(p.consume))
	errs := make([]error, len(p.consume)+2)
	var consumers sync.WaitGroup
	start, cpu := time.Now(), processTime()
	for i, consume := range p.consume {
		consumers.Go(func() { tallies[i], errs[i] = consume() })
	}
	errs[len(p.consume)] = p.produce()
	consumers.Wait()
	m := measurement{records: n, wall: time.Since(start), cpu: processTime() - cpu}
	if p.close != nil {
		errs[len(p.consume)+1] = p.close()
	}
	return m, tallies, errors.Join(errs...)
}
