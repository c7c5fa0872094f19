package credit

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/rwgen/rwgen/runtime/memory"
)

// ErrMemory is returned for a channel whose block cannot be guaranteed.
var ErrMemory = errors.New("credit: no memory for another channel")

// Config is how a [Ledger] divides.
type Config struct {
	Total        int64 // bytes that all channels may hold together; at least what is exclusive
	Channels     int   // most that can be open at a time
	Exclusive    int   // bytes that are guaranteed to each of them, rounded up to a multiple of memory.MinBlock; at least that
	MaxBlock     int   // bytes of the largest block, a block size; 0: memory.MaxBlock
	ChannelBytes int64 // most that one channel may hold; 0: no limit but Total; at least Exclusive
}

// Ledger decides which channel gets the next block of the memory that all channels of a client share, and of what size. Channels are small numbers that the caller chooses. It holds no memory itself: whoever has it asks
// Next, acquires a block of that size, and says Took; or Refused, if there is none. This is repeated until Next returns false.
//
// The memory has two parts, and a block belongs to one of them until it comes back. Exclusive bytes are there for every channel that can be open, whether it is or not, and nobody else gets them: a channel that is opened when others
// have everything that they can have, and do not read, has its own at once. The rest is floating.
//
// A channel wants a block if all that it has is filled, for then its limit is reached and its peer may be waiting; if less is free than its backlog; and if it has moved so much lately that its peer would wait for the
// next one. A channel that has exclusive bytes left comes first; it gets a floating block if that may be larger, unless others have nothing else. What is floating goes in turn to those that want more, a block each.
//
// Blocks follow the traffic. The first has [memory.MinBlock]; each may be twice as large as the one before, up to half of the channel's part of the memory by its part of the traffic, and up to an eighth of
// what is floating and free, for a promise to a channel that falls silent cannot be taken back. What is known to be waiting at the peer is exempt from these bounds, because it will fill its blocks.
//
// What is held never exceeds Total. The exclusive bytes of a channel can always be had; only where channels that were closed still hold theirs, because they are being read, one that is opened in their place waits for them. All calls take
// constant time.
type Ledger struct {
	total, exclusive, channel int64
	block                     int64 // largest
	channels                  int   // most that can be open

	accounts []account
	open     int    // number of open channels
	held     int64  // by all, bytes
	kept     int64  // of the exclusive bytes: those that are guaranteed to a channel, and those that closed ones hold
	floated  int64  // of the floating bytes: those that are held by channels, and taken for landing
	landing  int64  // of them, those in which anybody's records arrive
	moved    uint64 // bytes that have filled blocks

	queues                      [queues]queue
	largestFloating, largestOwn int64 // block that there may be of what is floating, and of what is exclusive; 0: none
}

// Block is memory for a channel.
type Block struct {
	Channel, Bytes int
	Exclusive      bool // of the channel's own bytes; of what is floating otherwise
}

// account is what is known of a channel.
type account struct {
	open       bool
	guaranteed bool
	held       int64  // bytes that are set aside and were not released
	own        int64  // of them, exclusive
	room       int64  // of them, not filled
	backlog    int64  // bytes that are known to come, including those that there is room for
	size       int64  // of its last block; 0: it had none
	mark       uint64 // moved when it got that
	filled     int64  // bytes that have filled blocks since
	in         place  // where it stands
	prev, next int32  // in that queue: channel+1
}

// place is the queue in which a channel stands.
type place uint8

const (
	nowhere  place = iota
	joining        // waits for what a closed channel holds of the exclusive bytes
	first          // wants a block and has exclusive bytes left
	floating       // wants a block of what is floating
	queues
)

// queue is a list of channels, linked by their accounts. The zero value is empty.
type queue struct {
	head, tail int32 // channel+1
}

// NewLedger returns a ledger without channels.
func NewLedger(c Config) *Ledger {
	l := &Ledger{total: c.Total, exclusive: roundUp(int64(c.Exclusive)), channels: max(c.Channels, 0), block: int64(c.MaxBlock), channel: c.ChannelBytes}
	if l.block == 0 {
		l.block = memory.MaxBlock
	}
	if l.block < memory.MinBlock || l.block > memory.MaxBlock || l.block&(l.block-1) != 0 {
		panic(fmt.Sprintf("credit: blocks of %d bytes", c.MaxBlock))
	}
	if l.total < l.reserve() {
		panic(fmt.Sprintf("credit: %d bytes, but %d channels have %d each", c.Total, c.Channels, l.exclusive))
	}
	if l.channel == 0 {
		l.channel = l.total
	}
	l.channel = max(l.channel, l.exclusive)
	l.Retry()
	return l
}

