package harness

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// A Measurement is what one run took.
type Measurement struct {
	Records uint64 // written; a broadcast counts once
	Wall    time.Duration
	CPU     time.Duration // of the whole process, user and system; 0 where the platform does not tell
}

// Millions is the throughput in million records a second.
func (m Measurement) Millions() float64 {
	return float64(m.Records) / 1e6 / m.Wall.Seconds()
}

// CPUPerMillion is the processor time in seconds that a million records took, over all cores.
func (m Measurement) CPUPerMillion() float64 {
	return m.CPU.Seconds() / (float64(m.Records) / 1e6)
}

// Measure moves n records of the shape through a row and checks that exactly these arrived. The clock runs from the start of the goroutines
// until the last consumer has seen the end.
func Measure(s Shape, r Row, c Cell, n uint64) (Measurement, error) {
	m, tallies, err := Run(r, c, n)
	if err != nil {
		return Measurement{}, fmt.Errorf("%s at %s: %w", r.Name, c, err)
	}
	var got Tally
	for _, t := range tallies {
		got.Merge(t)
	}
	copies := uint64(c.Copies())
	if want := (Tally{Count: n * copies, Sum: s.Sum(c, n) * copies}); got != want {
		return Measurement{}, fmt.Errorf("%s at %s: %d records with sum %d arrived, want %d with sum %d",
			r.Name, c, got.Count, got.Sum, want.Count, want.Sum)
	}
	return m, nil
}

// Run does what Measure says but for the check; it returns the tallies of the consumers by lane.
func Run(r Row, c Cell, n uint64) (Measurement, []Tally, error) {
	p, err := r.Prepare(c, n)
	if err != nil {
		return Measurement{}, nil, err
	}
	// Garbage of the run before would otherwise be collected on this run's account.
	runtime.GC()

	tallies := make([]Tally, len(p.Consume))
	consumed, produced := make([]error, len(p.Consume)), make([]error, len(p.Produce))
	var all sync.WaitGroup
	start, cpu := time.Now(), ProcessTime()
	for i, consume := range p.Consume {
		all.Go(func() { tallies[i], consumed[i] = consume() })
	}
	for i, produce := range p.Produce {
		all.Go(func() { produced[i] = produce() })
	}
	all.Wait()
	m := Measurement{Records: n, Wall: time.Since(start), CPU: ProcessTime() - cpu}
	err = errors.Join(errors.Join(produced...), errors.Join(consumed...))
	if p.Close != nil {
		err = errors.Join(err, p.Close())
	}
	return m, tallies, err
}
