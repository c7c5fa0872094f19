package exchange_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rwgen/rwgen/runtime/eventtime"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/writer"
)

// TestConservationLaws runs one task with several output edges, whose exchanges come and go in one memory, and the readers of these, in random order from
// one goroutine. After each step:
//
//   - every record that a call said was accepted, and no other, is read on its channel, once, in order, by a reader that stays
//   - nothing was accepted of a record for which TryEmit named a full channel, or Emit ended with its context; of a batch the first n were
//   - a record or an event for all channels is in all of them or in none, and an event is told at its place among the records
//   - a watermark is told after all records and events that were written before it, and is higher than the last
//   - blocks held ≤ limit, and sizes of all shares + room for large records ≤ limit
//   - a channel's backlog is never negative, and never less than what was not read of its own records
//
// A watermark that was flushed is known to all readers that stay when they have read what there is and the time between two looks has passed.
//
// And whenever the readers have read what they can after a writer was refused: they have everything that was written on every edge of the task, and the writer can
// go on on every channel, by the channel that it was given to wait for as well.
func TestConservationLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rapid.SyncTest(t, func(t *rapid.T) { newLaws(t).run() })
	})
}

type laws struct {
	t      *rapid.T
	memory *memory.Pool
	edges  []*lawEdge
}

// lawEdge is an exchange with one writer, of the task under test, and its readers.
type lawEdge struct {
	x        *exchange.Exchange
	reserve  int64
	writer   *writer.Writer[note]
	seq      uint64 // of the next record
	channels []*lawChannel
	linked   bool // with the others that are
	closed   bool // the writer
	drained  bool // it has said that its data has ended
	canceled bool
	said     int64 // the last watermark
}

type lawChannel struct {
	reader *gate.Reader[note]
	due    []note        // accepted and not read; events have the channel eventChannel
	own    []bool        // of those: not for all channels
	bytes  int64         // of the frames of its own
	read   int           // of what was ever due
	behind map[int64]int // by watermark: what was due when it was written
	told   int64         // the last watermark
	ended  bool          // the handler was told of the end of data
	left   bool
}

// eventChannel marks an event among what is due.
const eventChannel = 1 << 20

// impatient is a context that is done as soon as somebody would wait on it.
type impatient struct {
	context.Context
	asked bool
	done  chan struct{}
}

func newImpatient() *impatient {
	c := &impatient{Context: context.Background(), done: make(chan struct{})}
	close(c.done)
	return c
}

func (c *impatient) Done() <-chan struct{} { c.asked = true; return c.done }

func (c *impatient) Err() error {
	if c.asked {
		return context.Canceled
	}
	return nil
}

