package writer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
)

// Watermark tells all readers that no record with an event time of t or before follows; less than a microsecond of t is cut off. A watermark that is not higher than the last changes nothing; a
// higher one ends idleness. It takes no memory, never waits, and costs the same for any number of channels: readers that are busy get the newest one with their next block, the others are told as the
// flush policy says, but at most about every 100 ms. eventtime.Time(eventtime.End) says that no record follows at all, which Close does too.
//
// It returns ErrClosed after EndOfData and Close, and [ErrCanceled].
func (c *Core) Watermark(t time.Time) error { return c.advance(eventtime.Micros(t)) }

// Advance is for generated writers with eventtime=: it is Watermark, in microseconds since the Unix epoch, of what follows from the event times of the records that were written. After
// [Core.IgnoreEventTimes] it does nothing.
func (c *Core) Advance(micros int64) error {
	if c.passes {
		return nil
	}
	return c.advance(micros)
}

// IgnoreEventTimes switches off the watermarks that a generated writer makes of the event times of its records; [Core.Watermark] goes on. It is for those who pass on the watermarks of inputs. A stage that
// merges inputs writes their records in the order in which they happen to come, so what a writer concludes from the times of some of them is wrong: watermarks are made at the sources, where records are in order or
// nearly so, and combined behind them.
func (c *Core) IgnoreEventTimes() { c.passes = true }

func (c *Core) advance(micros int64) error {
	if err := c.accepts(); err != nil {
		return err
	}
	if err := c.publish(); err != nil {
		return err
	}
	return c.out.Watermark(micros)
}

// Idle tells all readers whether this producer has stopped writing for now: while it has, they do not wait for its watermarks. A higher watermark ends idleness too; records alone do not, although readers
// do not count a channel as idle while they read from it. It never waits. Errors are those of Watermark.
func (c *Core) Idle(idle bool) error {
	if err := c.accepts(); err != nil {
		return err
	}
	if err := c.publish(); err != nil {
		return err
	}
	return c.out.Idle(idle)
}

// publish ends a batch that a panicking serializer has left behind: what is said of event time must not be seen before the records that were written before.
func (c *Core) publish() error {
	if len(c.touched) == 0 {
		return nil
	}
	_, err := c.EndBatch(0, nil)
	return err
}

// EndOfData tells all readers that no record follows: drained says that the stream is complete, false that the writer was stopped. After it nothing but Flush and Close is accepted. It never waits, and
// makes everything written readable. It returns the errors of channels whose consumers have left; all others have got it.
func (c *Core) EndOfData(drained bool) error {
	err := c.event(-1, partition.Event{Kind: partition.EndOfData, Drained: drained})
	c.over = c.over || err == nil || errors.Is(err, ErrConsumerGone)
	return err
}

// Mark sends a latency marker to one channel, another each time: its reader learns how long it was under way, behind everything written to the channel before, which is made readable. It never waits. It
// fails with [ErrEvents] if too many events wait for the reader.
func (c *Core) Mark() error {
	lane := c.marker % len(c.builders)
	c.marker = lane + 1
	return c.event(lane, partition.Event{Kind: partition.LatencyMarker, SentMicros: time.Now().UnixMicro()})
}

// SendEvent sends a user event, one record of any type, to every channel of a writer: each reader gets it after all records that were written to its channel before, which are made readable, and before
// those after, by the handler of gate.OnEvent for the schema of ser. A reader without one fails with gate.ErrEvent unless it has gate.IgnoreEvents. It is encoded once and takes no memory of the budget, but the events that wait in one channel are bounded: if there is no room in one, none gets it, and the error is [ErrEvents]. It never
// waits; [SendEventWait] does. v is the caller's again when it returns. An error of channels whose consumers have left comes with an event that all others have got.
func SendEvent[T any](m Member, ser record.Serializer[T], v *T) error {
	data := make([]byte, ser.Size(v))
	n, err := ser.Put(data, v)
	if err != nil {
		return fmt.Errorf("writer: event %s: %w", typeName[T](), err)
	}
	return m.Core().event(-1, partition.Event{Kind: partition.UserEvent, Record: typeName[T](), Schema: ser.Schema(), Data: data[:n]})
}

// SendEventWait is SendEvent that waits, as Emit does, until there is room in every channel. Before it waits, everything written is made readable. When ctx is done it returns the error of ctx, and
// nobody has got the event; a ctx that is done already does not matter if there is room. An event of more than partition.MaxEventData bytes is refused without waiting: partition.ErrEventTooLarge.
func SendEventWait[T any](ctx context.Context, m Member, ser record.Serializer[T], v *T) error {
	for {
		err := SendEvent(m, ser, v)
		if !EventRefused(err) {
			return err
		}
		select {
		case <-m.Core().EventReady():
		case <-ctx.Done():
			return fmt.Errorf("writer: event %s of a writer of %s: no room: %w", typeName[T](), m.Core().spec.Record, buffer.Interrupted(ctx))
		}
	}
}

// EventRefused reports whether err says that there was no room for an event, and that there will be: see [Core.EventReady].
func EventRefused(err error) bool {
	return errors.Is(err, ErrEvents) && !errors.Is(err, partition.ErrEventTooLarge)
}

// EventReady returns a channel that is closed when it is worth trying again the event that was last refused with [ErrEvents]: the channel that had no room has some, or its consumer has left. Another channel
// may refuse it then; ask again after each attempt. It is closed as well when the output has failed or was canceled, and if nothing was refused: the next call tells. Before the caller waits, everything
// written is made readable, as by Flush.
func (c *Core) EventReady() <-chan struct{} {
	if !c.closed {
		// As in Ready.
		_ = c.out.Flush()
		c.publishOthers()
	}
	return c.out.EventReady()
}

// event sends an event.
func (c *Core) event(lane int, e partition.Event) error {
	if err := c.accepts(); err != nil {
		return err
	}
	if err := c.publish(); err != nil {
		return err
	}
	err := c.out.Event(lane, e)
	switch {
	case err == nil:
		return nil
	case e.Kind == partition.UserEvent:
		return fmt.Errorf("writer: event %s of a writer of %s: %w", e.Record, c.spec.Record, err)
	}
	return fmt.Errorf("writer: %v of a writer of %s: %w", e.Kind, c.spec.Record, err)
}
