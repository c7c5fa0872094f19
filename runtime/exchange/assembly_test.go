package exchange_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/writer"
)

// cutter is a producer that cuts the frames of notes into pieces, as transports do.
type cutter struct {
	t    *testing.T
	part *partition.Partition
}

func newCutter(t *testing.T, x *exchange.Exchange, producer int) *cutter {
	t.Helper()
	p := x.Partition(producer)
	if _, err := p.Claim(partition.Claim{Schema: noteSerializer{}.Schema(), Flush: partition.OnFull()}); err != nil {
		t.Fatal(err)
	}
	return &cutter{t, p}
}

// noteFrame returns the frame of a note.
func noteFrame(n note) []byte {
	b, _ := noteSerializer{}.Append(make([]byte, 4), &n)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

// send writes data to a channel as one piece.
func (c *cutter) send(channel int, data []byte) {
	c.t.Helper()
	buf, err := c.part.Large(context.Background(), channel, len(data))
	if err != nil {
		c.t.Fatal(err)
	}
	copy(buf.Bytes(), data)
	if err := c.part.Append(channel, buf, len(data)); err != nil {
		c.t.Fatal(err)
	}
}

func newPieceReader(t *testing.T, x *exchange.Exchange, consumer int) *gate.Reader[note] {
	t.Helper()
	r, err := gate.NewReader(x.Gate(consumer), noteSerializer{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// kib rounds up to KiB.
func kib(n int) int64 { return (int64(n) + 1023) / 1024 * 1024 }

// TestAssemblyPeak: a thousand channels are within a record of several blocks at the same time. What they take is within the room that is documented to be enough, is charged to the budget, and comes
// back.
func TestAssemblyPeak(t *testing.T) {
	const channels, size = 1000, 10_000
	payload := len(noteFrame(newNote(0, 0, 0, size))) - 4
	enough := channels * (kib(payload) + kib(payload/2))
	x := newExchange(t, exchange.Config{Producers: channels, Consumers: 1, AssemblyBytes: enough})
	r := newPieceReader(t, x, 0)
	cutters := make([]*cutter, channels)
	for p := range cutters {
		cutters[p] = newCutter(t, x, p)
	}
	got := 0
	read := func() {
		t.Helper()
		for {
			var n note
			ok, _, err := r.TryNext(&n)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				return
			}
			if !n.valid() || len(n.Data) != size || n.Seq != uint64(n.Producer) {
				t.Fatalf("record %d of producer %d has %d bytes, valid: %v", n.Seq, n.Producer, len(n.Data), n.valid())
			}
			got++
		}
	}
	for at := 0; at < payload+4; at += 1500 {
		for p, c := range cutters {
			b := noteFrame(newNote(p, 0, uint64(p), size))
			c.send(0, b[at:min(at+1500, len(b))])
		}
		read()
		s := x.Stats()
		if arrived := int64(channels * max(0, min(at+1500, payload+4)-4)); at+1500 < payload && (s.Assembly.Used < arrived || s.Assembly.Used > enough) {
			t.Errorf("%d bytes are charged when %d have arrived, enough is %d", s.Assembly.Used, arrived, enough)
		}
	}
	s := x.Stats()
	if got != channels || s.Assembly.Used != 0 || s.Assembly.Guaranteed != enough || s.Assembly.Peak > enough || s.Assembly.Peak < int64(channels*payload/2) {
		t.Errorf("%d records, %+v, enough is %d", got, s.Assembly, enough)
	}
	for _, c := range cutters {
		if err := c.part.Finish(); err != nil {
			t.Error(err)
		}
	}
	read()
	_ = r.Close()
	mustClose(t, x)
}

// leastAssembly is the smallest exchange of so many producers with one channel each, with room for records in pieces: nothing else of its budget is guaranteed to nobody.
func leastAssembly(producers int, assembly int64) exchange.Config {
	guarantee := int64(2 << 10)
	return exchange.Config{
		Producers: producers, Consumers: 1, GuaranteedBytes: guarantee, LargeBytes: 64 << 10, AssemblyBytes: assembly,
		MemoryBytes: int64(producers)*guarantee + 64<<10 + assembly,
	}
}

// TestAssemblyTooSmall: with AssemblyBytes the reader gets exactly these, at the least budget; with one KiB less it fails with the numbers, gives back what all channels have, and counts what is dropped.
func TestAssemblyTooSmall(t *testing.T) {
	const size = 5000
	payload := len(noteFrame(newNote(0, 0, 0, size))) - 4
	enough := 2*kib(payload) + kib(payload/2) // of two records, one after the other
	for _, less := range []int64{0, 1 << 10} {
		t.Run(fmt.Sprintf("%d bytes less", less), func(t *testing.T) {
			x := newExchange(t, leastAssembly(3, enough-less))
			r := newPieceReader(t, x, 0)
			var cutters []*cutter
			for p := range 3 {
				cutters = append(cutters, newCutter(t, x, p))
			}
			frames := [][]byte{noteFrame(newNote(0, 0, 0, size)), noteFrame(newNote(1, 0, 0, size))}
			var n note
			step := func(p, from, to int) (bool, error) {
				t.Helper()
				cutters[p].send(0, frames[p][from:to])
				ok, _, err := r.TryNext(&n)
				return ok, err
			}
			half := 4 + payload/2
			for _, s := range [][3]int{{0, 0, half}, {0, half, half + 1}, {1, 0, half}} {
				if ok, err := step(s[0], s[1], s[2]); ok || err != nil {
					t.Fatal(ok, err)
				}
			}
			ok, err := step(1, half, len(frames[1]))
			if less == 0 {
				if !ok || err != nil || !n.valid() || n.Producer != 1 {
					t.Fatalf("%v, %v, %+v", ok, err, n.Producer)
				}
				if ok, err := step(0, half+1, len(frames[0])); !ok || err != nil || !n.valid() || n.Producer != 0 {
					t.Fatalf("%v, %v, %+v", ok, err, n.Producer)
				}
				if s := x.Stats().Assembly; s.Peak != enough {
					t.Errorf("%+v, want a peak of %d", s, enough)
				}
			} else {
				var short *gate.AssemblyError
				if ok || !errors.Is(err, gate.ErrAssembly) || !errors.Is(err, memory.ErrInsufficient) || !errors.As(err, &short) {
					t.Fatalf("%v, %v, want an AssemblyError", ok, err)
				}
				if want := (gate.AssemblyError{Producer: 1, Size: payload, Arrived: payload, Cause: short.Cause}); *short != want {
					t.Errorf("got %+v, want %+v", *short, want)
				}
				if want := fmt.Sprintf("%d bytes more are needed, readers of the exchange have %d for such records, AssemblyBytes is %d", kib(payload), kib(payload)+kib(payload/2), enough-less); !strings.Contains(err.Error(), want) {
					t.Errorf("got %v\nwant %s", err, want)
				}
			}
			if _, _, again := r.TryNext(&n); again != err {
				t.Errorf("then %v, want %v", again, err)
			}
			if s := x.Stats().Assembly; s.Used != 0 {
				t.Errorf("%+v: not everything was given back", s)
			}
			_ = r.Close()
			for p, c := range cutters {
				sent := []int{half + 1, len(frames[1]), 0}[p]
				if less == 0 {
					sent = 0
				}
				if got := c.part.Stats().Channels[0].Dropped; got != uint64(sent) {
					t.Errorf("producer %d: %d bytes were dropped, want %d", p, got, sent)
				}
				if err := c.part.Finish(); err != nil && !errors.Is(err, partition.ErrConsumerGone) {
					t.Error(err)
				}
			}
			mustClose(t, x)
		})
	}
}

// TestAssemblyOfFreeMemory: what is beyond AssemblyBytes comes out of what nobody is guaranteed. While writers have it readers fail; a writer that waits for it is woken when it comes back.
func TestAssemblyOfFreeMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const free = 40 << 10
		c := leastAssembly(2, 0)
		c.MemoryBytes += free
		c.ChannelBytes = 1 << 20
		x := newExchange(t, c)
		r := newPieceReader(t, x, 0)
		cut := newCutter(t, x, 1)
		b := noteFrame(newNote(1, 0, 0, free-500))
		cut.send(0, b[:len(b)-1])
		var n note
		if ok, _, err := r.TryNext(&n); ok || err != nil || x.Stats().Assembly.Used != free {
			t.Fatalf("%v, %v, %+v", ok, err, x.Stats().Assembly)
		}
		// The writer gets its guarantee, and waits for more.
		w, err := writer.New(x.Partition(0), noteSerializer{}, writer.FlushOnFull())
		if err != nil {
			t.Fatal(err)
		}
		full := -1
		for seq := uint64(0); full < 0; seq++ {
			n := newNote(0, 0, seq, 200)
			if full, err = w.TryEmit(&n); err != nil {
				t.Fatal(err)
			}
		}
		if held := x.Partition(0).Usage().Used; held != 2<<10 {
			t.Errorf("the writer has %d bytes, want its guarantee", held)
		}
		ready := w.Ready(0)
		synctest.Wait()
		select {
		case <-ready:
			t.Error("ready although the reader has the memory")
		default:
		}
		cut.send(0, b[len(b)-1:])
		for got := false; !got; {
			ok, _, err := r.TryNext(&n)
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			got = n.Producer == 1
		}
		if !n.valid() || len(n.Data) != free-500 {
			t.Errorf("%d bytes, valid: %v", len(n.Data), n.valid())
		}
		for ok := true; ok; {
			if ok, _, err = r.TryNext(&n); err != nil {
				t.Fatal(err)
			}
		}
		<-ready
		// The channel with the next piece is first in turn when the writer has taken all that it may have of the free memory, half of it.
		cut.send(0, b[:len(b)-1])
		full = -1
		for seq := uint64(100); full < 0; seq++ {
			n := newNote(0, 0, seq, 200)
			if full, err = w.TryEmit(&n); err != nil {
				t.Fatal(err)
			}
		}
		if held := x.Partition(0).Usage().Used; held != 2<<10+free/2 {
			t.Errorf("the writer has %d bytes, want its guarantee and half of what is free", held)
		}
		if ok, _, err := r.TryNext(&n); ok || !errors.Is(err, gate.ErrAssembly) || x.Stats().Assembly.Used != 0 {
			t.Errorf("%v, %v, %+v", ok, err, x.Stats().Assembly)
		}
		_ = r.Close()
		_ = w.Close()
		_ = cut.part.Finish()
		mustClose(t, x)
	})
}

