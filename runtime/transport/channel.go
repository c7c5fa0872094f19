package transport

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// ChannelConfig says which subpartition of another process is to be read.
type ChannelConfig struct {
	Address      string // of the server
	Partition    string // id that the partition is published under
	Subpartition int
	// Topology is what the partition must be: the producer it is the output of, of how many, the number of its subpartitions, and max parallelism.
	Topology selector.Topology
	// Selection is what its writer must select by, as "key key=Origin hash=xxh3" or "rebalance". Empty: anything.
	Selection string
	// Reader is what the lists of the exchange call this process: a server that has published the subpartition for another one refuses the channel. Empty: anything.
	Reader string
	// Budget is the memory for what arrives. Required.
	Budget *Budget
	// Contract is that of the readers of the exchange: a writer that they cannot read is refused. Nil: each reader finds out by itself.
	Contract *partition.Contract
	// Peers, if not nil, holds together the channels of one exchange, whose producers must all select by the same.
	Peers *Agreement
}

// Agreement is what the producers of one exchange must have in common. A zero Agreement is one that nobody has joined.
type Agreement struct {
	mu        sync.Mutex
	selection string
	partition string // whose writer has said it first
}

// join fails if a writer selects by something else than those before it.
func (a *Agreement) join(partition, selection string) error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.partition == "":
		a.partition, a.selection = partition, selection
	case a.selection != selection:
		return fmt.Errorf("%w: the writer of %q selects by %q, that of %q by %q", ErrTopology, partition, selection, a.partition, a.selection)
	}
	return nil
}

// Channel is a subpartition of another process. It is a gate.Source: records, watermarks, events and the end arrive as in process. A channel that fails ends with a partition.ProducerError, whose cause is a [PeerError].
type Channel struct {
	client *Client
	peer   *peer
	config ChannelConfig
	number uint32
	inlet  *partition.Inlet // for the goroutine of peer

	closed chan struct{} // nothing will be said of the channel any more
	left   atomic.Pointer[departure]
	// leaving is held while a channel is discarded, and while it is said to be closed: one of both gives back what has arrived.
	leaving sync.Mutex
	// requested says that an OPEN was sent on this connection, and not answered by DENIED.
	requested atomic.Bool
	asked     atomic.Int64 // when that was for the first time, in nanoseconds since the Unix epoch; 0: never
	pausing   bool         // before it is asked for again; guarded by peer.mu

	// Guarded by Budget.mu.
	lane   int
	flow   credit.Receiver
	blocks []*buffer.Buffer // set aside, in the order of their use
	due    bool             // a CREDIT is to be sent

	// Goroutine of peer.
	incarnation message.Incarnation // of the partition
	process     message.Incarnation // of the server that has opened it
	opened      bool                // OPENED was received, ever
	answered    bool                // on this connection
	ended       bool                // nothing will be put into the inlet any more
	claimed     bool                // WRITER was received
	pause       time.Duration       // before it is asked for again
	retry       *time.Timer         // likewise
	touched     bool                // something has arrived since the connection was dry
	over        bool                // closed is closed

	err error // written before closed is
}

// departure is how a reader has left.
type departure struct {
	cause  error
	unread bool // there never was a reader, and there will be none
}

// View implements gate.Source.
func (ch *Channel) View(in *partition.Inbox) (*partition.View, error) {
	return ch.inlet.Source().View(in)
}

// Reserve implements gate.Source.
func (ch *Channel) Reserve() error { return ch.inlet.Source().Reserve() }

// Unreserve implements gate.Source.
func (ch *Channel) Unreserve() { ch.inlet.Source().Unreserve() }

// Wait returns when the server knows that the channel is done: that everything has arrived, or that its reader has left. It returns why the channel has failed, nil if it has not, and ctx's error if that is done before. From any goroutine.
func (ch *Channel) Wait(ctx context.Context) error {
	select {
	case <-ch.closed:
		return ch.err
	default:
	}
	select {
	case <-ch.closed:
		return ch.err
	case <-ctx.Done():
		return fmt.Errorf("transport: subpartition %d of %q at %s is not done: %w", ch.config.Subpartition, ch.config.Partition, ch.config.Address, context.Cause(ctx))
	}
}

// Discard ends a channel that has not got a reader, gives back what has arrived, and lets the producer drop what comes yet. It returns false, and does nothing, if there is, or was, a reader; afterwards there will be none.
func (ch *Channel) Discard() bool {
	if err := ch.Reserve(); err != nil {
		return false
	}
	ch.leaving.Lock()
	ch.leave(&departure{cause: partition.ErrEnough, unread: true})
	over := false
	select {
	case <-ch.closed:
		over = true
	default:
	}
	ch.leaving.Unlock()
	if over { // the goroutine of peer has not seen it
		ch.inlet.Discard()
	}
	return true
}

