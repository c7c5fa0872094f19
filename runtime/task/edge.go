package task

import (
	"context"
	"fmt"
	"reflect"

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
	reset     func() // forgets writers and readers
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
	l.reset = func() { e.writers, e.readers, e.sources = nil, nil, nil }
	l.newWriter = func(i int, out writer.Output) (writer.Member, error) {
		w, err := newWriter(out, l.options.writerOptions(l.name, i)...)
		if err != nil {
			if is(w) {
				_ = w.Core().CloseWithError(err) // err is what the caller has to know
			}
			return nil, err
		}
		e.writers = append(e.writers, w)
		return w, nil
	}
	l.newReader = func(i int, g *gate.Gate) (input, error) {
		s := &source[T]{link: l, now: newNoWait()}
		err := s.open(func(opts ...gate.Option) (Reader[T], error) {
			r, err := newReader(g, opts...)
			if err != nil && is(r) {
				_ = r.CloseWithError(err)
			}
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

// is reports whether a constructor that has failed has returned something nevertheless, for example because a check after it has failed.
func is[V any](v V) bool { return !reflect.ValueOf(&v).Elem().IsZero() }

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
// it. Such code calls [Instance.Flush] before it waits, must read to the end or return [ErrStop], and must not read the same edge by both: Read then fails with [ErrMixed], and records that Read has taken and not
// handled are missing. Its Last is where Read has come to, up to 32 records ahead of the one that a function given to Each has in hand: that is what [Edge.EachFrom] is for. It panics for an instance of another stage.
func (e *Edge[W, R, T]) Reader(in *Instance) R {
	if in.stage != e.link.to {
		panic(fmt.Sprintf("task: %s does not read %s, which goes to %s", in, e.link.name, e.link.to.name))
	}
	return e.readers[in.index]
}

// Each returns the edge as an input of [Instance.Read]: f is called for every record, in the order of its channel, by the goroutine of the instance. An error of f ends Read with that error.
//
// The value belongs to f until it returns; then a later record is read into it. That includes what it refers to: a copy of *v that is kept shares its slices and maps with later records, which change them. To keep a
// record, clone these as well.
//
// Records are read in batches before f sees them, so Last of [Edge.Reader] is not the origin of v; [Edge.EachFrom] tells it.
func (e *Edge[W, R, T]) Each(f func(v *T) error) Input {
	return Input{link: e.link, bind: func(i int) (input, error) { return e.sources[i].bind(f, nil) }}
}

// EachFrom is Each with a function that is also told where the record comes from: the instance that wrote it (Producer), and its number among those from there, for example to go on behind it later. It reads records
// one by one, which costs some nanoseconds each.
func (e *Edge[W, R, T]) EachFrom(f func(from gate.Origin, v *T) error) Input {
	return Input{link: e.link, bind: func(i int) (input, error) { return e.sources[i].bind(nil, f) }}
}

func (e *Edge[W, R, T]) incoming(in *Instance) input {
	_ = e.Reader(in) // it panics for an instance of another stage
	return e.sources[in.index]
}