// TestAssemblyCanceled: records that have arrived in part when an exchange is canceled, or closed too early, are given back with their reader; until then Close says that something is held.
func TestAssemblyCanceled(t *testing.T) {
	for _, shared := range []bool{false, true} {
		c := exchange.Config{Producers: 2, Consumers: 2, AssemblyBytes: 8 << 10}
		if shared {
			c.Memory = newMemory(t, 1<<20)
		}
		x := newExchange(t, c)
		var readers []*gate.Reader[note]
		for j := range 2 {
			readers = append(readers, newPieceReader(t, x, j))
		}
		var cutters []*cutter
		for p := range 2 {
			cut := newCutter(t, x, p)
			for j, r := range readers {
				cut.send(j, noteFrame(newNote(p, j, 0, 3000))[:2000])
				if ok, _, err := r.TryNext(new(note)); ok || err != nil {
					t.Fatal(ok, err)
				}
			}
			cutters = append(cutters, cut)
		}
		if used := x.Stats().Assembly.Used; used < 4*2000 {
			t.Errorf("%d bytes are charged", used)
		}
		x.Cancel(nil)
		for _, r := range readers {
			if _, _, err := r.TryNext(new(note)); !errors.Is(err, partition.ErrCanceled) {
				t.Errorf("after Cancel: %v", err)
			}
		}
		for _, c := range cutters {
			_ = c.part.Finish()
		}
		_ = readers[0].Close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := x.Close(ctx); err == nil || !strings.Contains(err.Error(), "the reader of consumer 1 is not closed") {
			t.Errorf("Close with an open reader: %v", err)
		}
		_ = readers[1].Close()
		if used := x.Stats().Assembly.Used; used != 0 {
			t.Errorf("%d bytes are charged when all readers are closed", used)
		}
		mustClose(t, x)
		if shared {
			if s := c.Memory.Stats(); s.Guaranteed != 0 || s.Reserved != 0 || s.Charged != 0 || s.Shares != 0 {
				t.Errorf("%+v is left", s)
			}
		}
	}
}

