package main

import (
	"context"
	"slices"
	"time"

	"github.com/rwgen/rwgen/runtime/gate"
)

// verdict is what has become of a strike.
type verdict struct {
	ID          int32
	Version     int32 // of the rule that was in force on its day; 0: there was none
	Investigate bool
}

// worker judges the strikes of its airports. It gets every rule, and has two inputs of different types that it reads as something comes on either; in which order that happens does not matter, because a strike
// is held until all rules up to its day are known. That is so when the watermark of the rules has reached the day: then no rule of that day or before follows.
type worker struct {
	strikes *StrikeReader
	rules   *RuleReader
	most    int // strikes that may be held

	known    []Rule    // in the order of their days
	complete time.Time // all rules up to then are known
	held     []Strike
	peak     int // of held

	airports map[string]bool
	verdicts []verdict
}

// newWorker makes a worker the reader of both gates.
func newWorker(strikes, rules *gate.Gate, most int) (*worker, error) {
	w := &worker{most: most, airports: make(map[string]bool)}
	var err error
	if w.strikes, err = NewStrikeReader(strikes); err != nil {
		return nil, err
	}
	// The handler is called by the worker's own goroutine, while it reads or waits.
	w.rules, err = NewRuleReader(rules, gate.OnWatermark(w.advance))
	if err != nil {
		_ = w.strikes.CloseWithError(err)
		return nil, err
	}
	return w, nil
}

// run reads both inputs to their ends.
func (w *worker) run(ctx context.Context) (err error) {
	// If the worker fails, its producers learn why.
	defer func() {
		_ = w.strikes.CloseWithError(err)
		_ = w.rules.CloseWithError(err)
	}()
	open := []gate.Input{w.rules, w.strikes}
	for len(open) > 0 {
		ready := open
		if len(w.held) >= w.most {
			// No more strikes for now: their producers wait until the rules, which come first here, have caught up. They have not ended, or nothing would be held.
			ready = open[:1]
		}
		i, err := gate.Select(ctx, ready...)
		if err != nil {
			return err
		}
		ended, err := w.read(ready[i])
		if err != nil {
			return err
		}
		if ended {
			open = slices.Delete(open, i, i+1)
		}
	}
	return nil
}

// read reads one record of an input.
func (w *worker) read(from gate.Input) (ended bool, err error) {
	var ok bool
	if from == gate.Input(w.rules) {
		var rule Rule
		if ok, ended, err = w.rules.TryNext(&rule); ok {
			w.known = append(w.known, rule)
		}
		return ended, err
	}
	var strike Strike
	if ok, ended, err = w.strikes.TryNext(&strike); ok {
		w.take(&strike)
	}
	return ended, err
}

// take judges a strike, or holds it.
func (w *worker) take(s *Strike) {
	w.airports[s.Airport] = true
	if !s.Date.After(w.complete) {
		w.judge(s)
		return
	}
	w.held = append(w.held, *s)
	w.peak = max(w.peak, len(w.held))
}

// advance judges what was held until now.
func (w *worker) advance(complete time.Time) {
	w.complete = complete
	w.held = slices.DeleteFunc(w.held, func(s Strike) bool {
		due := !s.Date.After(complete)
		if due {
			w.judge(&s)
		}
		return due
	})
}

func (w *worker) judge(s *Strike) {
	v := verdict{ID: s.ID}
	if r := inForce(w.known, s.Date); r != nil {
		v.Version, v.Investigate = r.Version, r.applies(s)
	}
	w.verdicts = append(w.verdicts, v)
}
