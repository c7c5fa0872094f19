package main

import (
	"context"
	"errors"

	"github.com/rwgen/rwgen/runtime/tape"
)

// openTapes opens the tapes of all sources.
func openTapes(dir string) (tapes []*tape.Tape, err error) {
	for i := range sources {
		t, err := tape.Open(path(dir, i))
		if err == nil {
			err = t.Damage() // it was closed just now
		}
		if err != nil {
			for _, t := range tapes {
				_ = t.Close()
			}
			return nil, err
		}
		tapes = append(tapes, t)
	}
	return tapes, nil
}

// place says that a channel of a source was read up to a record.
type place struct {
	source, channel int
	record          uint64
}

// replay runs the workers over the tapes, from the given places on, and adds what they count to t.
func replay(ctx context.Context, tapes []*tape.Tape, from []place, t totals) (totals, error) {
	r, err := tape.NewReplay(ctx, tape.ReplayConfig{Tapes: tapes, Read: func(source int) (opts []tape.ReadOption) {
		for _, p := range from {
			if p.source == source {
				opts = append(opts, tape.From(p.channel, p.record))
			}
		}
		return opts
	}})
	if err != nil {
		return nil, err
	}
	t, err = work(ctx, r.Gate, t)
	return t, errors.Join(err, r.Close(ctx))
}

// firstHalf counts the first half of each channel of each source, straight from the tapes, and returns where it stopped.
func firstHalf(ctx context.Context, tapes []*tape.Tape) (totals, []place, error) {
	t := newTotals()
	var places []place
	for i, source := range tapes {
		for channel, n := range source.Records() {
			stop := n / 2
			r, err := tape.NewReader(source, FlightSerializer{}, tape.Lanes(channel))
			if err != nil {
				return nil, nil, err
			}
			var f Flight
			for range stop {
				if _, err := r.Next(ctx, &f); err != nil {
					return nil, nil, err
				}
				t.count(&f)
			}
			places = append(places, place{i, channel, stop})
		}
	}
	return t, places, nil
}