func newLaws(t *rapid.T) *laws {
	// Room for two or three of the least exchanges.
	m, err := memory.NewPool(rapid.Int64Range(16, 40).Draw(t, "memory") << 10)
	if err != nil {
		t.Fatal(err)
	}
	l := &laws{t: t, memory: m}
	l.open(t)
	l.open(t)
	if rapid.Bool().Draw(t, "linked") {
		// A task links its writers; what an edge that is opened later does not take part in must hold without.
		var members []writer.Member
		for _, e := range l.edges {
			e.linked = true
			members = append(members, e.writer)
		}
		if _, err := writer.NewDelegate(members...); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func (l *laws) run() {
	steps := map[string]func(*rapid.T){
		"":          l.check,
		"emit":      l.emit,
		"try":       l.try,
		"try more":  l.try,
		"batch":     l.batch,
		"broadcast": l.broadcast,
		"flush": func(t *rapid.T) {
			e := l.edge(t)
			l.expect(e, -1, e.writer.Flush())
		},
		"read":      l.read,
		"read more": l.read,
		"settle":    l.settle,
		"watermark": l.watermark,
		"idle":      l.idle,
		"event":     l.event,
		"mark": func(t *rapid.T) {
			e := l.edge(t)
			l.expect(e, -1, e.writer.Mark())
		},
		"learn":   l.learn,
		"drained": l.endOfData,
		"open":    l.open,
		"close":   l.close,
		"leave":   l.leave,
		"cancel":  l.cancel,
		"sleep": func(t *rapid.T) {
			time.Sleep(time.Duration(rapid.IntRange(1, 5000).Draw(t, "µs")) * time.Microsecond)
		},
	}
	for range 6 { // Repeat makes some 30 steps
		l.t.Repeat(steps)
	}
	l.end()
}

func (l *laws) edge(t *rapid.T) *lawEdge {
	if len(l.edges) == 0 {
		t.Skip("no edges")
	}
	return l.edges[rapid.IntRange(0, len(l.edges)-1).Draw(t, "edge")]
}

func (e *lawEdge) channel(t *rapid.T) int {
	return rapid.IntRange(0, len(e.channels)-1).Draw(t, "channel")
}

// open makes another edge if there is memory for it.
func (l *laws) open(t *rapid.T) {
	consumers := rapid.IntRange(1, 3).Draw(t, "consumers")
	c := exchange.Config{
		Producers: 1, Consumers: consumers, Memory: l.memory,
		GuaranteedBytes: int64(consumers+1) * memory.MinBlock * rapid.SampledFrom([]int64{1, 1, 2}).Draw(t, "guarantees"),
		LargeBytes:      rapid.Int64Range(1, 2).Draw(t, "large") << 10,
		ChannelBytes:    rapid.SampledFrom([]int64{0, 3 << 10}).Draw(t, "channel bytes"),
	}
	x, err := exchange.New(c)
	if errors.Is(err, memory.ErrInsufficient) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	policy := policies[rapid.IntRange(0, len(policies)-1).Draw(t, "policy")]
	e := &lawEdge{x: x, reserve: c.LargeBytes, said: eventtime.None}
	if e.writer, err = writer.New(x.Partition(0), noteSerializer{}, byNoteChannel(), policy.opt); err != nil {
		t.Fatal(err)
	}
	for j := range consumers {
		c := &lawChannel{behind: map[int64]int{}, told: eventtime.None}
		c.reader, err = gate.NewReader(x.Gate(j), noteSerializer{},
			gate.OnEvent(pairSerializer{}, func(_ gate.Origin, v *pair) error {
				if len(c.due) == 0 || c.due[0].Channel != eventChannel || c.due[0].Seq != v.ID {
					l.t.Fatalf("channel %d: event %d comes when %d are due: %v", j, v.ID, len(c.due), c.due[:min(1, len(c.due))])
				}
				c.pop()
				return nil
			}),
			gate.OnWatermark(func(w time.Time) { l.learned(e, j, eventtime.Micros(w)) }),
			gate.OnEndOfData(func(gate.EndOfData) {
				if c.ended = true; len(c.due) > 0 || !e.drained {
					l.t.Fatalf("channel %d: the data has ended, it is said; %d records are due; it was written: %v", j, len(c.due), e.drained)
				}
			}))
		if err != nil {
			t.Fatal(err)
		}
		e.channels = append(e.channels, c)
	}
	l.edges = append(l.edges, e)
}

// next returns a new record.
func (e *lawEdge) next(t *rapid.T) note {
	size := rapid.SampledFrom([]int{0, 10, 100, 200, 230, 236, 400, 900}).Draw(t, "size")
	n := newNote(0, e.channel(t), e.seq, size)
	e.seq++
	return n
}

// accept notes that a record will be read on a channel; own: and on no other.
func (e *lawEdge) accept(channel int, n note, own bool) {
	c := e.channels[channel]
	if c.left {
		return // it may have been accepted or not
	}
	c.due, c.own = append(c.due, n), append(c.own, own)
	if own {
		c.bytes += frameSize(&n)
	}
}

func frameSize(n *note) int64 { return 4 + int64(noteSerializer{}.Size(n)) }

// expect checks that an error has a reason; channel −1 stands for all.
func (l *laws) expect(e *lawEdge, channel int, err error) {
	gone := false
	for j, c := range e.channels {
		gone = gone || c.left && (j == channel || channel < 0)
	}
	switch {
	case err == nil, errors.Is(err, context.Canceled):
	case errors.Is(err, partition.ErrCanceled) && e.canceled, errors.Is(err, writer.ErrClosed) && (e.closed || e.drained), errors.Is(err, writer.ErrConsumerGone) && gone:
	default:
		l.t.Fatalf("channel %d; closed: %v, canceled: %v, readers left: %v: %v", channel, e.closed, e.canceled, gone, err)
	}
	if err == nil && e.closed {
		l.t.Fatal("a closed writer works")
	}
}

func (l *laws) emit(t *rapid.T) {
	e := l.edge(t)
	for range rapid.IntRange(1, 10).Draw(t, "records") {
		n := e.next(t)
		err := e.writer.Emit(newImpatient(), &n)
		l.expect(e, int(n.Channel), err)
		if err != nil {
			return
		}
		e.accept(int(n.Channel), n, true)
	}
}

func (l *laws) try(t *rapid.T) {
	e := l.edge(t)
	for range rapid.IntRange(1, 10).Draw(t, "records") {
		n := e.next(t)
		available := e.writer.Available(int(n.Channel))
		full, err := e.writer.TryEmit(&n)
		l.expect(e, int(n.Channel), err)
		if err != nil || full >= 0 {
			if err == nil && full != int(n.Channel) {
				t.Fatalf("channel %d is said to be full, the record is for %d", full, n.Channel)
			}
			if err == nil && available && frameSize(&n) <= memory.MinBlock/4 {
				t.Fatalf("channel %d was available, and had no room for a small record", n.Channel)
			}
			return
		}
		e.accept(int(n.Channel), n, true)
	}
}

func (l *laws) batch(t *rapid.T) {
	e := l.edge(t)
	var batch []note
	for range rapid.IntRange(1, 12).Draw(t, "records") {
		batch = append(batch, e.next(t))
	}
	n, err := e.writer.EmitBatch(newImpatient(), batch)
	if n == len(batch) && err != nil && !errors.Is(err, writer.ErrConsumerGone) && !errors.Is(err, partition.ErrCanceled) {
		t.Fatalf("all %d records were accepted: %v", n, err)
	}
	if n < len(batch) && err == nil {
		t.Fatalf("%d of %d records were accepted, and there is no error", n, len(batch))
	}
	l.expect(e, -1, err)
	for _, v := range batch[:n] {
		e.accept(int(v.Channel), v, true)
	}
}

func (l *laws) broadcast(t *rapid.T) {
	e := l.edge(t)
	n := e.next(t)
	err := e.writer.Broadcast(newImpatient(), &n)
	l.expect(e, -1, err)
	if err == nil || errors.Is(err, writer.ErrConsumerGone) {
		for j := range e.channels {
			e.accept(j, n, false)
		}
	}
}

// read reads some records of a channel.
func (l *laws) read(t *rapid.T) {
	e := l.edge(t)
	j := e.channel(t)
	for range rapid.IntRange(1, 20).Draw(t, "records") {
		if !l.next(e, j) {
			break
		}
	}
}

// next reads a record, if there is one, and checks that it is the one that is due.
func (l *laws) next(e *lawEdge, channel int) bool {
	c := e.channels[channel]
	if c.left {
		return false
	}
	done, cancel := context.WithCancel(context.Background())
	cancel() // consulted when about to wait
	var n note
	ok, err := c.reader.Next(done, &n)
	switch {
	case errors.Is(err, context.Canceled):
		return false
	case err != nil:
		if !e.canceled {
			l.t.Fatal(err)
		}
		return false
	case !ok:
		if !e.closed || len(c.due) > 0 {
			l.t.Fatalf("channel %d has ended; its writer is closed: %v; %d records are missing", channel, e.closed, len(c.due))
		}
		return false
	case len(c.due) == 0:
		l.t.Fatalf("channel %d: record %d comes from nowhere", channel, n.Seq)
	}
	want := c.due[0]
	if n.Seq != want.Seq || n.Channel != want.Channel || len(n.Data) != len(want.Data) || !n.valid() {
		l.t.Fatalf("channel %d: record %d of %d bytes, want %d of %d", channel, n.Seq, len(n.Data), want.Seq, len(want.Data))
	}
	if c.own[0] {
		c.bytes -= frameSize(&want)
	}
	c.pop()
	return true
}

// pop takes what was due and has come.
func (c *lawChannel) pop() {
	c.due, c.own = c.due[1:], c.own[1:]
	c.read++
}

// watermark writes one, mostly a higher one.
func (l *laws) watermark(t *rapid.T) {
	e := l.edge(t)
	w := max(e.said, 0) + rapid.Int64Range(-1, 5).Draw(t, "higher")
	err := e.writer.Watermark(eventtime.Time(w))
	l.expect(e, -1, err)
	if err == nil && w > e.said {
		e.said = w
		for _, c := range e.channels {
			c.behind[w] = c.read + len(c.due)
		}
	}
}

// learned checks a watermark that a reader is told.
func (l *laws) learned(e *lawEdge, channel int, w int64) {
	c := e.channels[channel]
	if w <= c.told {
		l.t.Fatalf("channel %d: watermark %d follows %d", channel, w, c.told)
	}
	c.told = w
	if w == eventtime.End {
		if !e.closed || len(c.due) > 0 {
			l.t.Fatalf("channel %d: the end of time; %d records are due", channel, len(c.due))
		}
		return
	}
	if before, ok := c.behind[w]; !ok || c.read < before {
		l.t.Fatalf("channel %d: watermark %d after %d records and events; it was written after %d (%v)", channel, w, c.read, before, ok)
	}
}

// idle says that the writer is idle, or not.
func (l *laws) idle(t *rapid.T) {
	e := l.edge(t)
	l.expect(e, -1, e.writer.Idle(rapid.Bool().Draw(t, "idle")))
}

// event sends an event to all channels.
func (l *laws) event(t *rapid.T) {
	e := l.edge(t)
	e.seq++
	err := writer.SendEvent(e.writer, pairSerializer{}, &pair{ID: e.seq})
	l.expect(e, -1, err)
	if err == nil || errors.Is(err, writer.ErrConsumerGone) {
		for j := range e.channels {
			e.accept(j, note{Channel: eventChannel, Seq: e.seq}, false)
		}
	}
}

// endOfData ends the data of an edge.
func (l *laws) endOfData(t *rapid.T) {
	if !rarely(t) {
		t.Skip("goes on")
	}
	e := l.edge(t)
	err := e.writer.EndOfData(true)
	l.expect(e, -1, err)
	e.drained = e.drained || err == nil || errors.Is(err, writer.ErrConsumerGone)
}

// learn flushes, and lets the readers learn of the last watermark.
func (l *laws) learn(t *rapid.T) {
	e := l.edge(t)
	if e.closed || e.canceled {
		t.Skip("not running")
	}
	l.expect(e, -1, e.writer.Flush())
	for range 2 { // the first look may come at once, the next after 100 ms
		l.drain()
		time.Sleep(100 * time.Millisecond)
	}
	l.drain()
	for j, c := range e.channels {
		if !c.left && (c.told != e.said || len(c.due) > 0) {
			t.Fatalf("channel %d knows of the watermark %d, the last is %d; %d records and events are due", j, c.told, e.said, len(c.due))
		}
	}
}

// drain reads until nobody has anything to do. A hot lane is looked at every few milliseconds.
func (l *laws) drain() {
	for range 3 {
		for _, e := range l.edges {
			for j := range e.channels {
				for l.next(e, j) {
				}
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (e *lawEdge) running() bool {
	for _, c := range e.channels {
		if c.left {
			return false
		}
	}
	return !e.closed && !e.drained && !e.canceled
}

// settle writes to one channel of an edge until there is no room, and lets the readers read.
func (l *laws) settle(t *rapid.T) {
	e := l.edge(t)
	if !e.running() {
		t.Skip("not running")
	}
	j := e.channel(t)
	size := rapid.SampledFrom([]int{10, 236, 900}).Draw(t, "size")
	for {
		n := newNote(0, j, e.seq, size)
		e.seq++
		full, err := e.writer.TryEmit(&n)
		if err != nil {
			t.Fatal(err)
		}
		if full >= 0 {
			break
		}
		e.accept(j, n, true)
	}
	one := e.writer.Ready(j)
	l.drain()
	for _, other := range l.edges {
		if other != e && !(e.linked && other.linked && other.running()) {
			continue
		}
		for k, c := range other.channels {
			if len(c.due) > 0 {
				t.Fatalf("channel %d is full, and %d records of channel %d cannot be read (same edge: %v)", j, len(c.due), k, other == e)
			}
		}
	}
	select {
	case <-one:
	default:
		t.Fatalf("everything was read, and the writer was not told that channel %d has room", j)
	}
	if !e.writer.Available(-1) {
		t.Fatal("everything was read, and the writer is not available")
	}
	for k := range e.channels {
		n := newNote(0, k, e.seq, size)
		e.seq++
		if full, err := e.writer.TryEmit(&n); full >= 0 || err != nil {
			t.Fatalf("everything was read, and there is no room in channel %d: %v", full, err)
		}
		e.accept(k, n, true)
		l.drain() // a large record takes all the room there is
	}
}

// rarely is true now and then: small numbers are drawn more often than others.
func rarely(t *rapid.T) bool { return rapid.IntRange(0, 9).Draw(t, "rarely") == 7 }

func (l *laws) close(t *rapid.T) {
	if !rarely(t) {
		t.Skip("goes on")
	}
	l.finish(l.edge(t))
}

// finish closes the writer of an edge, reads what there is, and closes all of it.
func (l *laws) finish(e *lawEdge) {
	left, dropped := false, false
	for _, c := range e.channels {
		left, dropped = left || c.left, dropped || c.left && len(c.due) > 0
	}
	err := e.writer.Close()
	e.closed = true
	gone := errors.Is(err, writer.ErrConsumerGone)
	if dropped && !gone || gone && !left || errors.Is(err, partition.ErrCanceled) != e.canceled {
		l.t.Fatalf("readers left: %v, records dropped: %v, canceled: %v; Close returned %v", left, dropped, e.canceled, err)
	}
	for j, c := range e.channels {
		for l.next(e, j) {
		}
		if !c.left && !e.canceled && (len(c.due) > 0 || c.told != eventtime.End || c.ended != e.drained) {
			l.t.Fatalf("the writer is closed, %d records of channel %d were not read, its watermark is %d, and the end of data was told: %v, written: %v", len(c.due), j, c.told, c.ended, e.drained)
		}
		_ = c.reader.Close()
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.x.Close(done); err != nil {
		l.t.Fatal(err)
	}
	for i := range l.edges {
		if l.edges[i] == e {
			l.edges = append(l.edges[:i:i], l.edges[i+1:]...)
			break
		}
	}
}

func (l *laws) leave(t *rapid.T) {
	if !rarely(t) {
		t.Skip("stays")
	}
	e := l.edge(t)
	c := e.channels[e.channel(t)]
	_ = c.reader.Close()
	c.left = true
}

func (l *laws) cancel(t *rapid.T) {
	if !rarely(t) {
		t.Skip("goes on")
	}
	e := l.edge(t)
	e.x.Cancel(errTest)
	e.canceled = true
}

// check looks at everything that can be counted.
func (l *laws) check(t *rapid.T) {
	m := l.memory.Stats()
	var held, shares, reserved int64
	for i, e := range l.edges {
		s := e.x.Stats().Pool
		held, shares, reserved = held+s.Held, shares+s.Share, reserved+e.reserve
		if s.Large > e.reserve {
			t.Fatalf("edge %d: %d bytes of large records, the room is %d", i, s.Large, e.reserve)
		}
		for j, c := range e.channels {
			backlog := e.writer.Core().Backlog(j)
			if backlog < 0 || !c.left && !e.canceled && backlog < c.bytes {
				t.Fatalf("edge %d, channel %d: a backlog of %d bytes, %d bytes are not read", i, j, backlog, c.bytes)
			}
		}
	}
	if m.Used != held || m.Used+reserved > m.Limit || shares+reserved > m.Limit {
		t.Fatalf("%d bytes of blocks are held, the memory says %d; shares of %d bytes, %d reserved, the limit is %d", held, m.Used, shares, reserved, m.Limit)
	}
}

func (l *laws) end() {
	for len(l.edges) > 0 {
		l.finish(l.edges[0])
	}
	l.check(l.t)
	if err := l.memory.Close(); err != nil {
		l.t.Fatal(err)
	}
}