// reserve returns how many bytes are exclusive.
func (l *Ledger) reserve() int64 { return int64(l.channels) * l.exclusive }

// roundUp returns the least multiple of the smallest block that is at least n, and not 0.
func roundUp(n int64) int64 {
	return max(n+memory.MinBlock-1, memory.MinBlock) &^ (memory.MinBlock - 1)
}

// Open adds a channel. It fails with [ErrMemory] if there are as many as there can be. REQUIRES: ch ≥ 0, it is not open, and holds nothing of the time when it was.
func (l *Ledger) Open(ch int) error {
	for len(l.accounts) <= ch {
		l.accounts = append(l.accounts, account{})
	}
	a := &l.accounts[ch]
	if a.open || a.held > 0 {
		panic(fmt.Sprintf("credit: channel %d is opened while it is in use", ch))
	}
	if l.open == l.channels {
		return fmt.Errorf("%w: there are %d, of %d bytes each, in %d", ErrMemory, l.open, l.exclusive, l.total)
	}
	*a = account{open: true}
	l.open++
	l.place(ch)
	l.join()
	return nil
}

// Close ends a channel: it gets no more. What it holds comes back by Released, the blocks that are not filled too. REQUIRES: it is open.
func (l *Ledger) Close(ch int) {
	a := l.account(ch)
	if a.guaranteed {
		l.kept -= l.exclusive - a.own
	}
	a.open, a.guaranteed, a.room, a.backlog = false, false, 0, 0
	l.open--
	l.place(ch)
	l.join()
}

// SetTotal says that all channels may hold so many bytes from now on. It is taken as at least what is exclusive. What is held beyond it comes back before anybody gets more of what is floating.
func (l *Ledger) SetTotal(bytes int64) {
	l.total = max(bytes, l.reserve())
	l.Retry()
}

// Backlog says how many bytes of a channel are known to be still to come: at the header of a DATA, its own and those that it says were waiting behind it. What fills blocks afterwards is taken off. REQUIRES: it is open.
func (l *Ledger) Backlog(ch int, bytes int64) {
	l.account(ch).backlog = max(bytes, 0)
	l.place(ch)
}

// Room returns how many bytes of a channel's blocks are free.
func (l *Ledger) Room(ch int) int64 { return l.accounts[ch].room }

// Held returns how many bytes are set aside for a channel, filled or not; also of one that is closed.
func (l *Ledger) Held(ch int) int64 { return l.accounts[ch].held }

// Used returns how many bytes are set aside for all channels, and taken for landing.
func (l *Ledger) Used() int64 { return l.held }

// Next returns the block that is to be had now, and for whom. It returns false if nobody wants one, or nobody can get one before something is released. It changes nothing.
func (l *Ledger) Next() (Block, bool) {
	free := l.free()
	if c := l.queues[first].head; c != 0 {
		a := &l.accounts[c-1]
		own, spare := min(l.exclusive-a.own, l.largestOwn), free
		if l.queues[floating].head != 0 { // that is for others
			spare = 0
		}
		size := l.sizeOf(a, own, spare)
		if spare = min(size, spare, l.largestFloating); spare >= memory.MinBlock && floorBlock(spare) > floorBlock(own) || own == 0 && spare >= memory.MinBlock {
			return Block{Channel: int(c - 1), Bytes: floorBlock(spare)}, true
		}
		if own > 0 {
			return Block{Channel: int(c - 1), Bytes: floorBlock(min(size, own)), Exclusive: true}, true
		}
	}
	if c := l.queues[floating].head; c != 0 && free >= memory.MinBlock {
		return Block{Channel: int(c - 1), Bytes: floorBlock(min(l.sizeOf(&l.accounts[c-1], 0, free), free, l.largestFloating))}, true
	}
	return Block{}, false
}

