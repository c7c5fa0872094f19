package writer

import (
	"fmt"
	"time"

	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
)

// Option configures a writer.
type Option interface{ apply(*options) }

type options struct {
	name     string
	flush    partition.FlushPolicy
	selector any
	seed     uint64
	seeded   bool
	registry *metrics.Registry
}

type option func(*options)

func (f option) apply(o *options) { f(o) }

func gather(opts []Option) options {
	var o options
	for _, opt := range opts {
		if opt != nil {
			opt.apply(&o)
		}
	}
	return o
}

// WithName names the writer in metrics.
func WithName(name string) Option { return option(func(o *options) { o.name = name }) }

// WithSeed makes everything that the writer draws at random the same in every run: where round robin starts, the channels of a shuffle, the two choices of a
// selection by load. Producers of one edge draw differently from the same seed.
func WithSeed(seed uint64) Option {
	return option(func(o *options) { o.seed, o.seeded = seed, true })
}

// WithMetrics adds the writer's counters to r while the writer is open, and their last values after that. Writers of one name count together.
func WithMetrics(r *metrics.Registry) Option {
	return option(func(o *options) { o.registry = r })
}

// FlushOnFull makes records readable when their block is full, at Flush and Close, and before the writer waits for memory; a reader that is made later
// finds what there is. It is the policy with the highest throughput and no bound on the delay. Whoever waits for something else than memory, for example for input, should flush before:
// what stands in open blocks may be what the other side of that wait needs.
func FlushOnFull() Option {
	return option(func(o *options) { o.flush = partition.OnFull() })
}

// FlushEveryRecord makes each record readable, and wakes its reader, at once.
func FlushEveryRecord() Option {
	return option(func(o *options) { o.flush = partition.EveryRecord() })
}

// FlushAfter makes the records of a channel readable d after the first of them. It panics if d is not positive.
func FlushAfter(d time.Duration) Option {
	p := partition.After(d)
	return option(func(o *options) { o.flush = p })
}

// FlushWhenIdle makes the records of a channel readable as soon as its reader has nothing else to do, and at the latest d after the first of
// them. It panics if d is not positive. FlushWhenIdle(100 * time.Millisecond) is the default.
func FlushWhenIdle(d time.Duration) Option {
	p := partition.WhenIdle(d)
	return option(func(o *options) { o.flush = p })
}

// WithSelector sets the selector of a writer that lets its user choose one: [New], and the generated New<Record>Writer. A
// selector serves one writer.
func WithSelector[T any](s selector.Selector[T]) Option {
	return option(func(o *options) { o.selector = s })
}

// SetUp tells a selector where the writer to out stands. It fails with [ErrNoOutput] if out is nil, and with the error of the selector. For constructors of generated writers.
func SetUp[T any](s selector.Selector[T], out Output) error {
	if out == nil {
		return ErrNoOutput
	}
	return s.Setup(out.Topology())
}

// SelectorOf returns the selector among opts, [selector.RoundRobin] if there is none, with the seed among opts if it takes one. It fails if the selector is for
// another type than T. For constructors of generated writers.
func SelectorOf[T any](opts ...Option) (selector.Selector[T], error) {
	o := gather(opts)
	s := selector.RoundRobin[T]()
	if o.selector != nil {
		var ok bool
		if s, ok = o.selector.(selector.Selector[T]); !ok {
			return nil, fmt.Errorf("writer: a %T cannot select channels for %T", o.selector, *new(T))
		}
	}
	if seeder, ok := s.(selector.Seeder); ok && o.seeded {
		seeder.Seed(o.seed)
	}
	return s, nil
}
