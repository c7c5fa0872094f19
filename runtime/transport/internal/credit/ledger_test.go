package credit_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"pgregory.net/rapid"
)

const kib = 1 << 10

func newLedger(t *testing.T, c credit.Config, channels int) *credit.Ledger {
	t.Helper()
	l := credit.NewLedger(c)
	for ch := range channels {
		if err := l.Open(ch); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// deal gives all that the ledger has, and returns who got how many KiB, in order.
func deal(l *credit.Ledger) (got []string) {
	for {
		ch, size, ok := l.Next()
		if !ok {
			return got
		}
		l.Took(ch, size)
		got = append(got, fmt.Sprintf("%d:%d", ch, size/kib))
	}
}

// Behaviour 66: what is floating goes round, and what channels want follows their backlog.
func TestLedgerTurns(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 9 * kib, Exclusive: kib, MaxBlock: kib}, 3)
	if diff := cmp.Diff([]string{"0:1", "1:1", "2:1"}, deal(l)); diff != "" {
		t.Error("exclusive blocks:", diff)
	}
	for ch := range 3 {
		l.Backlog(ch, 5*kib)
	}
	if diff := cmp.Diff([]string{"0:1", "1:1", "2:1", "0:1", "1:1", "2:1"}, deal(l)); diff != "" {
		t.Error("floating blocks:", diff)
	}
	if l.Used() != 9*kib {
		t.Errorf("used %d", l.Used())
	}
	l.Filled(1, 2*kib)
	l.Released(1, kib)
	if diff := cmp.Diff([]string{"0:1"}, deal(l)); diff != "" {
		t.Error("one block came back, channel 0 is the next:", diff)
	}
	l.Backlog(2, 0) // wants no more
	l.Released(1, kib)
	if diff := cmp.Diff([]string{"1:1"}, deal(l)); diff != "" {
		t.Error("the turn of channel 2 is over, channel 1 wants more:", diff)
	}
	l.Filled(0, 4*kib)
	for range 3 {
		l.Released(0, kib)
	}
	if diff := cmp.Diff([]string{"0:1", "1:1"}, deal(l)[:2]); diff != "" {
		t.Error(diff)
	}
}

// Behaviour 67: the exclusive block can always be had again, whatever others hold.
func TestLedgerExclusive(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 64 * kib, Exclusive: kib}, 2)
	l.Backlog(0, 1<<40)
	deal(l)
	if l.Held(0) != 63*kib || l.Held(1) != kib {
		t.Fatalf("held %d and %d", l.Held(0), l.Held(1))
	}
	l.Filled(1, kib)
	if got := deal(l); got != nil {
		t.Errorf("%v were given of nothing", got)
	}
	l.Released(1, kib)
	if diff := cmp.Diff([]string{"1:1"}, deal(l)); diff != "" {
		t.Error(diff)
	}
}

// A channel that is opened while others hold what it is to have gets it before anybody else, and others keep their exclusive bytes.
func TestLedgerJoin(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 4 * kib, Exclusive: kib, MaxBlock: kib}, 1)
	l.Backlog(0, 1<<20)
	deal(l)
	if l.Held(0) != 4*kib {
		t.Fatalf("held %d", l.Held(0))
	}
	if err := l.Open(1); err != nil {
		t.Fatal(err)
	}
	if got := deal(l); got != nil {
		t.Errorf("%v were given of nothing", got)
	}
	l.Filled(0, 2*kib)
	l.Released(0, kib)
	if diff := cmp.Diff([]string{"1:1"}, deal(l)); diff != "" {
		t.Error(diff)
	}
	for ch := 2; ch < 4; ch++ {
		if err := l.Open(ch); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Open(4); !errors.Is(err, credit.ErrMemory) {
		t.Errorf("a fifth channel: %v", err)
	}
	l.Close(3)
	if err := l.Open(4); err != nil {
		t.Errorf("a fourth channel: %v", err)
	}
}

