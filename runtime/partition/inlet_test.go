package partition_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
)

// filled is an inlet with a stock of memory for it, and a reader.
type filled struct {
	*partition.Inlet
	t     *testing.T
	stock *buffer.Stock
	share *memory.Share
	inbox *partition.Inbox
	view  *partition.View

	back []int // sizes of blocks that came back
	read []int // bytes of events that were read
	left []error
}

func newFilled(t *testing.T) *filled {
	t.Helper()
	pool, err := memory.NewPool(64 << 10)
	if err != nil {
		t.Fatal(err)
	}
	f := &filled{t: t, inbox: partition.NewInbox()}
	if f.share, err = pool.NewShare(64<<10, 64<<10, nil); err != nil {
		t.Fatal(err)
	}
	f.stock = buffer.NewStock(f.share, func(lane, bytes int) {
		if lane != 7 {
			t.Errorf("a block of lane %d came back, want 7", lane)
		}
		f.back = append(f.back, bytes)
	})
	f.Inlet = partition.NewInlet(partition.InletConfig{
		Producer: 3, Channel: 5,
		EventRead: func(bytes int) { f.read = append(f.read, bytes) },
		Left:      func(cause error) { f.left = append(f.left, cause) },
	})
	t.Cleanup(func() {
		f.End(nil)
		if f.view == nil {
			f.Discard()
		} else {
			f.view.Release(nil)
		}
		f.share.Close()
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func (f *filled) reader() {
	f.t.Helper()
	var err error
	if f.view, err = f.Source().View(f.inbox); err != nil {
		f.t.Fatal(err)
	}
}

// put receives data, in blocks of 1 KiB.
func (f *filled) put(data string) {
	f.t.Helper()
	for data != "" {
		if len(f.Room()) == 0 {
			b, ok := f.stock.TryAcquire(7, 1<<10)
			if !ok {
				f.t.Fatal("no memory")
			}
			f.Open(b)
		}
		n := copy(f.Room(), data)
		f.Commit(n)
		data = data[n:]
	}
	f.Flush()
}

// lend receives data in a buffer that others have parts of, too.
func (f *filled) lend(data string) {
	f.t.Helper()
	b, ok := f.stock.TryAcquire(7, 1<<10)
	if !ok {
		f.t.Fatal("no memory")
	}
	n := copy(b.Bytes()[300:], data)
	copy(b.Bytes(), "what is for others")
	f.Lend(b, 300, 300+n)
	b.Release()
	f.Flush()
}

// poll returns everything that is ready: data, and a word for everything else.
func (f *filled) poll() (all []string) {
	f.t.Helper()
	var data bytes.Buffer
	flush := func() {
		if data.Len() > 0 {
			all = append(all, data.String())
			data.Reset()
		}
	}
	for {
		v, err := f.inbox.Try(true)
		if err != nil {
			f.t.Fatal(err)
		}
		if v == nil {
			flush()
			return all
		}
		c, ok := v.Poll()
		if !ok {
			continue
		}
		data.Write(c.Data)
		if c.Watermark != partition.NoWatermark {
			flush()
			all = append(all, "watermark")
		}
		if c.Event != nil {
			flush()
			all = append(all, c.Event.Kind.String())
		}
		if c.End {
			flush()
			word := "end"
			if c.Err != nil {
				word = c.Err.Error()
			}
			all = append(all, word)
		}
		c.Release()
	}
}

func TestInletDelivers(t *testing.T) {
	long := string(bytes.Repeat([]byte("0123456789abcdef"), 200)) // over four blocks
	for name, test := range map[string]struct {
		run  func(f *filled)
		want []string
	}{
		"nothing":                       {func(*filled) {}, nil},
		"less than a block, unfinished": {func(f *filled) { f.put("ab"); f.put("cd") }, []string{"abcd"}},
		"many blocks":                   {func(f *filled) { f.put(long) }, []string{long}},
		"the end":                       {func(f *filled) { f.put("ab"); f.End(nil) }, []string{"ab", "end"}},
		"a failure after the records": {func(f *filled) { f.put("ab"); f.End(errors.New("cut off")) },
			[]string{"ab", "partition: producer 3 failed: cut off"}},
		"only the first end counts": {func(f *filled) { f.End(nil); f.End(errors.New("late")) }, []string{"end"}},
		"an event inside a block": {func(f *filled) {
			f.put("ab")
			f.Event(&partition.Event{Kind: partition.LatencyMarker})
			f.put("cd")
		}, []string{"ab", "latency marker", "cd"}},
		"events before the first byte": {func(f *filled) {
			f.Event(&partition.Event{Kind: partition.LatencyMarker})
			f.Event(&partition.Event{Kind: partition.EndOfData})
			f.End(nil)
		}, []string{"latency marker", "end of data", "end"}},
		"lent bytes between others": {func(f *filled) {
			f.put("ab")
			f.lend("cd")
			f.lend("ef")
			f.put("gh")
			f.lend("ij")
			f.put("k")
			f.End(nil)
		}, []string{"abcdefghijk", "end"}},
		"lent bytes and events": {func(f *filled) {
			f.lend("ab")
			f.Event(&partition.Event{Kind: partition.LatencyMarker})
			f.lend("cd")
			f.put("ef")
			f.Event(&partition.Event{Kind: partition.EndOfData})
			f.lend("g")
		}, []string{"ab", "latency marker", "cdef", "end of data", "g"}},
		"a watermark behind what was committed": {func(f *filled) { f.put("ab"); f.Watermark(12, false); f.put("cd") }, []string{"abcd", "watermark"}}, // the newest is true after everything
		"lower watermarks":                      {func(f *filled) { f.Watermark(12, false); f.Watermark(11, false) }, []string{"watermark"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Run("read afterwards", func(t *testing.T) {
				f := newFilled(t)
				test.run(f)
				f.reader()
				got := f.poll()
				if !slices.Equal(got, test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
			})
			t.Run("read at once", func(t *testing.T) {
				f := newFilled(t)
				f.reader()
				f.poll()
				test.run(f)
				got := f.poll()
				if !slices.Equal(got, test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
			})
		})
	}
}

// The room behind an event is not lost: what was promised to a sender was promised for the whole block.
func TestInletEventKeepsRoom(t *testing.T) {
	f := newFilled(t)
	f.reader()
	f.put("ab")
	room := len(f.Room())
	f.Event(&partition.Event{Kind: partition.UserEvent, Data: []byte("xyz")})
	if got := len(f.Room()); got != room {
		t.Errorf("%d bytes are free after an event, %d before", got, room)
	}
	f.poll()
	if len(f.back) > 0 {
		t.Errorf("%v came back while the end of the block is open", f.back)
	}
	if want := []int{192 + 3}; !slices.Equal(f.read, want) {
		t.Errorf("events of %v bytes were read, want %v", f.read, want)
	}
	f.put(string(make([]byte, room)))
	f.poll()
	if want := []int{1 << 10}; !slices.Equal(f.back, want) || f.share.Used() != 0 {
		t.Errorf("%v came back, want %v; %d bytes are held", f.back, want, f.share.Used())
	}
}

func TestInletReaderLeaves(t *testing.T) {
	f := newFilled(t)
	f.reader()
	cause := errors.New("tired")
	f.put(string(make([]byte, 1500)))
	f.view.Release(cause)
	if len(f.left) != 1 || !errors.Is(f.left[0], cause) {
		t.Errorf("left with %v", f.left)
	}
	f.put("more")
	f.Event(&partition.Event{Kind: partition.LatencyMarker})
	f.End(nil)
	if used := f.share.Used(); used != 0 {
		t.Errorf("%d bytes are held after the end", used)
	}
	g := newFilled(t)
	g.reader()
	g.End(nil)
	g.poll()
	g.view.Release(nil)
	if len(g.left) != 0 {
		t.Errorf("a reader that leaves after the end is told: %v", g.left)
	}
}

func TestInletSchema(t *testing.T) {
	f := newFilled(t)
	f.reader()
	if _, ok := f.view.Schema(); ok {
		t.Error("there is a schema before Claim")
	}
	f.Claim(record.Schema{Text: "a"})
	if s, ok := f.view.Schema(); !ok || s.Text != "a" {
		t.Errorf("schema %v, %v", s, ok)
	}
	if f.view.Producer() != 3 || f.view.Channel() != 5 {
		t.Errorf("producer %d, channel %d", f.view.Producer(), f.view.Channel())
	}
}

// A chunk that was retained stays when the view is polled again, also if it was a piece of an open block, and pieces of one block make one.
func TestChunkRetain(t *testing.T) {
	f := newFilled(t)
	f.reader()
	var kept partition.Chunk
	for _, piece := range []string{"ab", "cd", "ef"} {
		f.put(piece)
		v, err := f.inbox.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		c, ok := v.Poll()
		if !ok {
			t.Fatal("nothing to poll")
		}
		c.Retain()
		c.Retain() // once is enough
		if !kept.Join(&c) {
			kept.Release()
			kept = c
		}
	}
	if string(kept.Data) != "abcdef" {
		t.Errorf("kept %q", kept.Data)
	}
	other := partition.Chunk{Data: []byte("x")}
	if kept.Join(&other) || other.Join(&kept) {
		t.Error("chunks of different buffers were joined")
	}
	f.End(nil)
	f.poll()
	if f.share.Used() == 0 || string(kept.Data) != "abcdef" {
		t.Errorf("%d bytes are held, kept %q", f.share.Used(), kept.Data)
	}
	kept.Release()
	if used := f.share.Used(); used != 0 {
		t.Errorf("%d bytes are held", used)
	}
}

func TestInboxPoke(t *testing.T) {
	in := partition.NewInbox()
	in.Poke()
	in.Poke()
	if v, err := in.Next(context.Background()); v != nil || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := in.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("poked twice without being called: Next returned twice, then %v", err)
	}
	done := make(chan error)
	go func() {
		v, err := in.Next(context.Background())
		if v != nil {
			err = errors.New("a view of nothing")
		}
		done <- err
	}()
	in.Poke()
	if err := <-done; err != nil {
		t.Error(err)
	}
	// A channel with something to read comes first, and the poke is not lost.
	f := newFilled(t)
	f.reader()
	f.inbox.Poke()
	for i := range 2 {
		v, err := f.inbox.Next(context.Background())
		if err != nil || (v != nil) != (i == 0) {
			t.Errorf("call %d: %v, %v", i, v, err)
		}
	}
	f.view.Rouse()
	if v, err := f.inbox.Next(context.Background()); v != f.view || err != nil {
		t.Errorf("after Rouse: %v, %v", v, err)
	}
}

// A view that is moved goes on with what is in its queue, and what comes later is told to the new inbox only.
func TestViewMove(t *testing.T) {
	f := newFilled(t)
	f.reader()
	f.put("ab")
	old := f.inbox
	f.inbox = partition.NewInbox()
	f.view.Move(f.inbox)
	if got, want := f.poll(), []string{"ab"}; !slices.Equal(got, want) {
		t.Errorf("after Move: %q, want %q", got, want)
	}
	f.put("cd")
	f.Watermark(7, true)
	if got, want := f.poll(), []string{"cd", "watermark"}; !slices.Equal(got, want) {
		t.Errorf("later: %q, want %q", got, want)
	}
	f.view.Rouse()
	if v, err := old.Try(true); v != nil || err != nil {
		// What was in it before the move is left.
		if v != f.view {
			t.Errorf("the old inbox: %v, %v", v, err)
		}
		if v, err := old.Try(true); v != nil || err != nil {
			t.Errorf("the old inbox, again: %v, %v", v, err)
		}
	}
	f.view.Release(nil)
	third := partition.NewInbox()
	f.view.Move(third)
	if v, err := third.Try(true); v != nil || err != nil {
		t.Errorf("a view that was released: %v, %v", v, err)
	}
}

// Lent bytes count until they are read, their buffer comes back with the last reference, and the room of the open block stays.
func TestInletLend(t *testing.T) {
	f := newFilled(t)
	f.reader()
	f.put("ab")
	free := f.Free()
	f.lend("cde")
	if got, pieces := f.Backlog(); got != 5 || pieces != 2 {
		t.Errorf("%d bytes in %d pieces were not read, want 5 in 2", got, pieces)
	}
	if f.Free() != free || len(f.Room()) != free {
		t.Errorf("%d bytes are free, and room of %d, want %d", f.Free(), len(f.Room()), free)
	}
	if got := f.view.Backlog(); got != 5 {
		t.Errorf("a backlog of %d, want 5", got)
	}
	f.lend("fg") // behind the open block, in which nothing is
	if got, want := f.poll(), []string{"abcdefg"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, pieces := f.Backlog(); got != 0 || pieces != 0 {
		t.Errorf("%d bytes in %d pieces are left", got, pieces)
	}
	if want := []int{1 << 10, 1 << 10}; !slices.Equal(f.back, want) { // the block is open
		t.Errorf("%v came back, want %v", f.back, want)
	}
	f.lend("hi")
	f.view.Release(errors.New("tired"))
	f.lend("jk") // for nobody
	f.put("lm")
	f.End(nil)
	if used := f.share.Used(); used != 0 {
		t.Errorf("%d bytes are held after the end", used)
	}
	g := newFilled(t)
	g.lend("ab")
	g.put("c")
	g.End(nil)
	g.Discard()
	if used := g.share.Used(); used != 0 {
		t.Errorf("%d bytes are held after Discard", used)
	}
}

// Bytes that are lent are told with Flush, not before.
func TestInletLendTells(t *testing.T) {
	f := newFilled(t)
	f.reader()
	f.poll()
	b, ok := f.stock.TryAcquire(7, 1<<10)
	if !ok {
		t.Fatal("no memory")
	}
	f.Lend(b, 0, 10)
	b.Release()
	if v, err := f.inbox.Try(true); v != nil || err != nil {
		t.Errorf("told before Flush: %v", err)
	}
	f.Flush()
	if v, err := f.inbox.Try(true); v != f.view || err != nil {
		t.Errorf("not told: %v", err)
	}
	f.Flush()
	if v, err := f.inbox.Try(true); v != nil || err != nil {
		t.Errorf("told twice: %v", err)
	}
}
