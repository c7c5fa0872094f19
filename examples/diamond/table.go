package main

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
)

// table is what is known of each airport and day.
type table map[place]sums

type place struct {
	airport string
	day     int32
}

type sums struct {
	departures, arrivals int64
	delay                int64 // minutes, of all departures
	distance             int64 // miles, of all arrivals
	nth                  int64 // sum of the numbers of all departures and arrivals of the airport: none is lost, none comes twice
}

func (t table) depart(d *Departure) error {
	s := t[place{d.Airport, d.Day}]
	s.departures++
	s.delay += int64(d.Delay)
	t[place{d.Airport, d.Day}] = s
	t.number(d.Airport, d.Nth)
	return nil
}

func (t table) arrive(a *Arrival) error {
	s := t[place{a.Airport, a.Day}]
	s.arrivals++
	s.distance += int64(a.Distance)
	t[place{a.Airport, a.Day}] = s
	t.number(a.Airport, a.Nth)
	return nil
}

// number adds to the numbers of an airport. They do not belong to a day: which flight gets which number depends on the order in which the sources are read.
func (t table) number(airport string, nth int32) {
	s := t[place{airport, -1}]
	s.nth += int64(nth)
	t[place{airport, -1}] = s
}

// plain computes the table by one loop.
func plain(flights []Flight) table {
	t := make(table)
	departures, arrivals := make(map[string]int32), make(map[string]int32)
	for i := range flights {
		f := &flights[i]
		departures[f.Origin]++
		arrivals[f.Destination]++
		_ = t.depart(&Departure{Airport: f.Origin, Day: f.Day, Delay: f.Delay, Nth: departures[f.Origin]})             // never fails
		_ = t.arrive(&Arrival{Airport: f.Destination, Day: f.Day, Distance: f.Distance, Nth: arrivals[f.Destination]}) // never fails
	}
	return t
}

// made returns flights made up from a seed, in the order of time, between some airports far more than between others.
func made(seed uint64, count int) []Flight {
	const airports, days = 100, 30
	random := rand.New(rand.NewPCG(seed, 0))
	popular := rand.NewZipf(random, 1.1+random.Float64(), 1+random.Float64()*20, airports-1)
	name := func() string { return fmt.Sprintf("A%02d", popular.Uint64()) }
	flights := make([]Flight, count)
	for i := range flights {
		flights[i] = Flight{
			Day: int32(i * days / count), Delay: int32(random.NormFloat64() * 20), Distance: int32(100 + random.IntN(2400)), Origin: name(), Destination: name(),
		}
	}
	return flights
}

// report prints the busiest days and, as its last line, the totals.
func report(w io.Writer, flights int, t table) error {
	var places []place
	var total sums
	for p, s := range t {
		total.departures += s.departures
		total.arrivals += s.arrivals
		total.delay += s.delay
		total.distance += s.distance
		if p.day >= 0 {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(t[b].departures+t[b].arrivals, t[a].departures+t[a].arrivals), cmp.Compare(a.day, b.day), cmp.Compare(a.airport, b.airport))
	})
	var out strings.Builder
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "airport\tday\tdepartures\tmean delay\tarrivals\tmean distance\t")
	for _, p := range places[:min(10, len(places))] {
		s := t[p]
		fmt.Fprintf(tw, "%s\t%d\t%d\t%.1f min\t%d\t%.0f miles\t\n", p.airport, p.day, s.departures, mean(s.delay, s.departures), s.arrivals, mean(s.distance, s.arrivals))
	}
	_ = tw.Flush() // to a strings.Builder
	fmt.Fprintf(&out, "\ntotal flights=%d places=%d departures=%d arrivals=%d delay=%d distance=%d\n",
		flights, len(places), total.departures, total.arrivals, total.delay, total.distance)
	_, err := io.WriteString(w, out.String())
	return err
}

func mean(sum, n int64) float64 { return float64(sum) / float64(max(n, 1)) }
