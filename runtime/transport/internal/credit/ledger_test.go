package credit_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"pgregory.net/rapid"
)

const kib = 1 << 10

// books is a ledger, and the blocks that it has given, by channel and in order.
type books struct {
	*credit.Ledger
	blocks map[int][]credit.Block
}

func newLedger(t *testing.T, c credit.Config, channels int) *books {
	t.Helper()
	if c.Channels == 0 {
		c.Channels = channels
	}
	l := &books{credit.NewLedger(c), map[int][]credit.Block{}}
	for ch := range channels {
		if err := l.Open(ch); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// deal gives all that the ledger has, and returns who got how many KiB, in order: exclusive ones with an e.
func (l *books) deal() (got []string) {
	for {
		b, ok := l.Next()
		if !ok {
			return got
		}
		l.Took(b)
		l.blocks[b.Channel] = append(l.blocks[b.Channel], b)
		kind := ""
		if b.Exclusive {
			kind = "e"
		}
		got = append(got, fmt.Sprintf("%d:%d%s", b.Channel, b.Bytes/kib, kind))
	}
}

// back gives back the first block that a channel has of a part of the memory.
func (l *books) back(t *testing.T, ch int, exclusive bool) {
	t.Helper()
	i := slices.IndexFunc(l.blocks[ch], func(b credit.Block) bool { return b.Exclusive == exclusive })
	if i < 0 {
		t.Fatalf("channel %d has %v", ch, l.blocks[ch])
	}
	l.Released(l.blocks[ch][i])
	l.blocks[ch] = slices.Delete(l.blocks[ch], i, i+1)
}

// own and floating say which part that is.
const own, floating = true, false

// Behaviour 66: what is floating goes round, and what channels want follows their backlog.
func TestLedgerTurns(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 9 * kib, Exclusive: kib, MaxBlock: kib}, 3)
	if diff := cmp.Diff([]string{"0:1e", "1:1e", "2:1e"}, l.deal()); diff != "" {
		t.Error("exclusive blocks:", diff)
	}
	for ch := range 3 {
		l.Backlog(ch, 5*kib)
	}
	if diff := cmp.Diff([]string{"0:1", "1:1", "2:1", "0:1", "1:1", "2:1"}, l.deal()); diff != "" {
		t.Error("floating blocks:", diff)
	}
	if l.Used() != 9*kib {
		t.Errorf("used %d", l.Used())
	}
	l.Filled(1, 2*kib)
	l.back(t, 1, floating)
	if diff := cmp.Diff([]string{"0:1"}, l.deal()); diff != "" {
		t.Error("one block came back, channel 0 is the next:", diff)
	}
	l.Backlog(2, 0) // wants no more
	l.back(t, 1, floating)
	if diff := cmp.Diff([]string{"1:1"}, l.deal()); diff != "" {
		t.Error("the turn of channel 2 is over, channel 1 wants more:", diff)
	}
	l.Filled(0, 4*kib)
	l.back(t, 0, own)
	l.back(t, 0, floating)
	if diff := cmp.Diff([]string{"0:1e", "1:1"}, l.deal()[:2]); diff != "" {
		t.Error(diff)
	}
}

// Behaviour 67: the exclusive block can always be had again, whatever others hold.
func TestLedgerExclusive(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 64 * kib, Exclusive: kib}, 2)
	l.Backlog(0, 1<<40)
	l.deal()
	if l.Held(0) != 63*kib || l.Held(1) != kib {
		t.Fatalf("held %d and %d", l.Held(0), l.Held(1))
	}
	l.Filled(1, kib)
	if got := l.deal(); got != nil {
		t.Errorf("%v were given of nothing", got)
	}
	l.back(t, 1, own)
	if diff := cmp.Diff([]string{"1:1e"}, l.deal()); diff != "" {
		t.Error(diff)
	}
}