// readerLeft is called when the reader leaves before the end.
func (ch *Channel) readerLeft(cause error) { ch.leave(&departure{cause: cause}) }

func (ch *Channel) leave(d *departure) {
	if ch.left.CompareAndSwap(nil, d) {
		ch.peer.leave(ch)
	}
}

// next takes the block that is to be filled next out of those that are set aside. REQUIRES: Budget.mu held; the server was promised that there is one.
func (ch *Channel) next() *buffer.Buffer {
	block := ch.blocks[0]
	ch.blocks = append(ch.blocks[:0], ch.blocks[1:]...)
	return block
}

// pieceBytes is what each piece in the queue counts for, beside its bytes: a piece of a landing may be one byte.
const pieceBytes = 64

// unread returns how much memory of the process what was not read takes: its bytes, and what the queue has of them.
func (ch *Channel) unread() int64 {
	bytes, pieces := ch.inlet.Backlog()
	return bytes + int64(pieces)*pieceBytes
}

// eventRead is called when the reader has taken an event.
func (ch *Channel) eventRead(bytes int) {
	b := ch.config.Budget
	b.mu.Lock()
	ch.flow.EventRead(uint64(bytes))
	due := !ch.due && ch.flow.Due(false)
	ch.due = ch.due || due
	b.mu.Unlock()
	if due {
		ch.peer.credit(ch)
	}
}

// received returns what has arrived.
func (ch *Channel) received() Position {
	ch.config.Budget.mu.Lock()
	defer ch.config.Budget.mu.Unlock()
	return ch.flow.Received()
}

// patience returns how long the partition is still waited for, if it is not there.
func (ch *Channel) patience() time.Duration {
	return max(ch.client.config.Patience-time.Since(time.Unix(0, ch.asked.Load())), 0)
}

// open returns the OPEN for a new connection. From the writing goroutine.
func (ch *Channel) open() message.Open {
	ch.asked.CompareAndSwap(0, time.Now().UnixNano())
	c, t := &ch.config, ch.config.Topology
	m := message.Open{
		Partition: c.Partition, Subpartition: uint32(c.Subpartition), Producer: uint32(t.Producer), Producers: uint32(t.Producers), Consumers: uint32(t.Consumers), MaxParallelism: uint32(t.MaxParallelism),
		Selection: c.Selection, Reader: c.Reader, EventRoom: uint32(c.Budget.eventBytes), PatienceMillis: uint32(ch.patience().Milliseconds()),
		Resume: ch.opened, Incarnation: ch.incarnation, Reattach: ch.client.config.Reattach,
	}
	c.Budget.mu.Lock()
	m.Received, m.Limit = ch.flow.Open()
	ch.due = false
	c.Budget.mu.Unlock()
	ch.requested.Store(true) // last: an answer that comes earlier, which is a lie, is not looked at
	return m
}

// error returns an error of the channel, with the place.
func (ch *Channel) error(cause error) error {
	name, address := ch.peer.who()
	return &PeerError{Peer: name, Address: address, Partition: ch.config.Partition, Subpartition: ch.config.Subpartition, Position: ch.received(), Err: cause}
}

// end ends what the reader gets. From the goroutine of peer.
func (ch *Channel) end(cause error) {
	if ch.ended {
		return
	}
	ch.ended = true
	ch.err = cause
	ch.config.Budget.close(ch) // first: what is left of the open block is promised no more when its reader gives it back
	ch.inlet.End(cause)
}

// finish says that the channel is done. From the goroutine of peer.
func (ch *Channel) finish(cause error) {
	if ch.over {
		return
	}
	ch.over = true
	ch.peer.over++
	if ch.retry != nil {
		ch.retry.Stop()
	}
	if !ch.ended {
		if d := ch.left.Load(); d != nil { // nobody is told
			ch.end(ErrClosed)
			ch.err = nil
		} else if cause == nil {
			cause = ch.error(fmt.Errorf("%w before the end", ErrClosed))
		}
		ch.end(cause)
	}
	ch.leaving.Lock()
	defer ch.leaving.Unlock()
	if d := ch.left.Load(); d != nil && d.unread {
		ch.inlet.Discard()
	}
	close(ch.closed)
}

// fail ends the channel because of cause, which is told to the reader with the place, unless everything has arrived. From the goroutine of peer.
func (ch *Channel) fail(cause error) { ch.finish(ch.error(cause)) }
