package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rwgen/rwgen/examples/flights/data"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/transport"
)

// work is what one process does of the exchange.
type work struct {
	config config
	at     place
	sent   []totals     // by at.producers
	read   []totals     // by at.consumers
	count  atomic.Int64 // of flights, for those who watch: what its consumers have read; what its producers have sent, if it has only these and is by itself
}

// child is the life of a process with a role: its part of the exchange, and then a line for each producer and consumer in it.
func child(ctx context.Context, c config, l layout, at place, stdout, stderr io.Writer) error {
	node, err := connect(c, at)
	if err != nil {
		return err
	}
	w := &work{config: c, at: at}
	var stop func() error
	if c.led {
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		defer cancel(nil)
		go leave(cancel)
		stop = w.tell(stdout)
	} else {
		stop = w.show(stderr)
	}
	err = errors.Join(w.do(ctx, l, node), stop())
	if err != nil {
		now, cancel := context.WithCancel(ctx)
		cancel()
		_ = node.Close(now) // err is why it could not be closed as it should be
		return err
	}
	if err := node.Close(ctx); err != nil {
		return err
	}
	return w.print(stdout)
}

// alone is the whole exchange in this process.
func alone(ctx context.Context, c config, stdout, stderr io.Writer) error {
	l := c.layout(nil)
	w := &work{config: c, at: l.places[0]}
	stop := w.show(stderr)
	if err := errors.Join(w.do(ctx, l, nil), stop()); err != nil {
		return err
	}
	s := newSums(c)
	for k, i := range w.at.producers {
		s.sent[i] = &w.sent[k]
	}
	for k, j := range w.at.consumers {
		s.read[j] = &w.read[k]
	}
	return s.print(stdout)
}

// leave ends a process whose lead is gone, which shows by the end of its input.
func leave(cancel context.CancelCauseFunc) {
	_, _ = io.Copy(io.Discard, os.Stdin)
	cancel(errors.New("the process that has started this one is gone"))
}

// connect makes the process's end of the network. A process that was started by another one has inherited its listener.
func connect(c config, at place) (*transport.Node, error) {
	config := transport.Config{Name: at.name(), GiveUp: c.limit, ResumeWindow: c.limit, KeepAlive: min(c.limit/9, 5*time.Second)}
	var err error
	switch {
	case c.tls:
		if config.TLS, err = readKeys(c.keys, at); err != nil {
			return nil, err
		}
	case c.insecure:
		config.Plain = transport.PlainAnywhere
	default:
		config.Plain = transport.PlainLoopback
	}
	var l net.Listener
	switch {
	case !at.listens:
	case c.led:
		f := os.NewFile(3, "listener")
		l, err = net.FileListener(f) // a copy
		_ = f.Close()
		if err != nil {
			return nil, fmt.Errorf("no listener was inherited: %w", err)
		}
	default:
		address := c.listen
		if address == "" {
			address = at.self
		}
		if l, err = net.Listen("tcp", address); err != nil {
			if c.listen == "" {
				err = fmt.Errorf("%w (-listen, if this machine has another address)", err)
			}
			return nil, err
		}
	}
	return transport.NewNode(config, l)
}

// do does the process's part of the exchange, and returns when everything has arrived where it belongs, or something has failed.
func (w *work) do(ctx context.Context, l layout, node *transport.Node) error {
	x, err := l.exchange(w.config, w.at, node)
	if err != nil {
		return err
	}
	flights, err := load(w.config.producers, w.at.producers)
	if err != nil {
		return errors.Join(err, x.Abort(err))
	}
	w.sent, w.read = make([]totals, len(w.at.producers)), make([]totals, len(w.at.consumers))
	working, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	var once sync.Once
	var failure error
	start := func(f func() error) {
		wg.Go(func() {
			if err := f(); err != nil {
				once.Do(func() { failure = err }) // what others here say then follows from that
				cancel(err)
			}
		})
	}
	for k, i := range w.at.producers {
		start(func() (err error) {
			w.sent[k], err = w.emit(working, x, i, flights[k])
			return err
		})
	}
	for k, j := range w.at.consumers {
		start(func() (err error) {
			w.read[k], err = w.consume(working, x, j)
			return err
		})
	}
	wg.Wait()
	if failure != nil {
		// Those that are there get time to be told why.
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), min(w.config.limit, farewell))
		defer cancel()
		_ = x.Close(last) // what is not closed by then is because of failure
		return failure
	}
	return x.Close(ctx)
}