func TestLedgerSizes(t *testing.T) {
	// next lets a channel fill its room, read it, and returns the size of its next block in KiB.
	next := func(l *credit.Ledger, ch int) int {
		held := l.Held(ch)
		l.Filled(ch, int(l.Room(ch)))
		l.Released(ch, int(held))
		before := l.Held(ch)
		for {
			c, size, ok := l.Next()
			if !ok {
				return int(l.Held(ch)-before) / kib
			}
			l.Took(c, size)
		}
	}
	t.Run("grow with the traffic", func(t *testing.T) {
		l := newLedger(t, credit.Config{Total: 1024 * kib, Exclusive: kib}, 1)
		deal(l)
		for _, want := range []int{2, 4, 8, 16, 32, 32} {
			if got := next(l, 0); got != want {
				t.Errorf("got %d KiB, want %d", got, want)
			}
		}
	})
	t.Run("stay small beside a busy channel", func(t *testing.T) {
		l := newLedger(t, credit.Config{Total: 1024 * kib, Exclusive: kib}, 2)
		deal(l)
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
		deal(l)
		l.Backlog(0, 101*kib)
		if diff := cmp.Diff([]string{"0:32", "0:32", "0:32", "0:32"}, deal(l)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a channel has a bound", func(t *testing.T) {
		l := newLedger(t, credit.Config{Total: 1024 * kib, Exclusive: kib, ChannelBytes: 40 * kib}, 1)
		l.Backlog(0, 1<<50)
		deal(l)
		if l.Held(0) != 40*kib {
			t.Errorf("holds %d bytes", l.Held(0))
		}
	})
	t.Run("silent channels leave some", func(t *testing.T) {
		l := newLedger(t, credit.Config{Total: 256 * kib, Exclusive: kib}, 100)
		deal(l)
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
	deal(l)
	l.Backlog(0, 1<<20)
	var sizes []int
	for {
		ch, size, ok := l.Next()
		if !ok {
			break
		}
		sizes = append(sizes, size/kib)
		l.Refused(ch, size)
	}
	if diff := cmp.Diff([]int{32, 16, 8, 4, 2, 1}, sizes); diff != "" {
		t.Error(diff)
	}
	l.Filled(1, kib)
	l.Released(1, kib)
	if ch, size, ok := l.Next(); !ok || ch != 1 || size != kib {
		t.Errorf("the exclusive block: channel %d, %d bytes, %v", ch, size, ok)
	}
	l.Refused(1, kib)
	if _, _, ok := l.Next(); ok {
		t.Error("there is nothing at all, and it is tried again")
	}
	l.Retry()
	if diff := cmp.Diff([]string{"1:1", "0:32", "0:16", "0:8", "0:4", "0:2"}, deal(l)); diff != "" {
		t.Error(diff)
	}
}

func TestLedgerTotal(t *testing.T) {
	l := newLedger(t, credit.Config{Total: 8 * kib, Exclusive: kib, MaxBlock: kib}, 2)
	l.Backlog(0, 1<<20)
	deal(l)
	l.SetTotal(4 * kib)
	l.Filled(0, 7*kib)
	for held := 6; held >= 3; held-- {
		l.Released(0, kib)
		if got := deal(l); got != nil {
			t.Errorf("%v were given while %d KiB are held of 4", got, held)
		}
		if held == 3 {
			break
		}
	}
	l.Released(0, kib)
	if diff := cmp.Diff([]string{"0:1"}, deal(l)); diff != "" {
		t.Error(diff)
	}
	l.SetTotal(0)
	l.Filled(1, kib)
	l.Released(1, kib)
	if diff := cmp.Diff([]string{"1:1"}, deal(l)); diff != "" {
		t.Error("the exclusive bytes stay:", diff)
	}
}

func TestLedgerMisuse(t *testing.T) {
	for name, f := range map[string]func(l *credit.Ledger){
		"opened twice":               func(l *credit.Ledger) { _ = l.Open(0) },
		"closed twice":               func(l *credit.Ledger) { l.Close(0); l.Close(0) },
		"opened while it holds":      func(l *credit.Ledger) { l.Close(0); _ = l.Open(0) },
		"more filled than room":      func(l *credit.Ledger) { l.Filled(0, kib+1) },
		"landed without memory":      func(l *credit.Ledger) { l.Land(4 * kib) },
		"left what never landed":     func(l *credit.Ledger) { l.Left(1) },
		"landed less than nothing":   func(l *credit.Ledger) { l.Landed(0, -1) },
		"released what is promised":  func(l *credit.Ledger) { l.Released(0, kib) },
		"released more than is held": func(l *credit.Ledger) { l.Close(0); l.Released(0, 2*kib) },
		"took what others are to get": func(l *credit.Ledger) {
			l.Took(0, 3*kib)
		},
	} {
		l := newLedger(t, credit.Config{Total: 4 * kib, Exclusive: kib}, 2)
		deal(l)
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

// held returns what a channel holds, which may never have been open.
func held(l *credit.Ledger, everOpen bool, ch int) int64 {
	if !everOpen {
		return 0
	}
	return l.Held(ch)
}

// TestLedgerModel uses a ledger, receivers and a share of a real pool at random. Nothing exceeds the total; no limit exceeds the memory that is set aside; and when nothing more is given, all channels have what is theirs and
// no channel that wants some goes without while there is some.
func TestLedgerModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		channels := rapid.IntRange(1, 6).Draw(t, "channels")
		exclusive := rapid.IntRange(1, 4).Draw(t, "exclusive") * kib
		total := int64(channels*exclusive) + rapid.Int64Range(0, 200).Draw(t, "floating")*kib
		bound := max(rapid.Int64Range(1, total/kib).Draw(t, "bound")*kib, int64(exclusive))
		l := credit.NewLedger(credit.Config{Total: total, Exclusive: exclusive, ChannelBytes: bound})
		type lane struct {
			open    bool
			known   bool // it was opened at some time
			joined  bool // it has had memory
			flow    credit.Receiver
			backlog int64
			blocks  []int // sizes, those that are filled first
			filled  int64 // bytes of them
		}
		lanes := make([]lane, channels)
		var landings []int
		landed := func() (n int64) {
			for _, size := range landings {
				n += int64(size)
			}
			return n
		}
		limit := total   // of those who hold memory: may be less than the total says
		refused := false // and nothing came back since
		steps := rapid.IntRange(1, 120).Draw(t, "steps")
		for range steps {
			ch := rapid.IntRange(0, channels-1).Draw(t, "channel")
			c := &lanes[ch]
			switch what := rapid.SampledFrom([]string{"open", "close", "fill", "fill", "fill", "read", "read", "read", "backlog", "tight", "land", "land", "arrive", "leave"}).Draw(t, "what"); {
			case what == "tight":
				least := landed()
				for i := range lanes {
					least += max(held(l, lanes[i].known, i), int64(exclusive))
				}
				limit = rapid.Int64Range(min(least, total)/kib, total/kib).Draw(t, "memory") * kib
				l.Retry()
				refused = false
			case what == "open" && !c.open && len(c.blocks) == 0:
				if err := l.Open(ch); err != nil {
					t.Fatal(err)
				}
				*c = lane{open: true, known: true}
				c.flow.Open()
			case what == "close" && c.open:
				l.Close(ch)
				c.open = false
				for _, size := range c.blocks {
					l.Released(ch, size)
					refused = false
				}
				c.blocks = nil
			case what == "backlog" && c.open:
				c.backlog = rapid.Int64Range(0, 100*kib).Draw(t, "backlog")
				l.Backlog(ch, c.backlog)
			case what == "land":
				size := int(rapid.Int64Range(1, 32).Draw(t, "size") * kib)
				if before := l.Used(); l.MayLand(size) && before+int64(size) <= limit {
					l.Land(size)
					landings = append(landings, size)
				}
				if n := landed(); n != l.Landing() || n > total/4 {
					t.Fatalf("landings of %d, the ledger says %d, of %d", n, l.Landing(), total)
				}
			case what == "leave" && len(landings) > 0:
				l.Left(landings[0])
				landings = landings[1:]
				refused = false
			case what == "arrive" && c.open && len(landings) > 0 && l.Room(ch) > 0:
				c.flow.Announce()
				n := int(rapid.Int64Range(1, l.Room(ch)).Draw(t, "bytes"))
				if err := c.flow.Data(c.flow.Received().Data, n); err != nil {
					t.Fatal(err)
				}
				c.flow.Landed(n)
				l.Landed(ch, n)
				c.backlog = max(c.backlog-int64(n), 0)
			case what == "fill" && c.open && l.Room(ch) > 0:
				c.flow.Announce()
				n := int(rapid.Int64Range(1, l.Room(ch)).Draw(t, "bytes"))
				if err := c.flow.Data(c.flow.Received().Data, n); err != nil {
					t.Fatal(err)
				}
				c.flow.Arrived(n)
				l.Filled(ch, n)
				c.filled += int64(n)
				c.backlog = max(c.backlog-int64(n), 0)
			case what == "read" && c.open && len(c.blocks) > 0 && c.filled >= int64(c.blocks[0]):
				l.Released(ch, c.blocks[0])
				refused = false
				c.filled -= int64(c.blocks[0])
				c.blocks = c.blocks[1:]
			}
			for range 1000 {
				ch, size, ok := l.Next()
				if !ok {
					break
				}
				if l.Held(ch) >= int64(exclusive) && l.Used()+int64(size) > limit {
					refused = true
					l.Refused(ch, size)
					continue
				}
				l.Took(ch, size)
				lanes[ch].flow.Grant(size)
				lanes[ch].blocks = append(lanes[ch].blocks, size)
				if size > memory.MaxBlock || l.Held(ch) > bound {
					t.Fatalf("channel %d holds %d, with a block of %d", ch, l.Held(ch), size)
				}
			}
			if _, _, ok := l.Next(); ok {
				t.Fatal("there is no end")
			}
			if l.Used() > total {
				t.Fatalf("%d of %d are held", l.Used(), total)
			}
			free := total - landed()
			for i := range lanes {
				if free -= held(l, lanes[i].known, i); lanes[i].open {
					free -= max(int64(exclusive)-l.Held(i), 0)
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
				c.joined = c.joined || l.Held(i) > 0
				if (c.joined || free >= 0) && l.Room(i) == 0 && l.Held(i) < int64(exclusive) {
					t.Fatalf("channel %d has none, and holds %d of its %d", i, l.Held(i), exclusive)
				}
				if wants := l.Room(i) == 0 || l.Room(i) < c.backlog; wants && !refused && free >= kib && l.Held(i) < bound && bound-l.Held(i) >= kib {
					t.Fatalf("channel %d has room for %d and a backlog of %d while %d are free", i, l.Room(i), c.backlog, free)
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
		deal(l)
		ch := round % channels
		if l.Room(ch) < kib {
			t.Fatalf("round %d: channel %d has nothing", round, ch)
		}
		l.Filled(ch, kib)
		l.Released(ch, kib)
		if l.Held(ch) > 8*kib {
			t.Fatalf("round %d: channel %d holds %d", round, ch, l.Held(ch))
		}
	}
}

func BenchmarkLedger(b *testing.B) {
	for _, channels := range []int{1, 100, 10000} {
		b.Run(fmt.Sprint(channels), func(b *testing.B) {
			l := credit.NewLedger(credit.Config{Total: 256 << 20, Exclusive: kib})
			for ch := range channels {
				if err := l.Open(ch); err != nil {
					b.Fatal(err)
				}
			}
			flows := make([]credit.Receiver, channels)
			give := func() {
				for {
					ch, size, ok := l.Next()
					if !ok {
						return
					}
					l.Took(ch, size)
					flows[ch].Grant(size)
				}
			}
			give()
			b.ReportAllocs()
			ch := 0
			for b.Loop() { // a DATA that fills what there is, and a reader that takes it at once
				r := &flows[ch]
				room := int(l.Room(ch))
				held := int(l.Held(ch))
				if r.Due(false) {
					r.Announce()
				}
				l.Backlog(ch, int64(room))
				l.Filled(ch, room)
				l.Released(ch, held)
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
	deal(l)
	if l.MayLand(17*kib) || !l.MayLand(16*kib) {
		t.Error("not a quarter may land")
	}
	l.Land(8 * kib)
	if l.MayLand(9*kib) || !l.MayLand(8*kib) || l.Landing() != 8*kib || l.Used() != 10*kib {
		t.Errorf("%d have landed, used %d", l.Landing(), l.Used())
	}
	l.Backlog(0, 3*kib)
	l.Landed(0, 2*kib)
	if got := deal(l); got != nil || l.Room(0) != kib {
		t.Errorf("a channel with room for its backlog got %v, has room for %d", got, l.Room(0))
	}
	l.Backlog(0, 1<<20)
	deal(l)
	if held := l.Held(0); held != (64-8-8)*kib {
		t.Errorf("held %d, but 8 KiB are landings, and 8 are the other's", held)
	}
	if l.MayLand(kib) {
		t.Error("nothing is floating, but may land")
	}
	l.Left(8 * kib)
	deal(l)
	if l.Held(0) != 56*kib || l.Landing() != 0 {
		t.Errorf("held %d, landing %d", l.Held(0), l.Landing())
	}
}

// What has been taken for landing is to be given up when somebody waits for what is guaranteed to him, and when there is less memory than before.
func TestLedgerSpares(t *testing.T) {
	for name, need := range map[string]func(l *credit.Ledger) (enough func()){
		"a channel without its guarantee": func(l *credit.Ledger) func() {
			for ch := range 4 {
				if err := l.Open(ch); err != nil {
					t.Fatal(err)
				}
			}
			deal(l)
			return func() { l.Close(3) }
		},
		"no block of what is guaranteed": func(l *credit.Ledger) func() {
			if err := l.Open(0); err != nil {
				t.Fatal(err)
			}
			for ch, size, ok := l.Next(); ok; ch, size, ok = l.Next() {
				l.Refused(ch, size)
			}
			return l.Retry
		},
		"a smaller total": func(l *credit.Ledger) func() {
			l.SetTotal(8 * kib)
			return func() { l.SetTotal(16 * kib) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLedger(t, credit.Config{Total: 64 * kib, Exclusive: 16 * kib}, 0)
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