// Took says that a block was set aside, which Next has said, or a smaller one. REQUIRES: its channel is open.
func (l *Ledger) Took(b Block) {
	a, size := l.account(b.Channel), int64(b.Bytes)
	switch {
	case size < memory.MinBlock || !a.guaranteed:
		panic(fmt.Sprintf("credit: channel %d took %d bytes", b.Channel, size))
	case b.Exclusive:
		if a.own+size > l.exclusive {
			panic(fmt.Sprintf("credit: channel %d took %d bytes of its own, and has %d of %d", b.Channel, size, a.own, l.exclusive))
		}
		a.own += size
	default:
		if l.floated+size > l.total-l.reserve() {
			panic(fmt.Sprintf("credit: channel %d took %d floating bytes, others have %d of %d", b.Channel, size, l.floated, l.total-l.reserve()))
		}
		l.floated += size
	}
	a.held += size
	a.room += size
	a.size, a.mark, a.filled = size, l.moved, 0
	l.held += size
	l.unlink(b.Channel)
	l.place(b.Channel)
}

// Refused says that there was no such block as Next has said. Next says smaller sizes then, until something is released, and at last nothing of that part of the memory. The channel keeps its turn.
func (l *Ledger) Refused(b Block) {
	l.account(b.Channel)
	largest := int64(b.Bytes) / 2 &^ (memory.MinBlock - 1)
	if b.Exclusive {
		l.largestOwn = largest
	} else {
		l.largestFloating = largest
	}
}

// MayLand reports whether so many bytes of what is floating are to spare for records of all channels to arrive in. A part of it is left for blocks.
func (l *Ledger) MayLand(size int) bool {
	n := int64(size)
	return l.landing+n <= l.total/landingShare && n <= l.free()/2
}

// Spares reports whether what is taken for landing may be kept: not while a channel waits for what is guaranteed to it, or more is held than there is.
func (l *Ledger) Spares() bool {
	return (l.queues[first].head == 0 || l.largestOwn > 0) && l.floated <= l.total-l.reserve()
}

// Land says that so many bytes were taken for that. They count until Left. REQUIRES: MayLand.
func (l *Ledger) Land(size int) {
	if size < 0 || !l.MayLand(size) {
		panic(fmt.Sprintf("credit: %d bytes are taken for landing, beside %d, of %d that are floating", size, l.landing, l.free()))
	}
	l.landing += int64(size)
	l.held += int64(size)
	l.floated += int64(size)
}

// Landing returns how many bytes are taken for landing.
func (l *Ledger) Landing() int64 { return l.landing }

// landingShare is the part of Total, as its reciprocal, that may be taken for landing.
const landingShare = 4

// Landed says that n bytes of a channel have arrived in memory that was taken by Land: its room stays. REQUIRES: it is open.
func (l *Ledger) Landed(ch, n int) {
	if n < 0 {
		panic(fmt.Sprintf("credit: %d bytes for channel %d have landed", n, ch))
	}
	a := l.account(ch)
	a.backlog = max(a.backlog-int64(n), 0)
	a.filled += int64(n)
	l.moved += uint64(n)
	l.place(ch)
}

// Left says that what was taken by Land has come back.
func (l *Ledger) Left(size int) {
	if size < 0 || int64(size) > l.landing {
		panic(fmt.Sprintf("credit: %d bytes come back of %d for landing", size, l.landing))
	}
	l.landing -= int64(size)
	l.held -= int64(size)
	l.floated -= int64(size)
	l.Retry()
}

// Retry says that there may be memory that Refused has said there was not, other than by Released.
func (l *Ledger) Retry() { l.largestFloating, l.largestOwn = l.block, l.block }

// Filled says that n bytes have arrived in a channel's blocks. REQUIRES: it is open, and has room for them.
func (l *Ledger) Filled(ch, n int) {
	a := l.account(ch)
	if n < 0 || int64(n) > a.room {
		panic(fmt.Sprintf("credit: %d bytes for channel %d, which has room for %d", n, ch, a.room))
	}
	a.room -= int64(n)
	a.backlog = max(a.backlog-int64(n), 0)
	a.filled += int64(n)
	l.moved += uint64(n)
	l.place(ch)
}

