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
	Total        int64 // bytes that all channels may hold together
	Exclusive    int   // bytes that are guaranteed to each open channel, rounded up to a multiple of memory.MinBlock; at least that
	MaxBlock     int   // bytes of the largest block, a block size; 0: memory.MaxBlock
	ChannelBytes int64 // most that one channel may hold; 0: no limit but Total; at least Exclusive
}

// Ledger decides which channel gets the next block of the memory that all channels of a client share, and of what size. Channels are small numbers that the caller chooses. It holds no memory itself: whoever has it asks
// Next, acquires a block of that size, and says Took; or Refused, if there is none. This is repeated until Next returns false.
//
// A channel wants a block if all that it has is filled, for then its limit is reached and its peer may be waiting; if less is free than its backlog; and if it has moved so much lately that its peer would wait for the
// next one. A channel that holds less than its exclusive bytes comes first. What is not guaranteed to anybody is floating: channels that want more get it in turn, a block each.
//
// Blocks follow the traffic. The first has [memory.MinBlock]; each may be twice as large as the one before, up to half of the channel's part of the memory by its part of the traffic, and up to an eighth of
// what is floating and free, for a promise to a channel that falls silent cannot be taken back. What is known to be waiting at the peer is exempt from these bounds, because it will fill its blocks.
//
// What is held never exceeds Total, and the exclusive bytes of a channel can always be had, from the moment on at which there was room for them: if others hold floating memory when a channel is opened, it gets what
// they give back before anybody else. All calls take constant time.
type Ledger struct {
	total, exclusive, channel int64
	block                     int64 // largest

	accounts []account
	open     int    // number of open channels
	held     int64  // by all, bytes
	claimed  int64  // of Total: what is held, by channels and for landing, and what is guaranteed to channels beyond it
	landing  int64  // bytes of floating memory in which anybody's records arrive
	moved    uint64 // bytes that have filled blocks

	queues    [queues]queue
	ceiling   int64 // largest block that there may be; 0: none
	exhausted bool  // there is nothing floating in memory although there is by the numbers
}

// account is what is known of a channel.
type account struct {
	open       bool
	guaranteed bool
	held       int64  // bytes that are set aside and were not released
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
	joining        // has no guarantee yet
	first          // wants a block and holds less than its exclusive bytes
	floating       // wants a block of what is floating
	queues
)

// queue is a list of channels, linked by their accounts. The zero value is empty.
type queue struct {
	head, tail int32 // channel+1
}

// NewLedger returns a ledger without channels.
func NewLedger(c Config) *Ledger {
	l := &Ledger{total: max(c.Total, 0), exclusive: roundUp(int64(c.Exclusive)), block: int64(c.MaxBlock), channel: c.ChannelBytes}
	if l.block == 0 {
		l.block = memory.MaxBlock
	}
	if l.block < memory.MinBlock || l.block > memory.MaxBlock || l.block&(l.block-1) != 0 {
		panic(fmt.Sprintf("credit: blocks of %d bytes", c.MaxBlock))
	}
	if l.channel == 0 {
		l.channel = l.total
	}
	l.channel = max(l.channel, l.exclusive)
	l.ceiling = l.block
	return l
}

// roundUp returns the least multiple of the smallest block that is at least n, and not 0.
func roundUp(n int64) int64 {
	return max(n+memory.MinBlock-1, memory.MinBlock) &^ (memory.MinBlock - 1)
}

