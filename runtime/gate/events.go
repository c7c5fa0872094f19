package gate

import (
	"errors"
	"fmt"
	"time"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// Origin is the place of a record or event in the streams that a reader joins.
type Origin struct {
	Producer int // index of the producer; −1: there was no record yet
	Channel  int // the producer's number of the channel
	// Seq is of a record its number in the channel, of an event how many records came before it in the channel. It counts from 0, the first record that has arrived, unless [Gate.Number] says otherwise.
	Seq uint64
}

// EndOfData says that a producer has written its last record to a channel. The end of the partition follows, perhaps much later. A producer that ends without saying so is
// not reported.
type EndOfData struct {
	Origin  Origin
	Drained bool // the producer has written all that it will ever write; false: it was stopped
	Waiting int  // channels of the reader that have neither said the same nor ended
}

// Latency says how long a latency marker was under way: from the writer's Mark to this reader, behind all records that were written to the channel before.
type Latency struct {
	Origin Origin
	Sent   time.Time     // by the clock of the producer
	Delay  time.Duration // by the clock of the reader, until now; never negative
}

// ErrEvent is returned for user events that no handler takes, and for those whose handler fails; see [EventError].
var ErrEvent = errors.New("gate: event failed")

// EventError says that a user event was not handled. It is [ErrEvent] and unwraps to the cause. It is sticky: the reader returns it again, and must be closed.
type EventError struct {
	Origin Origin
	Record string // Go name of the event's record type
	Cause  error  // of the handler; nil if there is none for the event's schema
}

func (e *EventError) Error() string {
	if e.Cause == nil {
		return fmt.Sprintf("gate: no handler for the event %s in channel %d of producer %d after %d records", e.Record, e.Origin.Channel, e.Origin.Producer, e.Origin.Seq)
	}
	return fmt.Sprintf("gate: event %s in channel %d of producer %d after %d records: %v", e.Record, e.Origin.Channel, e.Origin.Producer, e.Origin.Seq, e.Cause)
}

// Unwrap returns [ErrEvent] and the cause.
func (e *EventError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrEvent}
	}
	return []error{ErrEvent, e.Cause}
}

// handlers are what the user wants to be told. Each may be nil.
type handlers struct {
	watermark func(time.Time)
	idle      func(bool)
	endOfData func(EndOfData)
	latency   func(Latency)
	events    []eventHandler
	ignore    bool // events without a handler
}

// eventHandler takes the user events of one schema.
type eventHandler struct {
	schema record.Schema
	handle func(o Origin, data []byte, l record.Limits) (corrupt, err error)
}

// check fails if two handlers are for the same events.
func (h *handlers) check() error {
	for i, a := range h.events {
		for _, b := range h.events[:i] {
			if a.schema.Fingerprint == b.schema.Fingerprint {
				return fmt.Errorf("two OnEvent handlers for events of one schema, %s: %w", a.schema.Text, ErrInUse)
			}
		}
	}
	return nil
}

// set takes a handler in the place of the one for the same events.
func (h *handlers) set(x eventHandler) {
	if old := h.of(x.schema); old != nil {
		*old = x
		return
	}
	h.events = append(h.events, x)
}

func (h *handlers) of(s record.Schema) *eventHandler {
	for i := range h.events {
		if x := &h.events[i]; x.schema.Fingerprint == s.Fingerprint && x.schema.Text == s.Text {
			return x
		}
	}
	return nil
}

// newEventHandler returns the handler that decodes events with ser.
func newEventHandler[T any](ser record.Serializer[T], f func(Origin, *T) error) eventHandler {
	return eventHandler{schema: ser.Schema(), handle: func(o Origin, data []byte, l record.Limits) (corrupt, err error) {
		v := new(T)
		n, err := ser.ConsumeLimits(data, v, l)
		if err == nil && n != len(data) {
			err = fmt.Errorf("%w: bytes are left over after the %d of the event", wire.ErrCorrupt, n)
		}
		if err != nil {
			return err, nil
		}
		return nil, f(o, v)
	}}
}
