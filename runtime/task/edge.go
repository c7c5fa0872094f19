package task

import (
	"context"
	"fmt"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Reader is what an edge needs of a reader of T: any generated one, and gate.Reader.
type Reader[T any] interface {
	NextBatch(ctx context.Context, dst []T) (int, error)
	Core() *gate.Core
	CloseWithError(cause error) error
	Stats() metrics.Reader
}

// Edge carries records of type T from the instances of one stage to those of another. W is the type of its writers and R that of its readers. It is made by [Connect].
type Edge[W writer.Member, R Reader[T], T any] struct {
	link    *link
	writers []W          // by instance of the stage that writes
	readers []R          // by instance of the stage that reads
	sources []*source[T] // as readers
}

// link is what does not depend on the types of an edge.
type link struct {
	name      string
	from, to  *Stage
	options   edgeOptions
	newWriter func(i int, out writer.Output) (writer.Member, error)
	newReader func(i int, g *gate.Gate) (input, error)

	// Set when the graph is run.
	exchange *exchange.Exchange
	outputs  []*output // by instance of from
	members  []writer.Member
	inputs   []input // by instance of to
}

// Connect adds an edge from one stage to another. newWriter and newReader are the constructors of a generated writer and reader of the same record type, or those that [WriterOf]
// and [ReaderOf] return, or functions that call such a constructor. They are called once for each instance when the graph is run, one after the other, before any function of a stage.
//
// Each edge has an exchange of its own, with the instances of from as producers and those of to as consumers. An edge that would close a circle is refused by [Graph.Check].
func Connect[W writer.Member, R Reader[T], T any](
	from, to *Stage,
	newWriter func(writer.Output, ...writer.Option) (W, error),
	newReader func(*gate.Gate, ...gate.Option) (R, error),
	opts ...EdgeOption,
) *Edge[W, R, T] {
	e := &Edge[W, R, T]{}
	l := &link{from: from, to: to, name: from.name + "→" + to.name}
	for _, opt := range opts {
		if opt != nil {
			opt.apply(&l.options)
		}
	}
	if l.options.name != "" {
		l.name = l.options.name
	}
	l.newWriter = func(i int, out writer.Output) (writer.Member, error) {
		w, err := newWriter(out, l.options.writerOptions(l.name, i)...)
		if err != nil {
			return nil, err
		}
		e.writers = append(e.writers, w)
		return w, nil
	}
	l.newReader = func(i int, g *gate.Gate) (input, error) {
		s := &source[T]{link: l, now: newNoWait()}
		err := s.open(func(opts ...gate.Option) (Reader[T], error) {
			r, err := newReader(g, opts...)
			e.readers = append(e.readers, r)
			return r, err
		}, l.options.readerOptions(l.name, i))
		if err != nil {
			return nil, err
		}
		e.sources = append(e.sources, s)
		return s, nil
	}
	e.link = l
	from.graph.join(l)
	return e
}

// Name returns the name of the edge: that of [WithName], or the names of its stages with an arrow between them.
func (e *Edge[W, R, T]) Name() string { return e.link.name }

// Writer returns the writer of an instance of the stage that the edge comes from. It is for the goroutine of the instance, which closes it. It panics for an instance of another stage.
func (e *Edge[W, R, T]) Writer(in *Instance) W {
	if in.stage != e.link.from {
		panic(fmt.Sprintf("task: %s does not write to %s, which comes from %s", in, e.link.name, e.link.from.name))
	}
	return e.writers[in.index]
}

// Reader returns the reader of an instance of the stage that the edge goes to, for code that wants more than [Instance.Read] gives. It is for the goroutine of the instance, which closes
// it. Such code calls [Instance.Flush] before it waits, must read to the end or return [ErrStop], and must not read the same edge by both. It panics for an instance of another stage.
func (e *Edge[W, R, T]) Reader(in *Instance) R {
	if in.stage != e.link.to {
		panic(fmt.Sprintf("task: %s does not read %s, which goes to %s", in, e.link.name, e.link.to.name))
	}
	return e.readers[in.index]
}

// Each returns the edge as an input of [Instance.Read]: f is called for every record, in the order of its channel, by the goroutine of the instance. The value belongs to f until it
// returns; then it is used for the next record. An error of f ends Read with that error.
func (e *Edge[W, R, T]) Each(f func(v *T) error) Input {
	return Input{link: e.link, bind: func(i int) input {
		s := e.sources[i]
		s.handle = f
		return s
	}}
}