// farewell is how long a process that has failed stays to tell the others.
const farewell = 3 * time.Second

// load parses the data set, and returns the flights of some of so many producers: flight n is that of producer n modulo their number.
func load(producers int, of []int) ([][]Flight, error) {
	flights := make([][]Flight, len(of))
	if len(of) == 0 {
		return flights, nil
	}
	in, err := data.Flights()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := csv.NewReader(in)
	r.FieldsPerRecord = 5
	if _, err := r.Read(); err != nil { // the header
		return nil, err
	}
	for n := 0; ; n++ {
		row, err := r.Read()
		if err == io.EOF {
			return flights, nil
		}
		if err != nil {
			return nil, err
		}
		for k, i := range of {
			if n%producers != i {
				continue
			}
			delay, err1 := strconv.ParseInt(row[1], 10, 32)
			distance, err2 := strconv.ParseInt(row[2], 10, 32)
			if err := errors.Join(err1, err2); err != nil {
				return nil, fmt.Errorf("flight %d: %w", n, err)
			}
			flights[k] = append(flights[k], Flight{Date: row[0], Delay: int32(delay), Distance: int32(distance), Origin: row[3], Destination: row[4]})
		}
	}
}

// emit sends the flights of producer i: as often, or for as long, as the flags say.
func (w *work) emit(ctx context.Context, x *exchange.Exchange, i int, flights []Flight) (sum totals, err error) {
	wr, err := NewFlightByOriginWriter(x.Partition(i))
	if err != nil {
		return sum, err
	}
	defer func() {
		if closed := wr.CloseWithError(err); err == nil { // else it says again what was dropped because of err
			err = closed
		}
	}()
	var once tally
	for k := range flights {
		once.add(&flights[k])
	}
	begin := time.Now()
	for n := 0; w.config.duration > 0 && time.Since(begin) < w.config.duration || w.config.duration == 0 && n < w.config.repeat; n++ {
		for k := range flights {
			if err := wr.Emit(ctx, &flights[k]); err != nil {
				return sum, err
			}
		}
		sum.add(once.totals())
		if len(w.at.consumers) == 0 && !w.config.led {
			w.count.Add(once.sum.flights)
		}
	}
	sum.origins = int64(len(once.origins))
	return sum, nil
}

// consume reads what is sent to consumer j, and counts it.
func (w *work) consume(ctx context.Context, x *exchange.Exchange, j int) (sum totals, err error) {
	r, err := NewFlightReader(x.Gate(j))
	if err != nil {
		return sum, err
	}
	defer func() { _ = r.CloseWithError(err) }()
	var t tally
	for f, err := range r.All(ctx) {
		if err != nil {
			return sum, err
		}
		t.add(f)
		if t.sum.flights%tick == 0 {
			w.count.Add(tick)
		}
	}
	return t.totals(), nil
}

// tick is after how many records those who watch are told.
const tick = 1024

// print prints what the producers and consumers of this process have sent and read.
func (w *work) print(stdout io.Writer) error {
	for k, i := range w.at.producers {
		if _, err := fmt.Fprintf(stdout, lineForm+"\n", "producer", i, w.sent[k]); err != nil {
			return err
		}
	}
	for k, j := range w.at.consumers {
		if _, err := fmt.Fprintf(stdout, lineForm+"\n", "consumer", j, w.read[k]); err != nil {
			return err
		}
	}
	return nil
}

// lineForm is the form of a line for one producer or consumer.
const lineForm = "%s %d %v"