// A channel that is opened when others hold all that they can have its exclusive bytes at once, whether those are full or not, and whether the total has become less or not.
func TestLedgerOpenedLate(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 10 * kib, Exclusive: 2 * kib, MaxBlock: 2 * kib, Channels: 3}, 1)
	l.Backlog(0, 1<<20)
	l.deal()
	if l.Held(0) != 6*kib {
		t.Fatalf("held %d", l.Held(0))
	}
	l.SetTotal(0)
	for ch := 1; ch < 3; ch++ {
		if err := l.Open(ch); err != nil {
			t.Fatal(err)
		}
		l.Backlog(ch, 1<<20)
		if diff := cmp.Diff([]string{fmt.Sprintf("%d:2e", ch)}, l.deal()); diff != "" {
			t.Error(diff)
		}
	}
	if err := l.Open(3); !errors.Is(err, credit.ErrMemory) {
		t.Errorf("a fourth channel: %v", err)
	}
}

// A channel in the place of one that was closed waits for the exclusive bytes that this one still holds, and for nothing else.
func TestLedgerJoin(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 8 * kib, Exclusive: 2 * kib, MaxBlock: 2 * kib}, 2)
	for ch := range 2 {
		l.Backlog(ch, 1<<20)
	}
	if diff := cmp.Diff([]string{"0:2e", "1:2e", "0:2", "1:2"}, l.deal()); diff != "" {
		t.Fatal(diff)
	}
	l.Close(0)
	if err := l.Open(2); err != nil {
		t.Fatal(err)
	}
	l.back(t, 0, floating)
	if diff := cmp.Diff([]string{"1:2"}, l.deal()); diff != "" {
		t.Error("what is floating is anybody's:", diff)
	}
	l.back(t, 0, own)
	if diff := cmp.Diff([]string{"2:1e"}, l.deal()); diff != "" {
		t.Error(diff)
	}
}

// Who has exclusive bytes left leaves what is floating to those who have none, and prefers it if it is larger and nobody needs it.
func TestLedgerWhichPart(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 64 * kib, Exclusive: 4 * kib}, 3)
	l.Backlog(0, 8*kib)
	if diff := cmp.Diff([]string{"0:8", "1:1e", "2:1e"}, l.deal()); diff != "" {
		t.Error(diff)
	}
	l.Filled(0, 8*kib)
	l.Backlog(0, 3*kib)
	if diff := cmp.Diff([]string{"0:4e"}, l.deal()); diff != "" {
		t.Error(diff)
	}
	l.Backlog(0, 1<<20)
	l.deal()
	if l.Held(0) != 56*kib { // all but what is the others' own
		t.Fatalf("held %d", l.Held(0))
	}
	l.Backlog(1, 32*kib)
	if diff := cmp.Diff([]string{"1:2e", "1:1e"}, l.deal()); diff != "" {
		t.Error(diff)
	}
	l.Filled(0, 40*kib)
	l.Backlog(2, 32*kib)
	l.back(t, 0, floating) // channel 0 and 1 have no exclusive bytes left
	if diff := cmp.Diff([]string{"2:2e", "2:1e", "0:8"}, l.deal()); diff != "" {
		t.Error(diff)
	}
	l.back(t, 0, floating)
	if got := l.deal(); len(got) == 0 || got[0] != "1:16" {
		t.Errorf("it is the turn of channel 1, not %v", got)
	}
}

