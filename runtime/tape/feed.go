package tape

import (
	"context"
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Feed writes what a tape holds to an output, each record to the channel it was written to, and closes it: with a cause if the tape's writer was, or if the tape is damaged. It is the writer of the output
// until it returns, and waits as writers do. Options are those of reading; for those of writers, and for the numbers of records on the tape, see [Feeder].
//
// It returns nil if the tape was fed to its end, whatever that is; a [CorruptError] or another error of the tape; or one of the output. A consumer that leaves ends its channel, and is no error: the
// others get theirs.
func Feed(ctx context.Context, t *Tape, out partition.Output, opts ...ReadOption) error {
	f, err := NewFeeder(t, out, nil, opts...)
	if err != nil {
		return err
	}
	return f.Run(ctx)
}

// Feeder is the writer of an output that is fed from a tape. It is made where wiring is, so that errors come there, and run elsewhere; it must be run, which closes the output.
type Feeder struct {
	tape   *Tape
	out    partition.Output
	core   *writer.Core
	cursor *Cursor
	user   func(lane int, e *partition.Event) error // OnEvent
	gone   []bool                                   // by lane: its consumer has left
	left   int                                      // lanes whose consumer has not
	told   state                                    // what was passed on
	record numbers
}

// NewFeeder claims an output for a tape. It fails with [selector.ErrTopology] if out has not as many channels as the tape's writer had, and as constructors of writers do. Watermarks are passed on as far as all lanes have
// come, and so are events but for latency markers, which would tell how old the tape is. An option [OnEvent] is called for each before.
//
// With [ErrPosition] it fails if the options name a place that there is not, as far as the index tells: without one, Run does. Then, the output is closed with that error.
func NewFeeder(t *Tape, out partition.Output, w []writer.Option, opts ...ReadOption) (*Feeder, error) {
	h := t.header
	if n := out.Topology().Consumers; n != h.Topology.Consumers {
		return nil, fmt.Errorf("tape: an output with %d channels for a tape of %d: %w", n, h.Topology.Consumers, selector.ErrTopology)
	}
	spec := writer.Spec{Record: h.Record, Schema: h.Schema, Selection: selector.KindCustom}
	if h.Selection == selector.KindBroadcast {
		spec.Selection = selector.KindBroadcast
	}
	core, err := writer.NewCore(out, spec, w...)
	if err != nil {
		return nil, fmt.Errorf("tape: %w", err)
	}
	f := &Feeder{tape: t, out: out, core: core, gone: make([]bool, h.Lanes), left: h.Lanes, told: state{watermark: noWatermark}}
	o := gatherRead(opts)
	f.user = o.event
	f.cursor = t.cursor(o)
	if err := f.cursor.scan.err; err != nil {
		return nil, errors.Join(err, leaving(core.CloseWithError(err)))
	}
	f.record = newNumbers(f.cursor.scan.start)
	return f, nil
}

// Run feeds the output and closes it. See [Feed]. A second call returns the error of a closed writer.
func (f *Feeder) Run(ctx context.Context) error {
	err := f.run(ctx)
	var failed *partition.ProducerError
	switch {
	case err == nil:
		err = f.core.Close()
	case errors.As(err, &failed):
		err = f.core.CloseWithError(failed.Cause) // the tape is whole
	default:
		return errors.Join(err, leaving(f.core.CloseWithError(err)))
	}
	return leaving(err)
}

// leaving passes over that consumers have left.
func leaving(err error) error {
	if errors.Is(err, partition.ErrConsumerGone) && !errors.Is(err, partition.ErrCanceled) {
		return nil
	}
	return err
}

func (f *Feeder) run(ctx context.Context) error {
	f.cursor.event = func(lane int, e *partition.Event) error { return f.event(ctx, lane, e) }
	for f.left > 0 {
		payload, ok, err := f.cursor.Next(ctx)
		if err == nil {
			err = f.tell()
		}
		if err != nil || !ok {
			return err
		}
		lane, record := f.cursor.Last()
		if f.gone[lane] {
			continue
		}
		f.record.next(lane, record)
		err = f.put(ctx, lane, payload)
		if errors.Is(err, partition.ErrConsumerGone) && !errors.Is(err, partition.ErrCanceled) {
			f.gone[lane] = true
			f.left--
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Record returns how many records of a channel stand on the tape before the one that comes next when so many have been fed: the number on the tape of that one, unless records before it are lost. It differs from
// fed when reading began behind the start of the channel ([From]) or has gone past damage ([Resync]). It may be called from any goroutine, for records that were fed. For readers of an exchange that is fed by
// Feeders, it is the numbering of gate.Gate.Number; a [Replay] sets that itself.
func (f *Feeder) Record(channel int, fed uint64) uint64 { return f.record.before(channel, fed) }

// put writes one record.
func (f *Feeder) put(ctx context.Context, lane int, payload []byte) error {
	b := f.core.Builder(lane)
	if dst, ok := b.Tail(); ok && len(dst) >= len(payload) {
		copy(dst, payload)
		if b.Commit(len(payload)) {
			return nil
		}
		return f.core.Announce(lane)
	}
	dst, err := f.core.Room(ctx, lane, len(payload))
	if err != nil {
		return err
	}
	copy(dst, payload)
	return f.core.Place(lane, len(payload))
}

// tell passes on what holds for all lanes.
func (f *Feeder) tell() error {
	now := state{f.cursor.lowest, f.cursor.idle}
	if now == f.told {
		return nil
	}
	was := f.told
	f.told = now
	if now.watermark > was.watermark {
		if err := f.out.Watermark(now.watermark); err != nil {
			return err
		}
	} else if was.idle == now.idle {
		return nil
	}
	return f.out.Idle(now.idle)
}

// event passes on an event. It waits for room.
func (f *Feeder) event(ctx context.Context, lane int, e *partition.Event) error {
	if f.user != nil {
		if err := f.user(lane, e); err != nil {
			return err
		}
	}
	if err := f.tell(); err != nil {
		return err
	}
	if e.Kind == partition.LatencyMarker || lane != all && f.gone[lane] {
		return nil
	}
	for {
		err := f.out.Event(lane, *e)
		if !writer.EventRefused(err) {
			return leaving(err)
		}
		select {
		case <-f.core.EventReady():
		case <-ctx.Done():
			return buffer.Interrupted(ctx)
		}
	}
}
