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
	"strings"
	"time"

	"github.com/rwgen/rwgen/examples/flights/data"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/transport"
)

// open makes this process's part of the exchange. l is nil for a process that does not produce.
func open(c config, self string, l net.Listener) (*exchange.Exchange, *transport.Node, error) {
	node, err := transport.NewNode(transport.Config{
		Name: fmt.Sprintf("%s %d", c.role, c.index), Plain: transport.PlainLoopback, GiveUp: c.limit, ResumeWindow: c.limit, KeepAlive: min(c.limit/4, 5*time.Second),
	}, l)
	if err != nil {
		return nil, nil, err
	}
	p := exchange.Processes{Name: "flights", Producers: strings.Split(c.addresses, ","), Self: self, Node: node}
	for j := range c.consumers {
		p.Consumers = append(p.Consumers, consumerName(j))
	}
	x, err := exchange.New(exchange.Config{Processes: &p, MemoryBytes: 16 << 20})
	if err != nil {
		return nil, nil, errors.Join(err, node.Close(ctxDone()))
	}
	return x, node, nil
}

func consumerName(j int) string { return fmt.Sprintf("consumer %d", j) }

// ctxDone returns a context for closing without waiting.
func ctxDone() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// closing ends a process: with err at once, else when everything has arrived where it belongs.
func closing(ctx context.Context, x *exchange.Exchange, node *transport.Node, err error) error {
	if err != nil {
		return errors.Join(err, node.Close(ctxDone()))
	}
	if err := x.Close(ctx); err != nil {
		return errors.Join(err, node.Close(ctxDone()))
	}
	return node.Close(ctx)
}

// produce is the life of a producer: it listens on what it has inherited, and sends its part of the flights.
func produce(ctx context.Context, c config) (err error) {
	l, err := net.FileListener(os.NewFile(3, "listener"))
	if err != nil {
		return fmt.Errorf("no listener was inherited: %w", err)
	}
	x, node, err := open(c, strings.Split(c.addresses, ",")[c.index], l)
	if err != nil {
		return err
	}
	return closing(ctx, x, node, emit(ctx, c, x))
}

// emit sends every flight whose number is that of this producer, modulo the number of producers.
func emit(ctx context.Context, c config, x *exchange.Exchange) (err error) {
	w, err := NewFlightByOriginWriter(x.Partition(c.index))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.CloseWithError(err)) }()
	for range c.repeat {
		if err := eachFlight(func(n int, f *Flight) error {
			if n%c.producers != c.index {
				return nil
			}
			return w.Emit(ctx, f)
		}); err != nil {
			return err
		}
	}
	return nil
}

// eachFlight calls f for each flight of the data set.
func eachFlight(f func(n int, flight *Flight) error) error {
	in, err := data.Flights()
	if err != nil {
		return err
	}
	defer in.Close()
	r := csv.NewReader(in)
	r.ReuseRecord, r.FieldsPerRecord = true, 5
	if _, err := r.Read(); err != nil { // the header
		return err
	}
	for n := 0; ; n++ {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		delay, err1 := strconv.ParseInt(row[1], 10, 32)
		distance, err2 := strconv.ParseInt(row[2], 10, 32)
		if err := errors.Join(err1, err2); err != nil {
			return fmt.Errorf("flight %d: %w", n, err)
		}
		if err := f(n, &Flight{Date: row[0], Delay: int32(delay), Distance: int32(distance), Origin: row[3], Destination: row[4]}); err != nil {
			return err
		}
	}
}

// totals is what consumers count.
type totals struct{ flights, origins, delay, distance int64 }

const totalsForm = "flights=%d origins=%d delay=%d distance=%d"

func (t totals) String() string {
	return fmt.Sprintf(totalsForm, t.flights, t.origins, t.delay, t.distance)
}

// consume is the life of a consumer: it counts what it is sent, and prints that.
func consume(ctx context.Context, c config, stdout io.Writer) error {
	x, node, err := open(c, consumerName(c.index), nil)
	if err != nil {
		return err
	}
	sum, err := count(ctx, c, x)
	if err := closing(ctx, x, node, err); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, sum)
	return err
}

func count(ctx context.Context, c config, x *exchange.Exchange) (sum totals, err error) {
	r, err := NewFlightReader(x.Gate(c.index))
	if err != nil {
		return sum, err
	}
	defer func() { _ = r.CloseWithError(err) }()
	origins := make(map[string]bool)
	for f, err := range r.All(ctx) {
		if err != nil {
			return sum, err
		}
		sum.flights++
		sum.delay += int64(f.Delay)
		sum.distance += int64(f.Distance)
		origins[f.Origin] = true
	}
	sum.origins = int64(len(origins)) // key=Origin: nobody else has them
	return sum, nil
}
