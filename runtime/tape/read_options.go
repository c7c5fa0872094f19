package tape

import (
	"slices"

	"github.com/rwgen/rwgen/runtime/partition"
)

// ReadOption configures reading.
type ReadOption interface{ applyRead(*readOptions) }

type readOptions struct {
	lanes []int // nil: all
	start []startAt
	lost  func(Loss)
	event func(lane int, e *partition.Event) error
	known bool // RefuseUnknown
}

type startAt struct {
	lane   int
	record uint64
}

type readOption func(*readOptions)

func (f readOption) applyRead(o *readOptions) { f(o) }

// From begins a lane at a record, numbered from 0: the lane's number of records is its end, and more is [ErrPosition]. Lanes that are not named begin with their first record. The lane of a record is the channel
// that it was written to, or 0 on the tape of a broadcast writer; numbers are those of [Cursor.Last] and [Reader.Last], and of Last of a [Replay]'s readers. For readers of the exchange that was taped they are
// those of Last too, as long as the tape and the reader have seen the channel from its beginning.
func From(lane int, record uint64) ReadOption {
	return readOption(func(o *readOptions) { o.start = append(o.start, startAt{lane, record}) })
}

// RefuseUnknown makes [NewReader] refuse a tape whose records have fields, or members of unions, that the reader's have not. Without it fields are skipped, and a record with a value of such a member is an error that
// is record.ErrUnknownMember. It is nothing to a [Cursor] or [Feeder], which do not decode.
func RefuseUnknown() ReadOption { return readOption(func(o *readOptions) { o.known = true }) }

// Lanes reads some lanes only; none, if none is named. Several of them add up.
func Lanes(lanes ...int) ReadOption {
	lanes = slices.Clone(lanes)
	return readOption(func(o *readOptions) {
		if o.lanes == nil {
			o.lanes = []int{} // not all
		}
		o.lanes = append(o.lanes, lanes...)
	})
}

// Resync goes on behind damage. lost is called for each piece that was lost, on the goroutine that reads, and must not be nil. A tape that was not closed then ends like one that was, after the loss
// of its end. Errors of the file itself, other than that it is too short, are still errors.
func Resync(lost func(Loss)) ReadOption { return readOption(func(o *readOptions) { o.lost = lost }) }

// Loss is what a reader has gone past. Damaged bytes and missing records are told apart where one does not tell the other: the sum of Bytes over all losses is what could not be read, the sums
// of Records and of Segments are what is known to be missing. That is all that is missing unless the last one has the cause [ErrTruncated]: then the end of the tape was not found, which would have told.
type Loss struct {
	Offset  int64  // where it was found
	Bytes   int64  // passed over from there; 0 if records turned out to be missing
	Lane    int    // of the records; −1 if it is not known which they are
	First   uint64 // number of the first of them
	Records uint64 // how many
	// Segments is how many whole segments of any kind, states and events among them, are known to be lost. Those of bytes that cannot be read are known when the next segment is found, and are then a loss of their own,
	// with a [MissingSegmentsError] as its Cause, beside the records that are missing.
	Segments uint64
	Cause    error // as the Cause of a [CorruptError]
}

func gatherRead(opts []ReadOption) readOptions {
	var o readOptions
	for _, opt := range opts {
		if opt != nil {
			opt.applyRead(&o)
		}
	}
	return o
}

// OnEvent has f called for events, in their order with the records of their lane, on the goroutine that reads; lane −1: for all lanes. An error of f ends reading, and is sticky. f may keep
// the event. Without it events are passed over.
func OnEvent(f func(lane int, e *partition.Event) error) ReadOption {
	return readOption(func(o *readOptions) { o.event = f })
}
