package main

import (
	"errors"
	"fmt"
	"io"
)

// totals is what producers send, and consumers count.
type totals struct{ flights, origins, delay, distance int64 }

const totalsForm = "flights=%d origins=%d delay=%d distance=%d"

func (t totals) String() string {
	return fmt.Sprintf(totalsForm, t.flights, t.origins, t.delay, t.distance)
}

// add adds all but the origins.
func (t *totals) add(u totals) {
	t.flights += u.flights
	t.delay += u.delay
	t.distance += u.distance
}

// tally counts flights one by one. The zero tally is empty.
type tally struct {
	sum     totals
	origins map[string]bool
}

func (t *tally) add(f *Flight) {
	t.sum.flights++
	t.sum.delay += int64(f.Delay)
	t.sum.distance += int64(f.Distance)
	if !t.origins[f.Origin] {
		if t.origins == nil {
			t.origins = make(map[string]bool)
		}
		t.origins[f.Origin] = true
	}
}

func (t *tally) totals() totals {
	sum := t.sum
	sum.origins = int64(len(t.origins))
	return sum
}

// sums is what all producers and consumers have said at their end; nil: nothing yet.
type sums struct{ sent, read []*totals }

func newSums(c config) *sums {
	return &sums{sent: make([]*totals, c.producers), read: make([]*totals, c.consumers)}
}

// note takes a line that was printed for a producer or consumer.
func (s *sums) note(line string) error {
	var role string
	var index int
	var t totals
	if _, err := fmt.Sscanf(line, "%s %d "+totalsForm, &role, &index, &t.flights, &t.origins, &t.delay, &t.distance); err != nil {
		return fmt.Errorf("it has printed %q: %w", line, err)
	}
	all := map[string][]*totals{"producer": s.sent, "consumer": s.read}[role]
	if index < 0 || index >= len(all) || all[index] != nil {
		return fmt.Errorf("it has printed %q, which is not expected", line)
	}
	all[index] = &t
	return nil
}

// print prints what the consumers have counted, and the sum. It fails if that is not what was sent.
func (s *sums) print(stdout io.Writer) error {
	var sent, read totals
	for i, t := range s.sent {
		if t == nil {
			return fmt.Errorf("producer %d has not said what it has sent", i)
		}
		sent.add(*t)
	}
	for j, t := range s.read {
		if t == nil {
			return fmt.Errorf("consumer %d has not said what it has counted", j)
		}
		if _, err := fmt.Fprintf(stdout, lineForm+"\n", "consumer", j, t); err != nil {
			return err
		}
		read.add(*t)
		read.origins += t.origins // key=Origin: nobody else has them
	}
	sent.origins = read.origins
	if sent != read {
		return errors.Join(fmt.Errorf("the producers have sent %v", sent), fmt.Errorf("the consumers have counted %v", read))
	}
	_, err := fmt.Fprintf(stdout, "total %v\n", read)
	return err
}
