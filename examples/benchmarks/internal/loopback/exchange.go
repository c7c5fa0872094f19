package loopback

import (
	"context"
	"errors"
	"slices"

	"github.com/rwgen/rwgen/examples/benchmarks/internal/harness"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/transport"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Exchange moves records through generated writers and readers over an exchange of two processes, both of which are this one, with the memory and the settings that an exchange has by default.
func Exchange(r Records, encrypted bool) harness.Row {
	return harness.Row{
		Name: "rwgen", Keeps: "credit in bytes for each partition; acknowledged and resumed without loss after a break; memory of both sides bounded",
		Prepare: func(c harness.Cell, n uint64) (harness.Pipe, error) {
			ends, err := NewEnds(c.Partitions, encrypted)
			if err != nil {
				return harness.Pipe{}, err
			}
			pipe, err := r.Exchange(ends, c, n)
			if err != nil {
				err = errors.Join(err, ends.abort(err))
			}
			return pipe, err
		},
	}
}

// Apart is an exchange of one producer whose consumers are in another process, or would be: it has a connection of its own. It implements Ends.
type Apart struct {
	server, client *transport.Node
	out, in        *exchange.Exchange
}

// NewEnds opens an exchange of one producer to so many partitions over a new connection.
func NewEnds(partitions int, encrypted bool) (*Apart, error) {
	write := transport.Config{Name: "producer", Plain: transport.PlainLoopback}
	read := transport.Config{Name: "consumer", Plain: transport.PlainLoopback}
	if encrypted {
		var err error
		if write.TLS, read.TLS, err = tlsConfigs(); err != nil {
			return nil, err
		}
	}
	a := new(Apart)
	if err := a.open(write, read, partitions); err != nil {
		return nil, errors.Join(err, a.abort(err))
	}
	return a, nil
}

func (a *Apart) open(write, read transport.Config, partitions int) (err error) {
	if a.server, err = transport.Listen(write, "127.0.0.1:0"); err != nil {
		return err
	}
	if a.client, err = transport.Listen(read, ""); err != nil {
		return err
	}
	spread := exchange.Processes{Name: "records", Producers: []string{a.server.Address()}, Consumers: slices.Repeat([]string{read.Name}, partitions)}
	writing, reading := spread, spread
	writing.Self, writing.Node = a.server.Address(), a.server
	reading.Self, reading.Node = read.Name, a.client
	if a.out, err = exchange.New(exchange.Config{Processes: &writing}); err != nil {
		return err
	}
	a.in, err = exchange.New(exchange.Config{Processes: &reading})
	return err
}

// Output implements Ends.
func (a *Apart) Output(i int) writer.Output { return a.out.Partition(i) }

// Gate implements Ends.
func (a *Apart) Gate(partitions ...int) (*gate.Gate, error) { return a.in.Gate(partitions...), nil }

// Close implements Ends.
func (a *Apart) Close(ctx context.Context) error {
	return errors.Join(a.out.Close(ctx), a.in.Close(ctx), a.client.Close(ctx), a.server.Close(ctx))
}

// abort closes what was opened.
func (a *Apart) abort(cause error) (err error) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, x := range []*exchange.Exchange{a.out, a.in} {
		if x != nil {
			err = errors.Join(err, x.Abort(cause))
		}
	}
	for _, n := range []*transport.Node{a.client, a.server} {
		if n != nil {
			err = errors.Join(err, n.Close(ctx))
		}
	}
	return err
}
