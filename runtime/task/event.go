package task

import (
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
)

// Incoming is an edge that an instance reads from: any [Edge].
type Incoming interface{ incoming(*Instance) input }

// OnEvent sets what is called with the user events of the schema of ser that come on an edge, which writer.SendEvent has sent on its other end. Each writer's events come between the records that it wrote before and
// after. It is for the function of the stage, before it reads, and takes the place of a handler for the same events that was set before. It panics for an instance that does not read the edge.
//
//	rules.Do(func(ctx context.Context, in *task.Instance) error {
//		task.OnEvent(in, flights, ReloadSerializer{}, func(from gate.Origin, e *Reload) error { … })
//		return in.Read(ctx, flights.Each(func(f *Flight) error { … }))
//	})
//
// f is called from within [Instance.Read], between two records, on the goroutine of the instance. The event belongs to it. It may write, send events of its own, and wait as writers do; it must not call Read.
// An error of f, ErrStop too, ends Read with a gate.EventError that unwraps to it.
//
// Events are not passed on to output edges: f does that where it is meant, once for each producer from which the event comes. An event that has no handler ends Read, and so the graph, with a gate.EventError,
// unless the edge has WithReader(gate.IgnoreEvents()).
func OnEvent[E any](in *Instance, edge Incoming, ser record.Serializer[E], f func(from gate.Origin, v *E) error) {
	gate.Handle(edge.incoming(in), ser, func(from gate.Origin, v *E) error {
		return in.handle(func() error { return f(from, v) })
	})
}

// handle calls a handler of events, which is user code also if the instance is waiting for input, and may write.
func (in *Instance) handle(f func() error) error {
	before := state(in.state.Load())
	if err := in.call(f); err != nil {
		return err
	}
	in.written = true
	if before == reading && in.failed == nil {
		// As in combine: Select goes on waiting after this.
		return in.flush()
	}
	return nil
}