func TestLedgerSizes(t *testing.T) {
	// next lets a channel fill its room, read it, and returns the size of its next block in KiB.
	next := func(l *books, ch int) int {
		l.Filled(ch, int(l.Room(ch)))
		for _, b := range l.blocks[ch] {
			l.Released(b)
		}
		l.blocks[ch] = nil
		l.deal()
		return int(l.Held(ch)) / kib
	}
	t.Run("grow with the traffic", func(t *testing.T) {
		l := newLedger(t, credit.Config{Total: 1024 * kib, Exclusive: kib}, 1)
		l.deal()
		for _, want := range []int{2, 4, 8, 16, 32, 32} {
			if got := next(l, 0); got != want {
				t.Errorf("got %d KiB, want %d", got, want)
			}
		}
	})
	t.Run("stay small beside a busy channel", func(t *testing.T) {
		l := newLedger(t, credit.Config{Total: 1024 * kib, Exclusive: kib}, 2)
		l.deal()
		for range 100 {
			next(l, 0)
		}
		for range 3 {
			if got := next(l, 1); got != 1 {
				t.Errorf("got %d KiB, want 1", got)
			}
			for range 100 {
				next(l, 0)
			}
		}
	})
	t.Run("a backlog is known to come", func(t *testing.T) {
		l := newLedger(t, credit.Config{Total: 1024 * kib, Exclusive: kib}, 1)
		l.deal()
		l.Backlog(0, 101*kib)
		if diff := cmp.Diff([]string{"0:32", "0:32", "0:32", "0:32"}, l.deal()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a channel has a bound", func(t *testing.T) {
		l := newLedger(t, credit.Config{Total: 1024 * kib, Exclusive: kib, ChannelBytes: 40 * kib}, 1)
		l.Backlog(0, 1<<50)
		l.deal()
		if l.Held(0) != 40*kib {
			t.Errorf("holds %d bytes", l.Held(0))
		}
	})
	t.Run("silent channels leave some", func(t *testing.T) {
		l := newLedger(t, credit.Config{Total: 256 * kib, Exclusive: kib}, 100)
		l.deal()
		for ch := range 100 { // each is busy for a while, and then silent with what it has
			for range 20 {
				next(l, ch)
			}
		}
		if got := next(l, 99); l.Used() > 250*kib || got == 0 {
			t.Errorf("%d bytes are promised to silent channels", l.Used())
		}
	})
}

func TestLedgerRefused(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 64 * kib, Exclusive: kib}, 2)
	l.deal()
	l.Backlog(0, 1<<20)
	var sizes []int
	for {
		b, ok := l.Next()
		if !ok {
			break
		}
		sizes = append(sizes, b.Bytes/kib)
		l.Refused(b)
	}
	if diff := cmp.Diff([]int{32, 16, 8, 4, 2, 1}, sizes); diff != "" {
		t.Error(diff)
	}
	l.Filled(1, kib)
	l.back(t, 1, own)
	for range 7 { // what is floating is tried again
		b, ok := l.Next()
		if !ok {
			t.Fatal("the exclusive block is not to be had")
		}
		if b == (credit.Block{Channel: 1, Bytes: kib, Exclusive: true}) {
			break
		}
		l.Refused(b)
	}
	for b, ok := l.Next(); ok; b, ok = l.Next() {
		l.Refused(b)
	}
	if b, ok := l.Next(); ok {
		t.Errorf("there is nothing at all, and %v is tried again", b)
	}
	l.Retry()
	if diff := cmp.Diff([]string{"1:1e", "0:32", "0:16", "0:8", "0:4", "0:2"}, l.deal()); diff != "" {
		t.Error(diff)
	}
}

func TestLedgerTotal(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 8 * kib, Exclusive: kib, MaxBlock: kib}, 2)
	l.Backlog(0, 1<<20)
	l.deal()
	l.SetTotal(4 * kib)
	l.Filled(0, 7*kib)
	for held := 5; held >= 2; held-- {
		l.back(t, 0, floating)
		if got := l.deal(); got != nil {
			t.Errorf("%v were given while %d floating KiB are held of 2", got, held)
		}
	}
	l.back(t, 0, floating)
	if diff := cmp.Diff([]string{"0:1"}, l.deal()); diff != "" {
		t.Error(diff)
	}
	l.SetTotal(0)
	l.Filled(1, kib)
	l.back(t, 1, own)
	if diff := cmp.Diff([]string{"1:1e"}, l.deal()); diff != "" {
		t.Error("the exclusive bytes stay:", diff)
	}
}

func TestLedgerMisuse(t *testing.T) {
	for name, f := range map[string]func(l *books){
		"opened twice":               func(l *books) { _ = l.Open(0) },
		"closed twice":               func(l *books) { l.Close(0); l.Close(0) },
		"opened while it holds":      func(l *books) { l.Close(0); _ = l.Open(0) },
		"more filled than room":      func(l *books) { l.Filled(0, kib+1) },
		"landed without memory":      func(l *books) { l.Land(4 * kib) },
		"left what never landed":     func(l *books) { l.Left(1) },
		"landed less than nothing":   func(l *books) { l.Landed(0, -1) },
		"released what is promised":  func(l *books) { l.Released(l.blocks[0][0]) },
		"released more than is held": func(l *books) { l.Close(0); l.Released(credit.Block{Bytes: 2 * kib, Exclusive: true}) },
		"released of another part":   func(l *books) { l.Close(0); l.Released(credit.Block{Bytes: kib}) },
		"took what others are to get": func(l *books) {
			l.Took(credit.Block{Bytes: 4 * kib})
		},
	} {
		l := newLedger(t, credit.Config{Total: 4 * kib, Exclusive: kib}, 2)
		l.deal()
		if !panics(func() { f(l) }) {
			t.Errorf("%s: no panic", name)
		}
	}
	for _, block := range []int{512, 3 * kib, 64 * kib} {
		if !panics(func() { credit.NewLedger(credit.Config{MaxBlock: block}) }) {
			t.Errorf("blocks of %d bytes: no panic", block)
		}
	}
}

