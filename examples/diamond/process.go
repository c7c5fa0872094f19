package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rwgen/rwgen/runtime/task"
	"github.com/rwgen/rwgen/runtime/writer"
)

// config says how the graph is built.
type config struct {
	sources, departures, arrivals, joins int
	memory                               int64 // 0: the least that is accepted
	inOrder                              bool  // join reads all departures before the first arrival
	quiet                                time.Duration
}

// errStuck is the error of a program in which everybody waits for somebody.
var errStuck = errors.New("the instances wait for each other")

// process computes the table by a graph of stages.
func process(ctx context.Context, c config, flights []Flight) (table, error) {
	g := task.NewGraph()
	source := g.Stage("source", c.sources)
	departures, arrivals := g.Stage("departures", c.departures), g.Stage("arrivals", c.arrivals)
	join := g.Stage("join", c.joins)

	onFull := task.WithWriter(writer.FlushOnFull())
	byOrigin := task.Connect(source, departures, NewFlightByOriginWriter, NewFlightReader, onFull)
	byDestination := task.Connect(source, arrivals, NewFlightByDestinationWriter, NewFlightReader, onFull)
	departed := task.Connect(departures, join, NewDepartureByAirportWriter, NewDepartureReader, onFull)
	arrived := task.Connect(arrivals, join, NewArrivalByAirportWriter, NewArrivalReader, onFull)

	source.Do(func(ctx context.Context, in *task.Instance) error {
		origins, destinations := byOrigin.Writer(in), byDestination.Writer(in)
		for i := in.Index(); i < len(flights); i += in.Instances() {
			if err := origins.Emit(ctx, &flights[i]); err != nil {
				return err
			}
			if err := destinations.Emit(ctx, &flights[i]); err != nil {
				return err
			}
		}
		return nil
	})

	departures.Do(func(ctx context.Context, in *task.Instance) error {
		out, count := departed.Writer(in), make(map[string]int32)
		return in.Read(ctx, byOrigin.Each(func(f *Flight) error {
			count[f.Origin]++
			return out.Emit(ctx, &Departure{Airport: f.Origin, Day: f.Day, Delay: f.Delay, Nth: count[f.Origin]})
		}))
	})

	arrivals.Do(func(ctx context.Context, in *task.Instance) error {
		out, count := arrived.Writer(in), make(map[string]int32)
		return in.Read(ctx, byDestination.Each(func(f *Flight) error {
			count[f.Destination]++
			return out.Emit(ctx, &Arrival{Airport: f.Destination, Day: f.Day, Distance: f.Distance, Nth: count[f.Destination]})
		}))
	})

	tables := make([]table, c.joins)
	join.Do(func(ctx context.Context, in *task.Instance) error {
		t := make(table)
		tables[in.Index()] = t
		left, came := departed.Each(t.depart), arrived.Each(t.arrive)
		if !c.inOrder {
			return in.Read(ctx, left, came)
		}
		if err := in.Read(ctx, left); err != nil {
			return err
		}
		return in.Read(ctx, came)
	})

	memory := c.memory
	if memory == 0 {
		memory = g.LeastMemory()
	}
	err := g.Run(ctx, task.Config{MemoryBytes: memory, Quiet: c.quiet, OnStall: func(r task.Report) error {
		if r.Stuck() {
			return fmt.Errorf("%w: %v", errStuck, r)
		}
		return nil
	}})
	if err != nil {
		return nil, err
	}
	return merge(tables)
}

// merge puts the tables of all joins together. Each airport must have come to one of them, on both ways.
func merge(tables []table) (table, error) {
	all := make(table)
	for _, t := range tables {
		for p, sums := range t {
			if _, ok := all[p]; ok {
				return nil, fmt.Errorf("airport %s was joined twice", p.airport)
			}
			all[p] = sums
		}
	}
	return all, nil
}
