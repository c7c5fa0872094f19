package partition

import (
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/record"
)

// Inlet is the writing end of one queue whose records come encoded from elsewhere, for example from a producer in another process: whoever receives them puts them into blocks here, and a gate reads the
// queue like any other. Frames may be cut at any byte.
//
//	in := partition.NewInlet(partition.InletConfig{Producer: 3, Channel: 1})
//	in.Claim(schema)                       // before the first byte
//	in.Open(block)                         // when there is no room
//	n, err := conn.Read(in.Room())
//	in.Commit(n)
//	in.Flush()                             // the reader looks
//	in.End(nil)
//
// What lies in a buffer together with other things, such as what other channels have received, can stay there: see Lend.
//
// An inlet belongs to one goroutine at a time. Its queue is a gate.Source for one reader.
type Inlet struct {
	config InletConfig
	sub    Subpartition
	lane   buffer.Builder
	marks  marks
	mark   mark
	over   bool           // the end was given
	lent   bool           // since the last Flush
	rest   *buffer.Buffer // of a block that was handed over before it was full; it is opened again
	schema atomic.Pointer[record.Schema]
}

// InletConfig configures an [Inlet].
type InletConfig struct {
	Producer int // index of the producer, as readers and errors name it
	Channel  int // the producer's number of the channel
	// EventRead is called when the reader has taken an event out of the queue, with what it counted for in bytes (see [MaxEventBytes]); Left when the reader has left before the end, with its cause ([ErrEnough]: it needs no more,
	// and nobody is to fail for that). Both are called on the goroutine of the reader, without locks, and must not wait. Nil: nobody is told.
	EventRead func(bytes int)
	Left      func(cause error)
}

// NewInlet returns an inlet without a reader.
func NewInlet(c InletConfig) *Inlet {
	in := &Inlet{config: c}
	in.sub.producer, in.sub.channel, in.sub.channels = c.Producer, c.Channel, 1
	in.sub.inlet, in.sub.marks, in.sub.schema, in.sub.lane = in, &in.marks, &in.schema, &in.lane
	in.sub.policy = OnFull()
	return in
}

// Source returns the queue, which is to be given to a gate.
func (in *Inlet) Source() *Subpartition { return &in.sub }

// Claim says what the records are. It must come before the first byte.
func (in *Inlet) Claim(s record.Schema) { in.schema.Store(&s) }

// Room returns the free bytes of the open block, nothing if there is none. They belong to the caller until Commit.
func (in *Inlet) Room() []byte {
	if in.lane.Block() == nil {
		if in.rest == nil {
			return nil
		}
		in.begin(in.rest)
		in.rest = nil
	}
	return in.lane.Room()
}

// Free returns how many bytes Room has, and changes nothing.
func (in *Inlet) Free() int {
	switch {
	case in.lane.Block() != nil:
		return in.lane.Free()
	case in.rest != nil:
		return len(in.rest.Bytes())
	}
	return 0
}

// Backlog returns how many bytes were not read, and how many pieces of them and events are in the queue, each of which takes some memory of its own.
func (in *Inlet) Backlog() (bytes int64, pieces int) { return in.sub.backlog() }

// Open makes buf, of which the queue gets the caller's reference, the open block. REQUIRES: Room returns nothing.
func (in *Inlet) Open(buf *buffer.Buffer) {
	in.handOver(metrics.Full)
	in.begin(buf)
}

func (in *Inlet) begin(buf *buffer.Buffer) {
	in.lane.Open(buf)
	in.sub.open(buf)
}

// Commit says that the first n bytes of Room were filled. A block that is full is handed over; for others Flush tells the reader.
func (in *Inlet) Commit(n int) {
	in.lane.Advance(n)
	if in.lane.Free() == 0 {
		in.handOver(metrics.Full)
	}
}

// handOver finishes the open block, if there is one.
func (in *Inlet) handOver(cause metrics.FlushCause) {
	if in.lane.Block() == nil {
		return
	}
	in.sub.finish(in.lane.Written(), in.mark, cause)
	in.lane.Finish()
}

// Lend puts the bytes from begin to end of buf behind everything that was committed, where they lie. The queue takes a reference of its own, which its reader gives back; the bytes must stay as they are until then, and what else is in buf
// is the caller's business. What is left of the open block is opened again for what comes later. Flush tells the reader.
func (in *Inlet) Lend(buf *buffer.Buffer, begin, end int) {
	in.setAside(metrics.Requested)
	buf.Retain(1)
	in.lent = in.sub.add(entry{buf: buf, begin: begin, end: end, mark: in.mark}) || in.lent
}

// setAside hands the open block over, if there is one, and keeps what is left of it for later.
func (in *Inlet) setAside(cause metrics.FlushCause) {
	b := in.lane.Block()
	if b == nil {
		return
	}
	in.rest = b.Rest(in.lane.Written())
	in.handOver(cause)
}

// Flush makes everything committed readable.
func (in *Inlet) Flush() {
	if in.lent {
		in.lent = false
		in.sub.notify(metrics.Requested)
	}
	if in.lane.Block() != nil && in.lane.Written() > 0 {
		in.lane.Confirm() // before the load of the inbox: see Subpartition.View
		in.sub.flush(metrics.Requested)
	}
}

// Watermark says what the producer has said of its event time after everything that was committed; see [Output]. A watermark that is not higher than the last one is passed over. It wakes the reader.
func (in *Inlet) Watermark(micros int64, idle bool) {
	m := max(markOf(micros), in.mark&^idleBit)
	if idle {
		m |= idleBit
	}
	if m == in.mark || in.over {
		return
	}
	in.mark = m
	if in.lane.Block() != nil {
		in.lane.Confirm()
	}
	in.marks.word.Store(uint64(m))
	in.sub.tell()
}

// Event puts an event behind everything that was committed. What is left of the open block is opened again for what comes later. The queue owns the event afterwards. It is the caller's part that not more than [MaxEventBytes] of them wait.
func (in *Inlet) Event(e *Event) {
	in.setAside(metrics.Event)
	in.sub.push(entry{event: e, mark: in.mark}, metrics.Event)
}

// End hands the open block over and ends the queue: a nil cause is the end of the partition, any other one fails the reader after what was committed, with a [ProducerError]. Only the first call has an effect; it must be made, and nothing may be
// committed after it.
func (in *Inlet) End(cause error) {
	if in.over {
		return
	}
	in.over = true
	in.handOver(metrics.Finished)
	if in.rest != nil {
		in.rest.Release()
		in.rest = nil
	}
	in.sub.end(cause, in.mark)
}

// Discard gives back what nobody will read, if there never was a reader. REQUIRES: End.
func (in *Inlet) Discard() { in.sub.discard() }

func (in *Inlet) eventRead(bytes int) {
	if in.config.EventRead != nil {
		in.config.EventRead(bytes)
	}
}

func (in *Inlet) left(cause error) {
	if in.config.Left != nil {
		in.config.Left(cause)
	}
}
