package tape

import (
	"errors"
	"fmt"
)

var (
	// ErrFormat is returned for a file that is no tape, or one of a version that this package does not know.
	ErrFormat = errors.New("tape: not a tape")
	// ErrCorrupt is returned for bytes that no recorder writes; see [CorruptError].
	ErrCorrupt = errors.New("tape: corrupt")
	// ErrTruncated is returned at the end of a tape that was not closed, after all of its whole segments; it is the cause of a [CorruptError].
	ErrTruncated = errors.New("tape: the file ends before the tape")
	// ErrPosition is returned when reading is to start behind the last record of a lane, or in a lane that there is not.
	ErrPosition = errors.New("tape: no such position")
	// ErrWrite is what every [WriteError] is.
	ErrWrite = errors.New("tape: cannot write")
	// ErrClosed is returned by readers that were closed.
	ErrClosed = errors.New("tape: closed")
)

// What can be wrong with a segment.
var (
	errMark     = errors.New("no segment begins here")
	errHeader   = errors.New("the checksum of the header does not match")
	errData     = errors.New("the checksum of the data does not match")
	errFields   = errors.New("a field of the header is out of range")
	errFrames   = errors.New("the frames do not fill the segment")
	errOrder    = errors.New("a segment of this kind does not belong here")
	errTable    = errors.New("the table of numbers is not what the format says")
	errRepeated = errors.New("the segment is a repeated one, or comes too late")
	errEnd      = errors.New("the end is not what the format says")
	errIndex    = errors.New("the index is not what the format says")
	errTrailer  = errors.New("the trailer is not what the format says")
	errEvent    = errors.New("the event is not what the format says")
)

// CorruptError says where a tape stops making sense. It unwraps to [ErrCorrupt] and to its cause, which is [ErrTruncated] if the file ends too early.
type CorruptError struct {
	Offset int64 // of the segment, or of another part of the file, in bytes
	Cause  error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("tape: corrupt at offset %d: %v", e.Offset, e.Cause)
}

// Unwrap returns [ErrCorrupt] and the cause.
func (e *CorruptError) Unwrap() []error { return []error{ErrCorrupt, e.Cause} }

// MissingError is the cause of a [CorruptError] when a lane goes on behind records that are not there.
type MissingError struct {
	Lane    int
	First   uint64 // number of the first record that is missing
	Records uint64 // how many are
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%d records of lane %d are missing from record %d on", e.Records, e.Lane, e.First)
}

// MissingSegmentsError is the cause of a [CorruptError] when whole segments are not there, of whatever kind and lane. Which records were in them turns out later, when their lanes go on: see [MissingError].
type MissingSegmentsError struct {
	First    uint64 // number of the first segment that is missing, from 0
	Segments uint64 // how many are
}

func (e *MissingSegmentsError) Error() string {
	return fmt.Sprintf("%d segments are missing from segment %d on", e.Segments, e.First)
}

// WriteError says how far a tape got when its file failed. It unwraps to [ErrWrite] and to its cause. It is sticky: nothing is written after it.
type WriteError struct {
	Op     string // "write" or "sync"
	Offset int64  // bytes that the file has taken
	Cause  error
}

func (e *WriteError) Error() string {
	return fmt.Sprintf("tape: %s at offset %d: %v", e.Op, e.Offset, e.Cause)
}

// Unwrap returns [ErrWrite] and the cause.
func (e *WriteError) Unwrap() []error { return []error{ErrWrite, e.Cause} }

// FailedError is the cause of what readers get at the end of a tape whose writer was closed with a cause: a partition.ProducerError. Of the cause, only the message is kept.
type FailedError struct{ Message string }

func (e *FailedError) Error() string { return e.Message }