// Released says that a block has come back, of a channel that may be closed. REQUIRES: if the channel is open, the block was filled: its room is promised to the peer.
func (l *Ledger) Released(b Block) {
	a, size := &l.accounts[b.Channel], int64(b.Bytes)
	if size < 0 || a.held-size < a.room {
		panic(fmt.Sprintf("credit: channel %d releases %d of %d bytes, %d are promised", b.Channel, size, a.held, a.room))
	}
	part := a.held - a.own
	if b.Exclusive {
		part = a.own
	}
	if size > part {
		panic(fmt.Sprintf("credit: channel %d releases %d bytes of a part of which it has %d", b.Channel, size, part))
	}
	if b.Exclusive {
		a.own -= size
		if !a.guaranteed {
			l.kept -= size
		}
	} else {
		l.floated -= size
	}
	a.held -= size
	l.held -= size
	l.place(b.Channel)
	l.Retry()
	l.join()
}

// account returns that of an open channel.
func (l *Ledger) account(ch int) *account {
	if ch < 0 || ch >= len(l.accounts) || !l.accounts[ch].open {
		panic(fmt.Sprintf("credit: channel %d is not open", ch))
	}
	return &l.accounts[ch]
}

// free returns how many bytes are floating and can be given away.
func (l *Ledger) free() int64 {
	if l.largestFloating == 0 {
		return 0
	}
	return max(l.total-l.reserve()-l.floated, 0)
}

// join gives their guarantees to channels that have none yet, as far as closed ones have given back theirs.
func (l *Ledger) join() {
	for l.queues[joining].head != 0 && l.kept+l.exclusive <= l.reserve() {
		ch := int(l.queues[joining].head - 1)
		l.accounts[ch].guaranteed = true
		l.kept += l.exclusive
		l.place(ch)
	}
}

// sizeOf returns how many bytes the next block of a channel should have that can get so much of its exclusive bytes, or of what is floating.
func (l *Ledger) sizeOf(a *account, own, free int64) int64 {
	n := max(min(l.follow(a), max(free/8, own)), a.backlog-a.room)
	return min(n, l.channel-a.held)
}

// follow returns the size of the next block of a channel by what it has moved lately.
func (l *Ledger) follow(a *account) int64 {
	switch {
	case a.size == 0:
		return memory.MinBlock
	case a.filled == 0:
		return a.size
	}
	hi, lo := bits.Mul64(uint64(l.total/2), uint64(a.filled))
	part, _ := bits.Div64(hi, lo, l.moved-a.mark) // not less than a.filled, so it fits
	return min(2*a.size, int64(part))
}

// floorBlock returns the largest block size of at most n bytes, at least the least one.
func floorBlock(n int64) int {
	return 1 << (bits.Len64(uint64(max(n, memory.MinBlock))) - 1)
}

// wants reports whether a channel is to get a block, if there is one for it.
func (a *account) wants() bool {
	soon := int64(0)
	if a.size > memory.MinBlock {
		soon = a.size / 2
	}
	return a.room == 0 || a.room < max(a.backlog, soon)
}

// place puts a channel at the end of the queue in which it belongs, unless it stands there.
func (l *Ledger) place(ch int) {
	if in := l.placeOf(&l.accounts[ch]); in != l.accounts[ch].in {
		l.unlink(ch)
		l.link(ch, in)
	}
}

// placeOf returns the queue in which a channel belongs.
func (l *Ledger) placeOf(a *account) place {
	switch {
	case !a.open:
		return nowhere
	case !a.guaranteed:
		return joining
	case !a.wants():
		return nowhere
	case a.held+memory.MinBlock > l.channel:
		return nowhere
	case a.own < l.exclusive:
		return first
	}
	return floating
}

// link puts a channel at the end of a queue. REQUIRES: it is in none.
func (l *Ledger) link(ch int, in place) {
	if in == nowhere {
		return
	}
	a, q := &l.accounts[ch], &l.queues[in]
	a.in, a.prev = in, q.tail
	if q.tail != 0 {
		l.accounts[q.tail-1].next = int32(ch + 1)
	} else {
		q.head = int32(ch + 1)
	}
	q.tail = int32(ch + 1)
}

// unlink takes a channel out of the queue in which it is, if any.
func (l *Ledger) unlink(ch int) {
	a := &l.accounts[ch]
	if a.in == nowhere {
		return
	}
	q := &l.queues[a.in]
	if a.prev != 0 {
		l.accounts[a.prev-1].next = a.next
	} else {
		q.head = a.next
	}
	if a.next != 0 {
		l.accounts[a.next-1].prev = a.prev
	} else {
		q.tail = a.prev
	}
	a.in, a.prev, a.next = nowhere, 0, 0
}
