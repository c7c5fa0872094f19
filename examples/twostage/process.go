package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/rwgen/rwgen/runtime/task"
)

// process computes the days by a graph of stages, in the order of time.
func process(ctx context.Context, c config, flights []Flight) ([]day, error) {
	g := task.NewGraph()
	source, count, judge := g.Stage("source", c.sources), g.Stage("count", c.counters), g.Stage("judge", c.judges)
	byOrigin := task.Connect(source, count, NewFlightByOriginWriter, NewFlightReader)
	byDay := task.Connect(count, judge, NewSummaryByDayWriter, NewSummaryReader)

	source.Do(func(ctx context.Context, in *task.Instance) error {
		out := byOrigin.Writer(in)
		for i := in.Index(); i < len(flights); i += in.Instances() {
			if err := out.Emit(ctx, &flights[i]); err != nil {
				return err
			}
		}
		return nil
	})

	count.Do(func(ctx context.Context, in *task.Instance) error {
		sums := make(map[place]*Summary)
		err := in.Read(ctx, byOrigin.Each(func(f *Flight) error {
			add(sums, f)
			return nil
		}))
		if err != nil {
			return err
		}
		// All flights of these airports have been counted.
		out := byDay.Writer(in)
		for _, s := range sums {
			if err := out.Emit(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})

	judged := make([]map[int32]*day, c.judges)
	judge.Do(func(ctx context.Context, in *task.Instance) error {
		days := make(map[int32]*day)
		judged[in.Index()] = days
		return in.Read(ctx, byDay.Each(func(s *Summary) error {
			at(days, s.Day).judge(s)
			return nil
		}))
	})

	if err := g.Run(ctx, task.Config{MemoryBytes: c.memory}); err != nil {
		return nil, err
	}
	return sorted(judged...), nil
}

// plain computes the same by one loop.
func plain(flights []Flight) []day {
	sums := make(map[place]*Summary)
	for i := range flights {
		add(sums, &flights[i])
	}
	days := make(map[int32]*day)
	for _, s := range sums {
		at(days, s.Day).judge(s)
	}
	return sorted(days)
}

// place is what flights are counted by.
type place struct {
	day     int32
	airport string
}

func add(sums map[place]*Summary, f *Flight) {
	s := sums[place{f.Day, f.Origin}]
	if s == nil {
		s = &Summary{Day: f.Day, Airport: f.Origin}
		sums[place{f.Day, f.Origin}] = s
	}
	s.Flights++
	s.Delay += int64(f.Delay)
}

// day is what is found out about a day.
type day struct {
	day            int32
	airports       int
	flights, delay int64
	busiest, worst Summary
}

func at(days map[int32]*day, number int32) *day {
	d := days[number]
	if d == nil {
		d = &day{day: number}
		days[number] = d
	}
	return d
}

// judge adds an airport, in any order: where two are equal, the name decides.
func (d *day) judge(s *Summary) {
	d.airports++
	d.flights += s.Flights
	d.delay += s.Delay
	if cmp.Or(cmp.Compare(s.Flights, d.busiest.Flights), cmp.Compare(d.busiest.Airport, s.Airport)) > 0 || d.airports == 1 {
		d.busiest = *s
	}
	// Means are compared as fractions, which are exact.
	if cmp.Or(cmp.Compare(s.Delay*d.worst.Flights, d.worst.Delay*s.Flights), cmp.Compare(d.worst.Airport, s.Airport)) > 0 || d.airports == 1 {
		d.worst = *s
	}
}

// sorted returns the days of all judges, each of which has some.
func sorted(judged ...map[int32]*day) (all []day) {
	for _, days := range judged {
		for _, d := range days {
			all = append(all, *d)
		}
	}
	slices.SortFunc(all, func(a, b day) int { return cmp.Compare(a.day, b.day) })
	return all
}
