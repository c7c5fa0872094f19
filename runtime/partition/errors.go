package partition

import (
	"errors"
	"fmt"
)

var (
	// ErrInUse is returned when a partition gets a second writer or a subpartition a second reader.
	ErrInUse = errors.New("partition: in use")
	// ErrClosed is returned by operations after Finish or Fail.
	ErrClosed = errors.New("partition: closed")
	// ErrCanceled is returned by every operation after Cancel; the cause is wrapped beside it.
	ErrCanceled = errors.New("partition: canceled")
	// ErrConsumerGone is returned to a writer whose consumer has left before the end; the consumer's cause, if any, is wrapped beside it. Other channels are not touched: a writer that selects may go on with them.
	ErrConsumerGone = errors.New("partition: consumer gone")
	// ErrEnough is the cause with which a reader leaves that needs no more of its channels, and whose producers shall not fail for that: what they write to them is accepted and dropped. See [View.Release].
	ErrEnough = errors.New("partition: the reader needs no more")
	// ErrSchema is returned when a reader cannot read what a writer writes, by the one of the two that comes later. It comes with a [record.ResolveError] that names each field.
	ErrSchema = errors.New("partition: schema differs")
)

// ProducerError is what readers get from a producer that was closed with a cause. It unwraps to the cause.
type ProducerError struct {
	Producer int   // index of the producer
	Cause    error // as given to CloseWithError
}

func (e *ProducerError) Error() string {
	return fmt.Sprintf("partition: producer %d failed: %v", e.Producer, e.Cause)
}

// Unwrap returns the cause.
func (e *ProducerError) Unwrap() error { return e.Cause }

// ConsumerError is what a writer gets for a channel whose consumer has left before the end. It is [ErrConsumerGone] and unwraps to
// the consumer's cause as well.
type ConsumerError struct {
	Channel int   // channel of the writer
	Cause   error // as given to the reader's CloseWithError; nil for Close
}

func (e *ConsumerError) Error() string {
	if e.Cause == nil {
		return fmt.Sprintf("partition: the consumer of channel %d is gone", e.Channel)
	}
	return fmt.Sprintf("partition: the consumer of channel %d is gone: %v", e.Channel, e.Cause)
}

// Unwrap returns [ErrConsumerGone] and the cause.
func (e *ConsumerError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrConsumerGone}
	}
	return []error{ErrConsumerGone, e.Cause}
}

// canceled returns the error of operations after Cancel; cause is that of the partition's context.
func canceled(cause error) error {
	if cause == ErrCanceled {
		return cause
	}
	return fmt.Errorf("%w: %w", ErrCanceled, cause)
}
