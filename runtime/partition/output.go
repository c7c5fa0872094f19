package partition

import (
	"context"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

// Claim describes the writer that claims an output.
type Claim struct {
	Name      string        // of the writer, for metrics and errors; may be empty
	Record    string        // Go name of the record type
	Schema    record.Schema // of the record type
	Selection selector.Kind // KindBroadcast: one lane for all channels
	Key       string        // key fields as in the directive, for outputs that tell the other side; may be empty
	Hash      selector.Hash // of the key, for outputs that tell the other side
	Flush     FlushPolicy
	// BeforeWait is called by the writer's goroutine whenever it is about to wait for memory, or has found that it would have to: a task with several outputs
	// makes everything readable on the others. Nil: nothing to do.
	BeforeWait func()
}

// Output is all a writer needs of the place it writes to. [Partition] is one; others (taps, transports, brokers) fit the same writers.
//
// A lane is what has an open block: a channel, or all channels together for a broadcast writer. All methods but Topology and Stats are for the one goroutine
// that uses the writer. None is called per record, except Announce under a policy that asks for it.
type Output interface {
	// Topology returns the numbers of producers and consumers and the index of this producer.
	Topology() selector.Topology
	// Claim makes the caller the writer of this output and returns a builder for each lane. A second call fails with ErrInUse.
	Claim(Claim) ([]buffer.Builder, error)
	// Sizes returns the bounds of blocks and records, in bytes. They are those of the writer once the output was claimed.
	Sizes() Sizes
	// Acquire hands over the lane's open block, if there is one, and opens another of at most size bytes; it may be as small as
	// memory.MinBlock when memory is short. It waits for memory and for a full channel, after it has made everything written readable. When it fails, the lane may be left without an
	// open block, and nothing that was committed is lost.
	Acquire(ctx context.Context, lane, size int) error
	// Large returns a buffer of n bytes for one frame that does not go into a block. It waits like Acquire. The caller passes the buffer to Append or releases it. With n = 0 it waits for a full channel only.
	Large(ctx context.Context, lane, n int) (*buffer.Buffer, error)
	// TryAcquire is Acquire without waiting: it returns false, after it has made everything written readable, if there is no memory or the channel is full. The lane's
	// open block then stays open.
	TryAcquire(lane, size int) (bool, error)
	// TryLarge is Large without waiting. The buffer is nil, with a nil error, if there is no room; then everything written was made readable.
	TryLarge(lane, n int) (*buffer.Buffer, error)
	// Append hands over the lane's open block, if there is one, and then the first n bytes of buf, one whole frame. It takes over the caller's reference
	// also when it fails.
	Append(lane int, buf *buffer.Buffer, n int) error
	// AppendAll does the same on every lane with one buffer that all of them share. Lanes whose consumers have left are passed over; their errors are returned.
	AppendAll(buf *buffer.Buffer, n int) error
	// Announce says that the lane has published bytes that nobody has promised to look at. It returns the error of a failed output.
	Announce(lane int) error
	// Flush makes everything published readable.
	Flush() error
	// Watermark says that no record with an event time of so many microseconds since the Unix epoch, or before, follows in any lane. Everything written must be published. A watermark that is not
	// higher than the last changes nothing; a higher one ends idleness. It takes no memory and never waits, and readers need only get the newest. It fails if the output was canceled or has ended.
	Watermark(micros int64) error
	// Idle says whether the writer has stopped writing for now, so that nobody should wait for its watermarks. Otherwise it is like Watermark.
	Idle(idle bool) error
	// Event hands over the lane's open block and puts an event behind it; lane −1 stands for every lane, and so does any for EndOfData, after which records, watermarks and events fail with
	// ErrClosed. It never waits: if a channel has no room for it, none gets it, and the error is ErrEvents. Lanes whose consumers have left are passed over; their errors are returned. The output owns
	// the event afterwards.
	Event(lane int, e Event) error
	// EventReady returns a channel that is closed when the channel that had no room for the event that Event has last refused has room for it; with several channels another one may refuse it then.
	// It is closed as well when that channel's consumer has left, when the output has failed, and if nothing was refused.
	EventReady() <-chan struct{}
	// Finish hands over all open blocks and ends the stream. Fail does the same and makes readers fail with cause after the records. Only the first call of
	// either has an effect. Both return an error if accepted records or user events were dropped because a consumer left. After Cancel the stream is not whole: Finish fails the readers too.
	Finish() error
	Fail(cause error) error
	// Loads returns, by lane, how many bytes of memory are held: blocks, the open one included, and large records. They may be read from any goroutine.
	Loads() []atomic.Int64
	// Available reports whether TryAcquire would succeed for a lane, or for every lane if lane is −1. It is true when the output has failed.
	Available(lane int) bool
	// Ready returns a channel that is closed when it is worth trying again what TryAcquire or TryLarge has last refused; lane −1: when Available(−1) has become
	// true. It is closed as well when the output has failed.
	Ready(lane int) <-chan struct{}
	// Stats returns the counters. From any goroutine.
	Stats() metrics.Writer
}

// Sizes bounds what goes through an output, in bytes.
type Sizes struct {
	Steady int // blocks grow with traffic up to this
	Block  int // largest block for records that need more
	Record int // largest payload of a record
}
