package transport

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
)

// Whatever a budget is asked for, it has room for a channel, or is refused because there is not so much memory. Where an int has 32 bits, too.
func TestBudgetConfig(t *testing.T) {
	for _, c := range []struct {
		BudgetConfig
		channels, each int // 0: refused
	}{
		{BudgetConfig{Bytes: 1500}, 1, 1 << 10},
		{BudgetConfig{Bytes: 1500, ExclusiveBytes: 1}, 1, 1 << 10},
		{BudgetConfig{Bytes: 5000, ExclusiveBytes: 4000}, 1, 4 << 10},
		{BudgetConfig{Bytes: 5000, ExclusiveBytes: 4097}, 0, 0},
		{BudgetConfig{Bytes: 64 << 10}, 8, 4 << 10},
		{BudgetConfig{Bytes: 64 << 10, Channels: 16}, 16, 4 << 10},
		{BudgetConfig{Bytes: 64 << 10, Channels: 17}, 0, 0},
		{BudgetConfig{Bytes: 64<<10 - 1, Channels: 16}, 0, 0},
		{BudgetConfig{Bytes: 16 << 40, ExclusiveBytes: 1 << 10}, math.MaxInt32, 1 << 10},
		{BudgetConfig{Bytes: 1 << 20, Channels: math.MaxInt, ExclusiveBytes: 1}, 0, 0},
		{BudgetConfig{Bytes: 1 << 20, ExclusiveBytes: math.MaxInt}, 0, 0},
		{BudgetConfig{Bytes: math.MaxInt32 + 1, ExclusiveBytes: math.MaxInt32}, 1, 1 << 31 & math.MaxInt}, // refused where an int has 32 bits
		{BudgetConfig{Bytes: math.MaxInt64, Channels: math.MaxInt, ExclusiveBytes: math.MaxInt}, 0, 0},
		{BudgetConfig{Bytes: 1 << 20, ExclusiveBytes: -1}, 0, 0},
		{BudgetConfig{Bytes: math.MinInt64}, 0, 0},
	} {
		if c.each == 0 {
			c.channels = 0
		}
		got, err := c.withDefaults()
		switch {
		case c.channels == 0 && !errors.Is(err, memory.ErrInsufficient):
			t.Errorf("%+v: %v", c.BudgetConfig, err)
		case c.channels > 0 && (err != nil || got.Channels != c.channels || got.ExclusiveBytes != c.each):
			t.Errorf("%+v: %d channels of %d, want %d of %d: %v", c.BudgetConfig, got.Channels, got.ExclusiveBytes, c.channels, c.each, err)
		}
	}
}

// lane is a channel of a budget, and what it has got.
type lane struct {
	ch      *Channel // nil: closed
	backlog int64
	open    *buffer.Buffer // the block that is filled
	filled  int            // bytes of it
	unread  []*buffer.Buffer
}

// shared is a budget beside others.
type shared struct {
	t        *testing.T
	b        *Budget
	config   BudgetConfig
	lanes    []*lane
	landings []*buffer.Buffer
}

// fill puts n bytes into the blocks of a channel.
func (s *shared) fill(l *lane, n int) {
	s.t.Helper()
	s.b.mu.Lock()
	l.ch.flow.Announce()
	if err := l.ch.flow.Data(l.ch.flow.Received().Data, n); err != nil {
		s.t.Fatal(err)
	}
	due := s.b.arrived(l.ch, n, false)
	l.backlog = max(l.backlog-int64(n), 0)
	for n > 0 {
		if l.open == nil {
			l.open, l.filled = l.ch.next(), 0
		}
		k := min(n, len(l.open.Bytes())-l.filled)
		l.filled += k
		n -= k
		if l.filled == len(l.open.Bytes()) {
			l.unread = append(l.unread, l.open)
			l.open = nil
		}
	}
	s.b.mu.Unlock()
	announce(due)
}

// room returns how many bytes of a channel's blocks are free.
func (s *shared) room(l *lane) int64 {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	return s.b.ledger.Room(l.ch.lane)
}

func (s *shared) close(l *lane) {
	if l.ch == nil {
		return
	}
	s.b.close(l.ch)
	l.ch = nil
	if l.open != nil {
		l.unread = append(l.unread, l.open)
		l.open = nil
	}
}

// end closes everything, and reads it afterwards.
func (s *shared) end() {
	for _, l := range s.lanes {
		s.close(l)
	}
	s.b.Close()
	for _, l := range s.lanes {
		for _, block := range l.unread {
			block.Release()
		}
	}
	for _, block := range s.landings {
		block.Release()
	}
	if used, left := s.b.ledger.Used(), s.b.Used(); used != 0 || left != 0 {
		s.t.Errorf("%d bytes are used at the end, the ledger says %d", left, used)
	}
}