// TestLedgerModel uses a ledger, receivers and memory of two parts at random, of which the floating one may at any time become less than what is held of it. Nothing exceeds the total; no limit exceeds the memory that is set aside; and when
// nothing more is given, all channels have what is theirs, but those that wait for what closed ones hold of it, and no channel that wants some goes without while there is some.
func TestLedgerModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		channels := rapid.IntRange(1, 6).Draw(t, "channels")
		exclusive := rapid.IntRange(1, 4).Draw(t, "exclusive") * kib
		reserve := int64(channels * exclusive)
		total := reserve + rapid.Int64Range(0, 200).Draw(t, "floating")*kib
		bound := max(rapid.Int64Range(1, total/kib).Draw(t, "bound")*kib, int64(exclusive))
		l := credit.NewLedger(credit.Config{Total: total, Channels: channels, Exclusive: exclusive, ChannelBytes: bound})
		type lane struct {
			open    bool
			joined  bool // it has had memory
			flow    credit.Receiver
			backlog int64
			blocks  []credit.Block // those that are filled first
			filled  int64          // bytes of them
		}
		lanes := make([]lane, channels+2) // two can wait for those that were closed
		open := 0
		var landings []int
		sum := func() (own, float int64) {
			for i := range lanes {
				for _, b := range lanes[i].blocks {
					if b.Exclusive {
						own += int64(b.Bytes)
					} else {
						float += int64(b.Bytes)
					}
				}
			}
			for _, size := range landings {
				float += int64(size)
			}
			return own, float
		}
		limit := total - reserve                                          // of those who hold floating memory: may be less than the total says, and than they hold
		refused := false                                                  // and nothing came back since
		steps := rapid.SampledFrom([]int{10, 100, 1000}).Draw(t, "steps") // a range has mostly small ones
		for range steps {
			ch := rapid.IntRange(0, len(lanes)-1).Draw(t, "channel")
			c := &lanes[ch]
			switch what := rapid.SampledFrom([]string{"open", "close", "fill", "fill", "fill", "read", "read", "read", "backlog", "tight", "land", "land", "arrive", "leave"}).Draw(t, "what"); {
			case what == "tight":
				limit = rapid.Int64Range(0, (total-reserve)/kib).Draw(t, "memory") * kib
				l.Retry()
				refused = false
			case what == "open" && !c.open && len(c.blocks) == 0:
				if err := l.Open(ch); (err != nil) != (open == channels) || err != nil && !errors.Is(err, credit.ErrMemory) {
					t.Fatalf("one more than %d of %d: %v", open, channels, err)
				} else if err == nil {
					open++
					*c = lane{open: true}
					c.flow.Open()
				}
			case what == "close" && c.open:
				l.Close(ch)
				c.open = false
				open--
				c.backlog = 0
			case what == "backlog" && c.open:
				c.backlog = rapid.Int64Range(0, 100*kib).Draw(t, "backlog")
				l.Backlog(ch, c.backlog)
			case what == "land":
				size := int(rapid.Int64Range(1, 32).Draw(t, "size") * kib)
				if _, float := sum(); l.MayLand(size) && float+int64(size) <= limit {
					l.Land(size)
					landings = append(landings, size)
				}
				n := int64(0)
				for _, size := range landings {
					n += int64(size)
				}
				if n != l.Landing() || n > total/4 {
					t.Fatalf("landings of %d, the ledger says %d, of %d", n, l.Landing(), total)
				}
			case what == "leave" && len(landings) > 0:
				l.Left(landings[0])
				landings = landings[1:]
				refused = false
			case (what == "arrive" && len(landings) > 0 || what == "fill") && c.open && l.Room(ch) > 0:
				c.flow.Announce()
				n := int(rapid.SampledFrom([]int64{1, (l.Room(ch) + 1) / 2, l.Room(ch), l.Room(ch)}).Draw(t, "bytes"))
				if err := c.flow.Data(c.flow.Received().Data, n); err != nil {
					t.Fatal(err)
				}
				if what == "arrive" {
					c.flow.Landed(n)
					l.Landed(ch, n)
				} else {
					c.flow.Arrived(n)
					l.Filled(ch, n)
					c.filled += int64(n)
				}
				c.backlog = max(c.backlog-int64(n), 0)
			case what == "read" && len(c.blocks) > 0 && (!c.open || c.filled >= int64(c.blocks[0].Bytes)):
				l.Released(c.blocks[0])
				refused = false
				c.filled -= int64(c.blocks[0].Bytes)
				c.blocks = c.blocks[1:]
			}
			for range 1000 {
				b, ok := l.Next()
				if !ok {
					break
				}
				if _, float := sum(); !b.Exclusive && float+int64(b.Bytes) > limit {
					refused = true
					l.Refused(b)
					continue
				}
				l.Took(b)
				c := &lanes[b.Channel]
				c.joined = true
				c.flow.Grant(b.Bytes)
				c.blocks = append(c.blocks, b)
				if b.Bytes > memory.MaxBlock || l.Held(b.Channel) > bound {
					t.Fatalf("channel %d holds %d, with a block of %d", b.Channel, l.Held(b.Channel), b.Bytes)
				}
			}
			if _, ok := l.Next(); ok {
				t.Fatal("there is no end")
			}
			own, float := sum()
			if l.Used() != own+float || own > reserve || float > total-reserve {
				t.Fatalf("%d of %d are held, %d of %d exclusive bytes and %d of %d floating", l.Used(), total, own, reserve, float, total-reserve)
			}
			kept := int64(open * exclusive) // if all have their guarantee
			for i := range lanes {
				if c := &lanes[i]; !c.open {
					for _, b := range c.blocks {
						if b.Exclusive {
							kept += int64(b.Bytes)
						}
					}
				}
			}
			for i := range lanes {
				c := &lanes[i]
				if !c.open {
					continue
				}
				if got := c.flow.Limit().Data - c.flow.Received().Data; got != uint64(l.Room(i)) {
					t.Fatalf("channel %d may send %d, there is room for %d", i, got, l.Room(i))
				}
				has := int64(0)
				for _, b := range c.blocks {
					if b.Exclusive {
						has += int64(b.Bytes)
					}
				}
				if (c.joined || kept <= reserve) && l.Room(i) == 0 && has < int64(exclusive) && l.Held(i)+kib <= bound {
					t.Fatalf("channel %d has no room, and %d of its %d", i, has, exclusive)
				}
				if wants := l.Room(i) == 0 || l.Room(i) < c.backlog; wants && !refused && c.joined && total-reserve-float >= kib && l.Held(i)+kib <= bound {
					t.Fatalf("channel %d has room for %d and a backlog of %d while %d are free", i, l.Room(i), c.backlog, total-reserve-float)
				}
			}
		}
	})
}

