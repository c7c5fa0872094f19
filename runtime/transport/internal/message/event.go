package message

import (
	"encoding/binary"
	"strconv"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
)

// EventKind says what an [Event] is.
type EventKind uint8

// The kinds of events.
const (
	EndOfData     EventKind = 1 + iota // no record follows in the channel
	UserEvent                          // one record of another type
	LatencyMarker                      // tells how long it was under way
)

// String returns the kind in words.
func (k EventKind) String() string {
	switch k {
	case EndOfData:
		return "end of data"
	case UserEvent:
		return "user event"
	case LatencyMarker:
		return "latency marker"
	}
	return "event " + strconv.Itoa(int(k))
}

const (
	// eventPrefixBytes is what the body of every EVENT begins with: position and kind.
	eventPrefixBytes = positionBytes + 1
	// EventHeaderBytes is the most that an EVENT takes apart from the record of a user event.
	EventHeaderBytes = HeaderBytes + eventPrefixBytes + 8
)

// Event is what a producer says between records. Which of the fields below Kind are sent depends on the kind.
type Event struct {
	Before     credit.Position // of the event
	Kind       EventKind
	Drained    bool   // EndOfData: the producer has written all that it will ever write
	Schema     uint32 // UserEvent: number of the schema of the record
	Record     []byte // UserEvent: the encoded record; empty is allowed
	SentMicros int64  // LatencyMarker: microseconds since the Unix epoch
}

// Type returns [TypeEvent].
func (Event) Type() Type { return TypeEvent }

// Append appends the message, copying the record.
func (m Event) Append(dst []byte, channel uint32) []byte {
	dst = m.AppendHeader(dst, channel)
	if m.Kind == UserEvent {
		dst = append(dst, m.Record...)
	}
	return dst
}

// AppendHeader appends the at most [EventHeaderBytes] that come before the record of a user event, and of other events all. The kind must be one that there is.
func (m Event) AppendHeader(dst []byte, channel uint32) []byte {
	start := len(dst)
	dst = begin(dst, TypeEvent, 0, channel)
	dst = appendPosition(dst, m.Before)
	dst = append(dst, byte(m.Kind))
	record := 0
	switch m.Kind {
	case EndOfData:
		dst = append(dst, boolByte(m.Drained))
	case UserEvent:
		dst = binary.BigEndian.AppendUint32(dst, m.Schema)
		record = len(m.Record)
	case LatencyMarker:
		dst = binary.BigEndian.AppendUint64(dst, uint64(m.SentMicros))
	}
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-HeaderBytes+record))
	return dst
}

// Check returns the [*Error] for which a client would refuse the message, nil if there is none.
func (m Event) Check() error {
	c := checker{t: TypeEvent}
	c.skip(positionBytes)
	switch m.Kind {
	case EndOfData, LatencyMarker:
		return nil
	case UserEvent:
		c.skip(1 + 4 + len(m.Record))
		return c.done()
	}
	c.fail("kind", "is %d, there is none of that number", uint8(m.Kind))
	return c.done()
}

// ParseEvent reads the body of an EVENT. The record aliases it.
func ParseEvent(body []byte) (Event, error) {
	f := fields{t: TypeEvent, body: body}
	m := Event{Before: f.position("position"), Kind: EventKind(f.u8("kind"))}
	switch m.Kind {
	case EndOfData:
		m.Drained = f.bool("drained")
	case UserEvent:
		m.Schema = f.u32("number of the schema")
		m.Record = f.rest()
	case LatencyMarker:
		m.SentMicros = int64(f.u64("time"))
	default:
		f.fail(positionBytes, "kind", "is %d, there is none of that number", uint8(m.Kind))
	}
	if err := f.done(); err != nil {
		return Event{}, err
	}
	return m, nil
}
