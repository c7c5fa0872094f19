package transport

import (
	"fmt"
	"math"
	"sync"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
)

// Budget is the memory into which a process receives records, for any number of channels, from any number of servers: a part of a memory.Pool. Each channel has a part of it for itself, which no reader that does not read can keep from it,
// even if the channel is opened last; the rest goes in turn to those for which something is waiting. What a server may send is what was set aside here for its channel. Its methods may be called from any goroutine.
type Budget struct {
	floating, exclusive fund
	eventBytes          int // of each channel

	mu     sync.Mutex
	ledger *credit.Ledger
	lanes  []*Channel // by number in the ledger; nil: closed
	idle   []int      // numbers that are free
	closed bool
}

// fund is one part of a budget's memory. They are two shares, because one could be made smaller by others than what readers hold of it that do not read, and then what is exclusive could not be had.
type fund struct {
	share *memory.Share
	stock *buffer.Stock
}

// BudgetConfig configures a [Budget]. It is in bytes.
type BudgetConfig struct {
	// Bytes is what is guaranteed: at least ExclusiveBytes for each of Channels.
	Bytes int64
	// Channels is how many can be open at a time; ExclusiveBytes are kept for each, whether it is open or not. Zero means as many as a half of Bytes is enough for, or one. There may be one more only when another one was closed; it may then wait for what of that one's ExclusiveBytes is still being read.
	Channels int
	// MaxBytes is the most it may take if nobody else is guaranteed that memory. Zero, or less than Bytes, means Bytes.
	MaxBytes int64
	// ExclusiveBytes is what each channel has for itself, whatever others do, a multiple of 1 KiB; others are rounded up. Zero means 4 KiB, or Bytes, if that is less.
	ExclusiveBytes int
	// ChannelBytes is the most that may be set aside for one channel, filled or not; as much again may lie unread in memory that it shares with others. Zero means a half of MaxBytes.
	ChannelBytes int64
	// EventBytes is the room for events of each channel, which is beside Bytes: what they carry, and 192 bytes for each. An event that has not room in it ends its channel. From 1 KiB to 1 MiB; zero means 1 MiB.
	EventBytes int
}

const standardExclusive = 4 << 10

// NewBudget takes memory of pool. It fails like memory.Pool.NewShare, and with memory.ErrInsufficient for more Channels than Bytes are enough for. The budget must be closed.
func NewBudget(pool *memory.Pool, c BudgetConfig) (*Budget, error) {
	return newBudget(c, pool.NewShare)
}

// SplitBudget is NewBudget with a guarantee that is split off that of s.
func SplitBudget(s *memory.Share, c BudgetConfig) (*Budget, error) { return newBudget(c, s.Split) }

func newBudget(c BudgetConfig, open func(min, max int64, wake func()) (*memory.Share, error)) (*Budget, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	b := &Budget{eventBytes: c.EventBytes}
	b.ledger = credit.NewLedger(credit.Config{Total: c.Bytes, Channels: c.Channels, Exclusive: c.ExclusiveBytes, ChannelBytes: c.ChannelBytes})
	floating, err := open(c.Bytes, c.MaxBytes, b.changed)
	if err != nil {
		return nil, err
	}
	kept := int64(c.Channels) * int64(c.ExclusiveBytes)
	exclusive, err := floating.Split(kept, kept, nil) // it is never refused what it has
	if err != nil {
		floating.Close()
		return nil, err
	}
	b.mu.Lock()
	b.floating = fund{floating, buffer.NewStock(floating, func(lane, bytes int) { b.returned(credit.Block{Channel: lane, Bytes: bytes}) })}
	b.exclusive = fund{exclusive, buffer.NewStock(exclusive, func(lane, bytes int) { b.returned(credit.Block{Channel: lane, Bytes: bytes, Exclusive: true}) })}
	b.resize()
	b.mu.Unlock()
	return b, nil
}

func (c BudgetConfig) withDefaults() (BudgetConfig, error) {
	c.Bytes &^= memory.MinBlock - 1
	if c.ExclusiveBytes == 0 {
		c.ExclusiveBytes = int(min(standardExclusive, c.Bytes))
	}
	if c.Bytes < memory.MinBlock || c.ExclusiveBytes < 0 || c.ChannelBytes < 0 || c.Channels < 0 || int64(c.ExclusiveBytes) > c.Bytes {
		return c, fmt.Errorf("transport: %w: a budget of %d bytes, %d for each of %d channels, of which none may hold more than %d", memory.ErrInsufficient, c.Bytes, c.ExclusiveBytes, c.Channels, c.ChannelBytes)
	}
	each := (int64(c.ExclusiveBytes) + memory.MinBlock - 1) &^ (memory.MinBlock - 1)
	if c.Channels == 0 {
		c.Channels = int(min(max(c.Bytes/2/each, 1), math.MaxInt32))
	}
	if int64(c.Channels) > c.Bytes/each || each > math.MaxInt {
		return c, fmt.Errorf("transport: %w: a budget of %d bytes is not enough for %d channels of %d bytes", memory.ErrInsufficient, c.Bytes, c.Channels, each)
	}
	c.ExclusiveBytes = int(each)
	c.MaxBytes = max(c.Bytes, c.MaxBytes&^(memory.MinBlock-1))
	if c.ChannelBytes == 0 {
		c.ChannelBytes = c.MaxBytes / 2
	}
	c.ChannelBytes = max(c.ChannelBytes, each)
	if c.EventBytes == 0 {
		c.EventBytes = credit.Window
	}
	if c.EventBytes < minEventRoom || c.EventBytes > credit.Window {
		return c, fmt.Errorf("transport: EventBytes of %d, it must be from %d to %d", c.EventBytes, minEventRoom, credit.Window)
	}
	return c, nil
}

// Close gives the memory back. Blocks that are being read come back as they are released. REQUIRES: its channels are closed.
func (b *Budget) Close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.floating.share.Close()
	b.exclusive.share.Close()
}

// Used returns how many bytes are set aside, or hold records that were not read, with all that lies in one block with them.
func (b *Budget) Used() int64 { return b.floating.share.Used() + b.exclusive.share.Used() }

// fund returns the part of the memory that a block belongs to.
func (b *Budget) fund(block credit.Block) *fund {
	if block.Exclusive {
		return &b.exclusive
	}
	return &b.floating
}

// resize tells the ledger how much memory there is. REQUIRES: mu held.
func (b *Budget) resize() { b.ledger.SetTotal(b.floating.share.Bytes() + b.exclusive.share.Bytes()) }

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
		next, ok := b.ledger.Next()
		if !ok {
			return due
		}
		block, ok := b.fund(next).stock.TryAcquire(next.Channel, next.Bytes)
		if !ok {
			b.ledger.Refused(next)
			continue
		}
		b.ledger.Took(next)
		ch := b.lanes[next.Channel]
		ch.blocks = append(ch.blocks, block)
		ch.flow.Grant(next.Bytes)
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
func (b *Budget) returned(block credit.Block) {
	b.mu.Lock()
	if lane := block.Channel; lane == landing {
		b.ledger.Left(block.Bytes)
	} else {
		b.ledger.Released(block)
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
	block, ok := b.floating.stock.TryAcquire(landing, memory.MaxBlock)
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
	return !b.closed && b.ledger.Spares() && b.floating.share.Used() <= b.floating.share.Bytes()
}

// changed is called when the share has grown, or may have memory again.
func (b *Budget) changed() {
	b.mu.Lock()
	if b.floating.share == nil { // it is being made
		b.mu.Unlock()
		return
	}
	if !b.closed {
		b.resize()
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
