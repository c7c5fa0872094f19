// Package task runs whole programs: stages of user code, joined by edges that carry records.
//
// A [Graph] is wired first and run once. A stage is one function, run by n goroutines, its instances. An edge is an exchange between two stages, made from the constructors
// of a generated writer and reader: the writer decides which instance gets a record, and their types decide what may be written and read.
//
//	g := task.NewGraph()
//	parse, count := g.Stage("parse", 2), g.Stage("count", 4)
//	flights := task.Connect(parse, count, NewFlightByOriginWriter, NewFlightReader)
//
//	parse.Do(func(ctx context.Context, in *task.Instance) error {
//		w := flights.Writer(in) // a *FlightByOriginWriter
//		…
//		return w.Emit(ctx, &f)
//	})
//	count.Do(func(ctx context.Context, in *task.Instance) error {
//		return in.Read(ctx, flights.Each(func(f *Flight) error { … }))
//	})
//	err := g.Run(ctx, task.Config{})
//
// NewFlightByOriginWriter and NewFlightReader are what the generator makes of //rwgen:record and //rwgen:writer ByOrigin key=Origin above a struct Flight. What functions have left in variables of their caller may be
// read when Run has returned; instances of one stage run at the same time, so let each have its own, for example by [Instance.Index].
//
// # Why this form
//
// Wiring comes first and reads like the picture of the program, so that the graph is known before anything runs: circles, names that are taken and stages without code are refused by
// [Graph.Run], all of them at once, and the budget of memory is divided over all edges. After that each stage is an ordinary function: its state is in local variables, the end of its
// inputs is where [Instance.Read] returns nil, and what it does then (write its sums, for example) is the next statement. There are no operators to implement and no callbacks for the
// life of a stage. Types are inferred from the constructors; nothing is looked up by name.
//
// # What an instance does for its function
//
// Read takes several inputs of different types, in turn, from whichever has records: a join cannot stop the program by the order in which it reads. Before it waits, everything the
// instance has written is flushed, whatever the policies of the writers; and the writers are joined by a writer.Delegate, so that none waits while another hides something. A function
// that waits for something else than Read calls [Instance.Flush] before.
//
// When the function returns nil, its writers are closed, which ends the inputs of the stages behind it. It must have read its inputs to the end, or say that it needs no more: see below. When it returns an error or panics, the
// context is canceled with a [StageError], all exchanges are canceled with it too, and Run returns it when all instances have returned: the first error wins, what follows from it is
// dropped.
//
// Records that a function is given by [Edge.Each] are read into again when it has returned: a copy of one shares its slices and maps with later ones. [Edge.EachFrom] tells where each comes from.
//
// # Event time
//
// Put eventtime= on the writers of the sources, where records are in order, or call their Watermark. The watermarks of all inputs of an instance are combined, the least one counts, and passed on to its output edges, as
// are idleness and whether the data has ended or was stopped. When all inputs have ended the watermark is the end of time; that is not passed on, as the function may write its results then: the end of its writers says it. So the writers of stages that have inputs need no eventtime=, and where they have it, it is switched off: they see the records of several sources mixed, and
// what they conclude from the newest would make those of the others late. [WithOwnWatermarks] leaves an edge to its writers, for stages that know better.
//
// [Instance.OnWatermark] is where windows are closed:
//
//	count.Do(func(ctx context.Context, in *task.Instance) error {
//		open := make(map[int64]*Sum) // by minute
//		in.OnWatermark(func(w time.Time) error {
//			for _, s := range complete(open, w) {
//				delete(open, s.Minute)
//				if err := sums.Writer(in).Emit(ctx, s); err != nil { // comes before the watermark
//					return err
//				}
//			}
//			return nil
//		})
//		return in.Read(ctx, flights.Each(func(f *Flight) error { … }))
//	})
//
// At the end of all inputs it is called with the end of time, also if a source was stopped: [Instance.Drained] tells whether what is left open then is complete.
//
// # User events
//
// writer.SendEvent(edge.Writer(in), …) sends an event of any record type to all instances behind the edge, between the records written before and after; there, [OnEvent] takes it. Its functions may write and wait, and are
// called on the goroutine of the instance. An event without a handler ends the graph with gate.ErrEvent, unless the edge ignores such: WithReader(gate.IgnoreEvents()). Events are not passed on to output edges by themselves.
//
// # Stopping early
//
// A function that has what it was looking for returns [ErrStop], or lets a function given to [Edge.Each] return it, which is what Read then returns:
//
//	top.Do(func(ctx context.Context, in *task.Instance) error {
//		return in.Read(ctx, words.Each(func(w *Word) error {
//			if list = append(list, w.Text); len(list) == 10 {
//				return task.ErrStop
//			}
//			return nil
//		}))
//	})
//
// For the stages behind it the instance has ended like any other: what it has written is read, then the end. For those before it, it is a reader that takes everything and looks at nothing: they wait for it no more, get no error,
// and go on for their other readers, be it instances of the same stage or other stages. When all instances of all stages that read from a stage have ended, and one of them early, nobody needs what that stage writes. Then its context is
// canceled with ErrStop as the cause, and its writers and Read fail with it; instances that return that error, or ctx.Err(), or nil, have stopped early themselves, and so on up to the sources. None of this is an error of [Graph.Run].
//
// So each instance decides for itself, and one that never has enough keeps the program going: where the first of them decides for all, let them share a variable. A function that has other work than writing, to be
// done even if nobody reads, does it with context.WithoutCancel. A stage without output edges is never told to stop.
//
// # When nothing moves
//
// [Graph.Report] says what each instance is doing and for whom it waits, at any time. Config.OnStall is called with such a report when nothing has moved for Config.Quiet. To have it logged:
//
//	task.Config{Quiet: time.Minute, OnStall: func(r task.Report) error {
//		log.Print(r)
//		return nil // or an error, to end the program
//	}}
//
// A report ends with what holds up the program: a circle of instances that wait for each other, or those that others wait for and that run code of their own:
//
//	4 instances at work, 0 have ended
//	  make[0]  waits for room in channel 1 of make→store, to be read by store[1] (32768 bytes)
//	  store[0] waits for records of make→store, from make[0], make[1]
//	  …
//	waited for, and in code of their own: store[1]
//
// # Memory
//
// A graph has a budget of its own (Config.MemoryBytes), or takes its guarantees from one that it shares with other graphs and exchanges (Config.Memory), all at once: it starts or fails as a whole, and can be run
// again when there is memory, or wait for it (Config.Wait). The budget bounds the largest record of each edge as well: about
// a quarter of the edge's equal part of it, or LargeBytes of [WithExchange]. A larger one is refused by its writer: writer.ErrRecordTooLarge.
//
// # Tapes
//
// The constructors that Connect is given decide what a writer writes to, so an edge is taped by one that puts a recorder between, with a file for each instance:
//
//	flights := task.Connect(parse, count, func(out writer.Output, opts ...writer.Option) (*FlightByOriginWriter, error) {
//		return NewFlightByOriginWriter(tape.NewTee(out, files[out.Topology().Producer]), opts...)
//	}, NewFlightReader)
//
// # Costs
//
// Read takes records in batches, so that each costs the call of its handler and nothing else of this package: no lock, no allocation, no call through an interface. Up to 32 values of each input are kept by
// an instance, outside of the budget, and read into again. Writing is that of the writer. A wait of Read for input costs one flush of every output edge that was written to.
//
// For the simple case of n producers and m workers there is [Group].
package task