// TestLedgerFair lets channels whose readers are equally fast, and whose backlogs are endless, share what is floating: each always has room, and none holds much more than its part.
func TestLedgerFair(t *testing.T) {
	const channels = 7
	l := newLedger(t, credit.Config{Total: 40 * kib, Exclusive: kib, MaxBlock: kib}, channels)
	for round := range 1000 {
		for ch := range channels {
			l.Backlog(ch, 1<<20)
		}
		l.deal()
		ch := round % channels
		if l.Room(ch) < kib {
			t.Fatalf("round %d: channel %d has nothing", round, ch)
		}
		l.Filled(ch, kib)
		l.Released(l.blocks[ch][0])
		l.blocks[ch] = l.blocks[ch][1:]
		if l.Held(ch) > 8*kib {
			t.Fatalf("round %d: channel %d holds %d", round, ch, l.Held(ch))
		}
	}
}

func BenchmarkLedger(b *testing.B) {
	for _, channels := range []int{1, 100, 10000} {
		b.Run(fmt.Sprint(channels), func(b *testing.B) {
			l := credit.NewLedger(credit.Config{Total: 256 << 20, Channels: channels, Exclusive: kib})
			for ch := range channels {
				if err := l.Open(ch); err != nil {
					b.Fatal(err)
				}
			}
			flows := make([]credit.Receiver, channels)
			blocks := make([][]credit.Block, channels)
			give := func() {
				for {
					b, ok := l.Next()
					if !ok {
						return
					}
					l.Took(b)
					flows[b.Channel].Grant(b.Bytes)
					blocks[b.Channel] = append(blocks[b.Channel], b)
				}
			}
			give()
			b.ReportAllocs()
			ch := 0
			for b.Loop() { // a DATA that fills what there is, and a reader that takes it at once
				r := &flows[ch]
				room := int(l.Room(ch))
				if r.Due(false) {
					r.Announce()
				}
				l.Backlog(ch, int64(room))
				l.Filled(ch, room)
				full := blocks[ch]
				blocks[ch] = full[:0]
				for _, b := range full {
					l.Released(b)
				}
				give()
				if ch++; ch == channels {
					ch = 0
				}
			}
		})
	}
}