// Open adds a channel. It fails with [ErrMemory] if the exclusive bytes of all channels would exceed Total. REQUIRES: ch ≥ 0, it is not open, and holds nothing of the time when it was.
func (l *Ledger) Open(ch int) error {
	for len(l.accounts) <= ch {
		l.accounts = append(l.accounts, account{})
	}
	a := &l.accounts[ch]
	if a.open || a.held > 0 {
		panic(fmt.Sprintf("credit: channel %d is opened while it is in use", ch))
	}
	if need := int64(l.open+1) * l.exclusive; need > l.total {
		return fmt.Errorf("%w: %d channels take %d bytes, there are %d", ErrMemory, l.open+1, need, l.total)
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
	l.claimed -= l.claim(a)
	a.open, a.guaranteed, a.room, a.backlog = false, false, 0, 0
	l.claimed += l.claim(a)
	l.open--
	l.place(ch)
	l.join()
}

// SetTotal says that all channels may hold so many bytes from now on. It is taken as at least the exclusive bytes of the open channels. What is held beyond it comes back before anybody gets more of what is floating.
func (l *Ledger) SetTotal(bytes int64) {
	l.total = max(bytes, int64(l.open)*l.exclusive)
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

// Next returns the channel that is to get a block now, and its size. It returns false if nobody wants one, or nobody can get one before something is released. It changes nothing.
func (l *Ledger) Next() (ch, size int, ok bool) {
	free := l.free()
	if c := l.queues[first].head; c != 0 && l.ceiling > 0 {
		if l.queues[floating].head != 0 { // that is for others
			free = 0
		}
		a := &l.accounts[c-1]
		return int(c - 1), l.sizeOf(a, l.exclusive-a.held, free), true
	}
	if c := l.queues[floating].head; c != 0 && free >= memory.MinBlock {
		return int(c - 1), l.sizeOf(&l.accounts[c-1], 0, free), true
	}
	return 0, 0, false
}

// Took says that a block was set aside for a channel, of the size that Next has said, or a smaller one. REQUIRES: it is open.
func (l *Ledger) Took(ch, size int) {
	a := l.account(ch)
	l.claimed -= l.claim(a)
	before := l.claimed
	a.held += int64(size)
	l.claimed += l.claim(a)
	if size < memory.MinBlock || !a.guaranteed || a.held > l.exclusive && l.claimed > l.total {
		panic(fmt.Sprintf("credit: channel %d took %d bytes, others have %d of %d", ch, size, before, l.total))
	}
	a.room += int64(size)
	a.size, a.mark, a.filled = int64(size), l.moved, 0
	l.held += int64(size)
	l.unlink(ch)
	l.place(ch)
}

// Refused says that there was no block of the size that Next has said. Next says smaller sizes then, until something is released, and at last nothing. The channel keeps its turn.
func (l *Ledger) Refused(ch, size int) {
	switch a := l.account(ch); {
	case size > memory.MinBlock:
		l.ceiling = int64(size) / 2
	case a.held < l.exclusive:
		l.ceiling = 0
	default:
		l.exhausted = true
	}
}

// MayLand reports whether so many bytes of what is floating are to spare for records of all channels to arrive in. A part of it is left for blocks.
func (l *Ledger) MayLand(size int) bool {
	n := int64(size)
	return l.landing+n <= l.total/landingShare && n <= l.free()/2
}

// Spares reports whether what is taken for landing may be kept: not while a channel waits for what is guaranteed to it, or more is held than there is.
func (l *Ledger) Spares() bool {
	return l.queues[joining].head == 0 && (l.queues[first].head == 0 || l.ceiling > 0) && l.claimed <= l.total
}

// Land says that so many bytes were taken for that. They count until Left. REQUIRES: MayLand.
func (l *Ledger) Land(size int) {
	if size < 0 || !l.MayLand(size) {
		panic(fmt.Sprintf("credit: %d bytes are taken for landing, beside %d, of %d that are floating", size, l.landing, l.free()))
	}
	l.landing += int64(size)
	l.held += int64(size)
	l.claimed += int64(size)
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
	l.claimed -= int64(size)
	l.Retry()
}

// Retry says that there may be memory that Refused has said there was not, other than by Released.
func (l *Ledger) Retry() {
	l.ceiling, l.exhausted = l.block, false
	l.join()
}

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

// Released says that a block of a channel, which may be closed, has come back. REQUIRES: if the channel is open, the block was filled: its room is promised to the peer.
func (l *Ledger) Released(ch, size int) {
	a := &l.accounts[ch]
	if size < 0 || a.held-int64(size) < a.room {
		panic(fmt.Sprintf("credit: channel %d releases %d of %d bytes, %d are promised", ch, size, a.held, a.room))
	}
	l.claimed -= l.claim(a)
	a.held -= int64(size)
	l.claimed += l.claim(a)
	l.held -= int64(size)
	l.place(ch)
	l.Retry()
}

// account returns that of an open channel.
func (l *Ledger) account(ch int) *account {
	if ch < 0 || ch >= len(l.accounts) || !l.accounts[ch].open {
		panic(fmt.Sprintf("credit: channel %d is not open", ch))
	}
	return &l.accounts[ch]
}

// claim returns what a channel takes of Total.
func (l *Ledger) claim(a *account) int64 {
	if a.guaranteed {
		return max(a.held, l.exclusive)
	}
	return a.held
}

// free returns how many bytes are floating and can be given away.
func (l *Ledger) free() int64 {
	if l.exhausted || l.ceiling == 0 || l.queues[joining].head != 0 {
		return 0
	}
	return max(l.total-l.claimed, 0)
}

// join gives their guarantees to channels that have none yet, as far as there is room.
func (l *Ledger) join() {
	for l.queues[joining].head != 0 && l.claimed+l.exclusive <= l.total {
		ch := int(l.queues[joining].head - 1)
		l.accounts[ch].guaranteed = true
		l.claimed += l.exclusive
		l.place(ch)
	}
}

// sizeOf returns the size of the next block of a channel that can get so much of its exclusive bytes, and of what is floating.
func (l *Ledger) sizeOf(a *account, own, free int64) int {
	n := max(min(l.follow(a), max(free/8, own)), a.backlog-a.room)
	return int(floorBlock(min(n, own+free, max(l.channel-a.held, own), l.ceiling)))
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
func floorBlock(n int64) int64 {
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
	case a.held < l.exclusive:
		return first
	case a.held+memory.MinBlock <= l.channel:
		return floating
	}
	return nowhere
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
