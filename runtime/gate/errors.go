package gate

import (
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/partition"
)

var (
	// ErrClosed is returned by operations on a closed reader.
	ErrClosed = errors.New("gate: reader closed")
	// ErrInUse is returned by constructors when the gate has a reader already.
	ErrInUse = partition.ErrInUse
	// ErrNoGate is returned by constructors when the gate is nil.
	ErrNoGate = errors.New("gate: no gate")
	// ErrEmptyBatch is returned for a batch that has room for no record: no records and no error would say that every channel has ended.
	ErrEmptyBatch = errors.New("gate: no room for a record in the batch")
	// ErrCanceled is returned by every operation after the exchange was canceled.
	ErrCanceled = partition.ErrCanceled
	// ErrCorrupt is returned for bytes that no writer produces; see [CorruptError].
	ErrCorrupt = errors.New("gate: corrupt stream")
	// ErrReentry is returned when a handler of a reader reads from that reader. It is sticky: the method that has called the handler returns it too.
	ErrReentry = errors.New("a handler must not read from the reader that calls it")
	// ErrAssembly is returned when a record arrives in pieces and there is no memory to put it together; see [AssemblyError].
	ErrAssembly = errors.New("gate: no memory for a record in pieces")
)

// CorruptError says where a channel stopped making sense. It unwraps to [ErrCorrupt] and to its cause. It is sticky: the
// reader returns it again, and must be closed.
type CorruptError struct {
	Producer int    // index of the producer
	Channel  int    // the producer's number of the channel
	Record   uint64 // number of records of the channel before the bad one
	Cause    error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("gate: channel %d of producer %d is corrupt at record %d: %v", e.Channel, e.Producer, e.Record, e.Cause)
}

// Unwrap returns [ErrCorrupt] and the cause.
func (e *CorruptError) Unwrap() []error { return []error{ErrCorrupt, e.Cause} }

// AssemblyError says which record that arrives in pieces could not be put together, since its gate's [Room] has no memory for it. It is [ErrAssembly] and unwraps to the cause, which says what there is and
// how to get more. It is sticky, because the bytes that follow in the channel are of the same record: the reader returns it again, and must be closed.
type AssemblyError struct {
	Producer int    // index of the producer
	Channel  int    // the producer's number of the channel
	Record   uint64 // number of records of the channel before this one
	Size     int    // of its payload, in bytes
	Arrived  int    // of it, in bytes
	Cause    error  // of the Room
}

func (e *AssemblyError) Error() string {
	return fmt.Sprintf("gate: no memory for record %d of channel %d of producer %d, %d of whose %d bytes have arrived in pieces: %v", e.Record, e.Channel, e.Producer, e.Arrived, e.Size, e.Cause)
}

// Unwrap returns [ErrAssembly] and the cause.
func (e *AssemblyError) Unwrap() []error { return []error{ErrAssembly, e.Cause} }

// ProducerError is what a reader gets from a producer that was closed with a cause, after the records before it.
type ProducerError = partition.ProducerError