func BenchmarkSender(b *testing.B) {
	var s credit.Sender
	s.Start(pos{}, pos{1 << 60, credit.Window})
	b.ReportAllocs()
	for b.Loop() { // a DATA, and its CREDIT
		s.SendData(32 * kib)
		if _, _, err := s.Credit(s.Sent(), pos{}); err != nil {
			b.Fatal(err)
		}
	}
}

// What is taken for landing is floating, a quarter of all at most and half of what is there; what lands leaves a channel's room as it is, and counts as its traffic.
func TestLedgerLand(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 64 * kib, Exclusive: 8 * kib}, 2)
	l.deal()
	if l.MayLand(17*kib) || !l.MayLand(16*kib) {
		t.Error("not a quarter may land")
	}
	l.Land(8 * kib)
	if l.MayLand(9*kib) || !l.MayLand(8*kib) || l.Landing() != 8*kib || l.Used() != 10*kib {
		t.Errorf("%d have landed, used %d", l.Landing(), l.Used())
	}
	l.Backlog(0, 3*kib)
	l.Landed(0, 2*kib)
	if got := l.deal(); got != nil || l.Room(0) != kib {
		t.Errorf("a channel with room for its backlog got %v, has room for %d", got, l.Room(0))
	}
	l.Backlog(0, 1<<20)
	l.deal()
	if held := l.Held(0); held != (64-8-8)*kib {
		t.Errorf("held %d, but 8 KiB are landings, and 8 are the other's", held)
	}
	if l.MayLand(kib) {
		t.Error("nothing is floating, but may land")
	}
	l.Left(8 * kib)
	l.deal()
	if l.Held(0) != 56*kib || l.Landing() != 0 {
		t.Errorf("held %d, landing %d", l.Held(0), l.Landing())
	}
}

// What has been taken for landing is to be given up when somebody waits for what is guaranteed to him, and when there is less memory than before.
func TestLedgerSpares(t *testing.T) {
	for name, need := range map[string]func(l *books) (enough func()){
		"no block of what is guaranteed": func(l *books) func() {
			if err := l.Open(0); err != nil {
				t.Fatal(err)
			}
			for b, ok := l.Next(); ok; b, ok = l.Next() {
				l.Refused(b)
			}
			return l.Retry
		},
		"a smaller total": func(l *books) func() {
			l.SetTotal(24 * kib)
			return func() { l.SetTotal(32 * kib) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLedger(t, credit.Config{Total: 64 * kib, Exclusive: 16 * kib, Channels: 1}, 0)
			l.Land(16 * kib)
			if !l.Spares() {
				t.Error("given up, but nobody needs it")
			}
			enough := need(l)
			if l.Spares() {
				t.Error("kept, but somebody needs it")
			}
			if enough(); !l.Spares() {
				t.Error("given up, but nobody needs it any more")
			}
		})
	}
}
