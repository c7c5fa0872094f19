package transport

import (
	"fmt"
	"sync"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
)

// Budget is the memory into which a process receives records, for any number of channels, from any number of servers: a share of a memory.Pool. Each channel has a part of it for itself; the rest goes in turn to those
// for which something is waiting. What a server may send is what was set aside here for its channel. Its methods may be called from any goroutine.
type Budget struct {
	share      *memory.Share
	stock      *buffer.Stock
	eventBytes int // of each channel

	mu     sync.Mutex
	ledger *credit.Ledger
	lanes  []*Channel // by number in the ledger; nil: closed
	idle   []int      // numbers that are free
	closed bool
}

// BudgetConfig configures a [Budget]. It is in bytes.
type BudgetConfig struct {
	// Bytes is what is guaranteed: at least ExclusiveBytes for each channel that is open at a time.
	Bytes int64
	// MaxBytes is the most it may take if nobody else is guaranteed that memory. Zero, or less than Bytes, means Bytes.
	MaxBytes int64
	// ExclusiveBytes is what each channel has for itself, whatever others do. Zero means 4 KiB; at least 1 KiB.
	ExclusiveBytes int
	// ChannelBytes is the most that may be set aside for one channel, filled or not; as much again may lie unread in memory that it shares with others. Zero means a half of MaxBytes.
	ChannelBytes int64
	// EventBytes is the room for events of each channel, which is beside Bytes: what they carry, and 192 bytes for each. An event that has not room in it ends its channel. From 1 KiB to 1 MiB; zero means 1 MiB.
	EventBytes int
}

const standardExclusive = 4 << 10

// NewBudget takes a share of pool. It fails like memory.Pool.NewShare. The budget must be closed.
func NewBudget(pool *memory.Pool, c BudgetConfig) (*Budget, error) {
	return newBudget(c, pool.NewShare)
}

// SplitBudget is NewBudget with a guarantee that is split off that of s.
func SplitBudget(s *memory.Share, c BudgetConfig) (*Budget, error) { return newBudget(c, s.Split) }

func newBudget(c BudgetConfig, open func(min, max int64, wake func()) (*memory.Share, error)) (*Budget, error) {
	if c.ExclusiveBytes == 0 {
		c.ExclusiveBytes = standardExclusive
	}
	if c.Bytes < memory.MinBlock || c.ExclusiveBytes < memory.MinBlock || c.ChannelBytes < 0 {
		return nil, fmt.Errorf("transport: %w: a budget of %d bytes, %d for each channel", memory.ErrInsufficient, c.Bytes, c.ExclusiveBytes)
	}
	if c.EventBytes == 0 {
		c.EventBytes = credit.Window
	}
	if c.EventBytes < minEventRoom || c.EventBytes > credit.Window {
		return nil, fmt.Errorf("transport: EventBytes of %d, it must be from %d to %d", c.EventBytes, minEventRoom, credit.Window)
	}
	c.MaxBytes = max(c.Bytes, c.MaxBytes)
	if c.ChannelBytes == 0 {
		c.ChannelBytes = c.MaxBytes / 2
	}
	b := &Budget{eventBytes: c.EventBytes}
	b.ledger = credit.NewLedger(credit.Config{Total: c.Bytes &^ (memory.MinBlock - 1), Exclusive: c.ExclusiveBytes, ChannelBytes: max(c.ChannelBytes, int64(c.ExclusiveBytes))})
	share, err := open(c.Bytes&^(memory.MinBlock-1), c.MaxBytes&^(memory.MinBlock-1), b.changed)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.share, b.stock = share, buffer.NewStock(share, b.returned)
	b.ledger.SetTotal(share.Bytes())
	b.mu.Unlock()
	return b, nil
}

// Close gives the share back. Blocks that are being read come back as they are released. REQUIRES: its channels are closed.
func (b *Budget) Close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.share.Close()
}

// Used returns how many bytes are set aside, or hold records that were not read, with all that lies in one block with them.
func (b *Budget) Used() int64 { return b.share.Used() }