// check says what is wrong: memory above what the budget has, or a channel that wants some, and has not got it, while there is some.
func (s *shared) check() {
	s.t.Helper()
	used := s.b.ledger.Used()
	if most := s.config.MaxBytes; used != s.b.Used() || used > most || s.b.exclusive.share.Used() > s.b.exclusive.share.Min() {
		s.t.Errorf("%d bytes are used of %d, %d exclusive ones of %d, the ledger says %d", s.b.Used(), most, s.b.exclusive.share.Used(), s.b.exclusive.share.Min(), used)
	}
	replaced := slices.ContainsFunc(s.lanes, func(l *lane) bool { return l.ch == nil }) // a channel may wait for it
	for i, l := range s.lanes {
		if l.ch == nil {
			continue
		}
		room, held, free := s.room(l), s.b.ledger.Held(l.ch.lane), s.b.floating.share.Room()
		if room > 0 && room >= l.backlog || held+memory.MinBlock > s.config.ChannelBytes || held == 0 && replaced {
			continue
		}
		if held == 0 || free >= memory.MinBlock {
			s.t.Errorf("channel %d has room for %d of %d, a backlog of %d, and %d floating bytes are free", i, room, held, l.backlog, free)
		}
	}
}

// Budgets beside others that take all the memory that they can get, give it back, come and go: nothing exceeds what there is, and no channel misses memory that has come back, whoever has had it.
func TestBudgetBesideOthers(t *testing.T) {
	for seed := range uint64(300) {
		besideOthers(t, rand.New(rand.NewPCG(seed, 0)))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func besideOthers(t *testing.T, r *rand.Rand) {
	between := func(least, most int64) int64 { return least + r.Int64N(most-least+1) }
	limit := between(8, 600) << 10
	pool, err := memory.NewPool(limit)
	if err != nil {
		t.Fatal(err)
	}
	type block struct {
		of  *memory.Share
		seg memory.Segment
	}
	var (
		budgets []*shared
		others  []*memory.Share
		blocks  []block
	)
	for range 300 {
		var s *shared
		var l *lane
		if len(budgets) > 0 {
			s = budgets[r.IntN(len(budgets))]
			if len(s.lanes) > 0 {
				l = s.lanes[r.IntN(len(s.lanes))]
			}
		}
		switch what := r.IntN(16); {
		case what == 0 && len(budgets) < 3:
			c := BudgetConfig{Bytes: between(1<<10, limit/2), Channels: int(between(0, 8)), MaxBytes: between(0, limit), ExclusiveBytes: int(between(0, 9000)), ChannelBytes: between(0, 100<<10)}
			var b *Budget
			if len(others) > 0 && r.IntN(2) == 0 {
				b, err = SplitBudget(others[0], c)
			} else {
				b, err = NewBudget(pool, c)
			}
			if err == nil {
				c, _ = c.withDefaults()
				budgets = append(budgets, &shared{t: t, b: b, config: c})
			}
		case what == 1:
			if o, err := pool.NewShare(between(0, limit/4), between(0, limit), nil); err == nil {
				others = append(others, o)
			}
		case what == 2 && len(others) > 0:
			others[0].Close()
			others = others[1:]
		case what == 3 && len(others) > 0:
			o := others[r.IntN(len(others))]
			for range r.IntN(30) {
				if seg, ok := o.Acquire(memory.MinBlock << r.IntN(6)); ok {
					blocks = append(blocks, block{o, seg})
				}
			}
		case what == 4:
			r.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
			for range min(r.IntN(30), len(blocks)) {
				blocks[0].of.Release(blocks[0].seg)
				blocks = blocks[1:]
			}
		case what == 5 && s != nil:
			ch := &Channel{peer: newPeer(nil, ""), config: ChannelConfig{Budget: s.b}}
			open := 0
			for _, l := range s.lanes {
				if l.ch != nil {
					open++
				}
			}
			if err := s.b.open(ch); err == nil {
				s.lanes = append(s.lanes, &lane{ch: ch})
			} else if open < s.config.Channels {
				t.Errorf("%d of %d channels: %v", open, s.config.Channels, err)
			}
		case what == 6 && l != nil && r.IntN(4) == 0:
			s.close(l)
		case what == 7 && s != nil && r.IntN(10) == 0:
			s.end()
			budgets = slices.DeleteFunc(budgets, func(o *shared) bool { return o == s })
		case what == 8 && l != nil && l.ch != nil:
			l.backlog = between(0, 100<<10)
			s.b.mu.Lock()
			s.b.ledger.Backlog(l.ch.lane, l.backlog)
			due := s.b.divide()
			s.b.mu.Unlock()
			announce(due)
		case what < 12 && l != nil && l.ch != nil:
			if room := s.room(l); room > 0 {
				s.fill(l, int(min(between(1, 2*room), room)))
			}
		case what < 15 && l != nil && len(l.unread) > 0:
			i := r.IntN(len(l.unread))
			b := l.unread[i]
			l.unread = slices.Delete(l.unread, i, i+1)
			b.Release()
		case what == 15 && s != nil && r.IntN(2) == 0:
			if b := s.b.land(); b != nil {
				s.landings = append(s.landings, b)
			}
		case what == 15 && s != nil && len(s.landings) > 0:
			s.landings[0].Release()
			s.landings = s.landings[1:]
		}
		for _, s := range budgets {
			s.lanes = slices.DeleteFunc(s.lanes, func(l *lane) bool { return l.ch == nil && len(l.unread) == 0 })
			s.check()
		}
		if stats := pool.Stats(); stats.Used > stats.Limit || t.Failed() {
			t.Errorf("%+v", stats)
			break
		}
	}
	for _, b := range blocks {
		b.of.Release(b.seg)
	}
	for _, o := range others {
		o.Close()
	}
	for _, s := range budgets {
		s.check()
	}
	for _, s := range budgets {
		s.end()
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}
