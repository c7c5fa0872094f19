package writer

import (
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/partition"
)

var (
	// ErrClosed is returned by operations on a closed writer.
	ErrClosed = partition.ErrClosed
	// ErrConsumerGone is returned when the reader of the record's channel has left before the end. The error is a
	// *[partition.ConsumerError] that names the channel and unwraps to the reader's cause. Other channels can still be written to.
	ErrConsumerGone = partition.ErrConsumerGone
	// ErrCanceled is returned by every operation after the exchange was canceled.
	ErrCanceled = partition.ErrCanceled
	// ErrInUse is returned by constructors when the output has a writer already.
	ErrInUse = partition.ErrInUse
	// ErrNoOutput is returned by constructors when the output is nil.
	ErrNoOutput = errors.New("writer: no output")
	// ErrEvents is returned for an event when too many wait for the reader of a channel: at most partition.MaxEventBytes. [Core.EventReady] tells when there is room.
	ErrEvents = partition.ErrEvents
	// ErrChannel is returned when a selector chose a channel that does not exist.
	ErrChannel = errors.New("writer: channel out of range")
	// ErrRecordTooLarge is returned for a record above the limit; see [RecordTooLargeError].
	ErrRecordTooLarge = errors.New("writer: record too large")
)

// RecordTooLargeError says how large a refused record was. It unwraps to [ErrRecordTooLarge]. The writer can go on with other records.
type RecordTooLargeError struct {
	Record string // Go name of the record type
	Size   int    // bytes of the payload; [math.MaxInt] for more than an int holds
	Limit  int    // bytes allowed: the smaller of the limit on records and the memory set aside for large ones
}

func (e *RecordTooLargeError) Error() string {
	return fmt.Sprintf("writer: %s of %d bytes exceeds the limit of %d bytes, the smaller of Limits.MaxRecordBytes and LargeBytes of the exchange", e.Record, e.Size, e.Limit)
}

// Unwrap returns [ErrRecordTooLarge].
func (e *RecordTooLargeError) Unwrap() error { return ErrRecordTooLarge }