// open gives a channel a place among those that memory is divided among.
func (b *Budget) open(ch *Channel) error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return fmt.Errorf("transport: budget: %w", ErrClosed)
	}
	lane := len(b.lanes)
	if n := len(b.idle); n > 0 {
		lane = b.idle[n-1]
	}
	if err := b.ledger.Open(lane); err != nil {
		b.mu.Unlock()
		return fmt.Errorf("transport: %w: %w", memory.ErrInsufficient, err)
	}
	if lane == len(b.lanes) {
		b.lanes = append(b.lanes, ch)
	} else {
		b.lanes[lane] = ch
		b.idle = b.idle[:len(b.idle)-1]
	}
	ch.lane = lane
	due := b.divide()
	b.mu.Unlock()
	announce(due)
	return nil
}

// close takes a channel out, and gives back what was set aside for it.
func (b *Budget) close(ch *Channel) {
	b.mu.Lock()
	if b.lanes[ch.lane] != ch {
		b.mu.Unlock()
		return
	}
	b.lanes[ch.lane] = nil
	b.ledger.Close(ch.lane)
	if b.ledger.Held(ch.lane) == 0 {
		b.idle = append(b.idle, ch.lane)
	}
	blocks := ch.blocks
	ch.blocks = nil
	due := b.divide()
	b.mu.Unlock()
	for _, block := range blocks {
		block.Release()
	}
	announce(due)
}

// divide gives memory to the channels that want some, and returns those that have to tell their servers. REQUIRES: mu held.
func (b *Budget) divide() (due []*Channel) {
	for {
		lane, size, ok := b.ledger.Next()
		if !ok {
			return due
		}
		block, ok := b.stock.TryAcquire(lane, size)
		if !ok {
			b.ledger.Refused(lane, size)
			continue
		}
		b.ledger.Took(lane, size)
		ch := b.lanes[lane]
		ch.blocks = append(ch.blocks, block)
		ch.flow.Grant(size)
		if !ch.due && ch.flow.Due(false) {
			ch.due = true
			due = append(due, ch)
		}
	}
}

// arrived counts n bytes of a DATA that are in memory, before they are readable: a block must not come back before that. With landed that is not memory that was set aside for the channel. It returns the channels that have to tell their servers. REQUIRES: mu held.
func (b *Budget) arrived(ch *Channel, n int, landed bool) (due []*Channel) {
	if landed {
		ch.flow.Landed(n)
		b.ledger.Landed(ch.lane, n)
	} else {
		ch.flow.Arrived(n)
		b.ledger.Filled(ch.lane, n)
	}
	due = b.divide()
	if !ch.due && ch.flow.Due(false) {
		ch.due = true
		due = append(due, ch)
	}
	return due
}

// returned is called when a block has come back, perhaps with locks of a queue held.
func (b *Budget) returned(lane, bytes int) {
	b.mu.Lock()
	if lane == landing {
		b.ledger.Left(bytes)
	} else {
		b.ledger.Released(lane, bytes)
		if b.lanes[lane] == nil && b.ledger.Held(lane) == 0 {
			b.idle = append(b.idle, lane)
		}
	}
	due := b.divide()
	b.mu.Unlock()
	announce(due)
}

// landing is the lane of blocks that belong to no channel.
const landing = -1

// land returns a block that a connection may be read into, so that records stay where they arrive; nil if there is no memory to spare for that.
func (b *Budget) land() *buffer.Buffer {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || !b.ledger.MayLand(memory.MaxBlock) {
		return nil
	}
	block, ok := b.stock.TryAcquire(landing, memory.MaxBlock)
	if !ok {
		return nil
	}
	b.ledger.Land(memory.MaxBlock)
	return block
}

// spares reports whether a connection may keep a landing that it reads into. Its share may have become smaller, of which nobody is told.
func (b *Budget) spares() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.closed && b.ledger.Spares() && b.share.Used() <= b.share.Bytes()
}

// changed is called when the share has grown, or may have memory again.
func (b *Budget) changed() {
	b.mu.Lock()
	if b.share == nil { // it is being made
		b.mu.Unlock()
		return
	}
	if !b.closed {
		b.ledger.SetTotal(b.share.Bytes())
	}
	due := b.divide()
	b.mu.Unlock()
	announce(due)
}

// announce makes channels tell their servers what they have. REQUIRES: no lock of a budget is held.
func announce(due []*Channel) {
	for _, ch := range due {
		ch.peer.credit(ch)
	}
}