// TestAssemblyLaws: in random programs at the least budget with enough room, whole and cut records of several producers arrive once each, in order, and every byte that was sent was read or dropped.
func TestAssemblyLaws(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 60
	}
	for seed := range uint64(runs) {
		rnd := rand.New(rand.NewPCG(seed, 8))
		producers := 1 + rnd.IntN(4)
		const most = 4000
		x := newExchange(t, leastAssembly(producers, int64(producers)*(kib(most)+kib(most/2))))
		r := newPieceReader(t, x, 0)
		var rest [][]byte
		var cutters []*cutter
		sent := make([]int, producers)
		for p := range producers {
			cutters = append(cutters, newCutter(t, x, p))
			var stream []byte
			for k := range 1 + rnd.IntN(8) {
				stream = append(stream, noteFrame(newNote(p, 0, uint64(k), rnd.IntN(most-40)>>rnd.IntN(8)))...)
			}
			rest = append(rest, stream)
		}
		stop := rnd.IntN(60) // steps until the reader leaves; or it reads all
		next := make([]uint64, producers)
		got := 0
		read := func() {
			var n note
			for {
				ok, _, err := r.TryNext(&n)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if !ok {
					return
				}
				if !n.valid() || n.Seq != next[n.Producer] {
					t.Fatalf("seed %d: record %d of producer %d, valid: %v, want %d", seed, n.Seq, n.Producer, n.valid(), next[n.Producer])
				}
				next[n.Producer]++
				got += len(noteFrame(n))
			}
		}
		for step, left := 0, producers; left > 0 && step != stop; step++ {
			p := rnd.IntN(producers)
			if len(rest[p]) == 0 {
				continue
			}
			size := min(len(rest[p]), 1+rnd.IntN(most)>>rnd.IntN(6))
			cutters[p].send(0, rest[p][:size])
			sent[p] += size
			if rest[p] = rest[p][size:]; len(rest[p]) == 0 {
				left--
			}
			read() // the area has room for one piece of each
		}
		_ = r.Close()
		total, dropped := 0, 0
		for p, c := range cutters {
			if err := c.part.Finish(); err != nil && !errors.Is(err, partition.ErrConsumerGone) {
				t.Error(err)
			}
			total += sent[p]
			dropped += int(c.part.Stats().Channels[0].Dropped)
		}
		if got+dropped != total {
			t.Errorf("seed %d: %d bytes were sent, %d read, %d dropped", seed, total, got, dropped)
		}
		if s := x.Stats().Assembly; s.Used != 0 || s.Peak > s.Guaranteed {
			t.Errorf("seed %d: %+v", seed, s)
		}
		mustClose(t, x)
	}
}

