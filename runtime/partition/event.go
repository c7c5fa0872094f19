package partition

import (
	"errors"
	"fmt"
	"math"

	"github.com/rwgen/rwgen/runtime/record"
)

// NoWatermark is the watermark of a chunk that says nothing new, and of a channel before its first one.
const NoWatermark = math.MinInt64

// EventKind says what an [Event] is.
type EventKind uint8

// The kinds of events.
const (
	EndOfData     EventKind = 1 + iota // no record follows in the channel; the end of the partition does
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
	return fmt.Sprintf("event %d", uint8(k))
}

// Event is what a writer tells the readers of its channels beside its records, in order with them. It takes no memory of the pool. Nobody changes an event, or what it refers to, after it was
// given to an output.
type Event struct {
	Kind       EventKind
	Drained    bool          // EndOfData: the writer has written all that it will ever write; false: it was stopped
	Record     string        // UserEvent: Go name of the record type
	Schema     record.Schema // UserEvent: of the record type
	Data       []byte        // UserEvent: the encoded record
	SentMicros int64         // LatencyMarker: when it was sent, in microseconds since the Unix epoch
}

// ErrEvents is returned for an event when too many wait for the reader of a channel; see [MaxEventBytes]. No channel has got it, and it may be sent again, best when [Output].EventReady says so.
var ErrEvents = errors.New("partition: too many events")

// MaxEventBytes bounds the events that wait in one channel, in bytes: what they carry, and eventBytes for each.
const MaxEventBytes = 1 << 20

// MaxEventData is the most that one user event can carry, in bytes.
const MaxEventData = MaxEventBytes - eventBytes

// ErrEventTooLarge is returned for an event of more than [MaxEventData] bytes. It is an [ErrEvents], but sending it again is of no use.
var ErrEventTooLarge = fmt.Errorf("%w: one too large", ErrEvents)

// eventBytes is about what an event takes beside its data: itself and its place in the queue.
const eventBytes = 192

func (e *Event) bytes() int { return eventBytes + len(e.Data) }

func (e *Event) validate() error {
	switch e.Kind {
	case EndOfData, LatencyMarker:
		return nil
	case UserEvent:
		if len(e.Data) > MaxEventData {
			return fmt.Errorf("%w: %d bytes, the limit is %d", ErrEventTooLarge, len(e.Data), MaxEventData)
		}
		return nil
	}
	return fmt.Errorf("partition: %v cannot be sent", e.Kind)
}