// TestAssemblyRefused: what does not fit is refused at construction, with the numbers, and takes nothing.
func TestAssemblyRefused(t *testing.T) {
	m := newMemory(t, 64<<10)
	before := m.Stats()
	for name, tt := range map[string]struct {
		c    exchange.Config
		want string
	}{
		"negative":       {exchange.Config{Producers: 1, Consumers: 1, AssemblyBytes: -1}, "AssemblyBytes of -1"},
		"too much":       {exchange.Config{Producers: 1, Consumers: 1, MemoryBytes: 64 << 10, AssemblyBytes: 65 << 10}, "66560 AssemblyBytes of a budget of 65536"},
		"of the default": {exchange.Config{Producers: 1, Consumers: 1, AssemblyBytes: 1 << 62}, "4611686018427387904 AssemblyBytes of a budget of 67108864"},
		"blocks": {exchange.Config{Producers: 1, Consumers: 7, MemoryBytes: 64 << 10, AssemblyBytes: 50 << 10},
			"need 8192 bytes for blocks and have 7168 of 65536, 7168 of which are LargeBytes and 51200 AssemblyBytes; MemoryBytes of 67584 would be enough"},
		"of all": {exchange.Config{Producers: 1, Consumers: 1, Memory: m, AssemblyBytes: 64 << 10}, "65536 AssemblyBytes; MemoryBytes of"},
	} {
		x, err := exchange.New(tt.c)
		if x != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v\nwant %s", name, err, tt.want)
		}
	}
	if after := m.Stats(); after != before {
		t.Errorf("%+v, before %+v", after, before)
	}
	x := newExchange(t, exchange.Config{Producers: 1, Consumers: 7, MemoryBytes: 67584, AssemblyBytes: 50 << 10})
	mustCloseUnused(t, x)
}
