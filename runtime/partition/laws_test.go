package partition_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/selector"
)

// TestConservationLaws runs random schedules of writers, readers and failures from one goroutine, and checks after each step that nothing is lost, nothing
// is there twice, and nothing comes from nowhere:
//
//   - per channel: bytes written = bytes read + bytes queued + bytes dropped, and none of them is negative
//   - per lane, partition and pool: bytes held = the blocks and large records that somebody has, each counted once, but one that lanes share in each of them
//   - free + held or guaranteed = limit, for blocks and for the area (probed by taking all that is free), while other shares come and go
//   - the sizes of all shares together stay within the limit
//   - FLINK-20547: what is available can be had
//   - records are read in the order in which they were written, whole, and unchanged
//   - after a flush, or when a writer was refused memory, readers that go on reading get everything, whatever the policy; then there is memory for the
//     writer, and it has been told
//
// At the end all records are read by the readers that stayed, and all memory has come back; a block that was given back twice would have panicked.
func TestConservationLaws(t *testing.T) {
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				rapid.SyncTest(t, func(t *rapid.T) { newLaws(t, policy).run() })
			})
		})
	}
}

// laws is a model of some partitions with one memory, driven step by step.
type laws struct {
	t         *rapid.T
	policy    partition.FlushPolicy
	memory    *memory.Pool
	area      *buffer.Area
	inbox     *partition.Inbox
	broadcast bool
	writers   []*lawWriter
	channels  []*lawChannel // of all writers
	rivals    []*rival
}

// rival is another user of the memory.
type rival struct {
	share    *memory.Share
	segments []memory.Segment
	closed   bool
}

type lawWriter struct {
	part     *partition.Partition
	pool     *buffer.LocalPool
	producer *producer
	written  []uint64        // bytes of frames accepted, by lane
	ready    <-chan struct{} // what was asked for when there was no memory, whatever was tried since on other lanes
	canceled bool
	closed   bool
	result   error // of Finish or Fail
	channels []*lawChannel
}

type lawChannel struct {
	writer *lawWriter
	index  int // of the channel
	lane   int
	sub    *partition.Subpartition
	view   *partition.View  // nil: none yet
	held   *partition.Chunk // not released yet
	number uint32           // of the next record
	read   uint64           // bytes
	ended  bool             // the end was read
	left   bool             // before the end
}

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

func newLaws(t *rapid.T, policy partition.FlushPolicy) *laws {
	l := &laws{t: t, policy: policy, inbox: partition.NewInbox(), broadcast: rapid.IntRange(0, 3).Draw(t, "broadcast") == 3}
	channels := rapid.IntRange(1, 3).Draw(t, "channels")
	writers := rapid.IntRange(1, 2).Draw(t, "writers")
	share := int64(channels+1) * memory.MinBlock * int64(rapid.SampledFrom([]int{1, 1, 3, 16}).Draw(t, "shares of the least"))
	extra := rapid.SampledFrom([]int64{0, 1 << 10, 5 << 10, 40 << 10}).Draw(t, "guaranteed to nobody")
	channelBytes := rapid.SampledFrom([]int64{0, 2 << 10, 5000}).Draw(t, "channel bytes")
	var err error
	if l.memory, err = memory.NewPool(share*int64(writers) + extra); err != nil {
		t.Fatal(err)
	}
	l.area = buffer.NewArea(2*rapid.Int64Range(150, 4<<10).Draw(t, "half of the area") + 1)
	kind, lanes := selector.KindKeyed, channels
	if l.broadcast {
		kind, lanes = selector.KindBroadcast, 1
	}
	for i := range writers {
		w := &lawWriter{written: make([]uint64, lanes)}
		if w.pool, err = buffer.NewLocalPool(l.memory, buffer.Config{
			Bytes: share, MaxBytes: share + extra/2, Channels: channels, ChannelBytes: channelBytes, Area: l.area,
		}); err != nil {
			t.Fatal(err)
		}
		if w.part, err = partition.New(partition.Config{
			Topology: selector.Topology{Producers: writers, Consumers: channels, Producer: i}, Pool: w.pool,
		}); err != nil {
			t.Fatal(err)
		}
		w.producer = &producer{part: w.part, block: memory.MinBlock, numbers: make([]uint32, lanes)}
		if w.producer.builders, err = w.part.Claim(partition.Claim{Selection: kind, Flush: policy}); err != nil {
			t.Fatal(err)
		}
		for j := range channels {
			c := &lawChannel{writer: w, index: j, lane: min(j, lanes-1), sub: w.part.Subpartition(j)}
			w.channels, l.channels = append(w.channels, c), append(l.channels, c)
		}
		l.writers = append(l.writers, w)
	}
	for _, c := range l.channels {
		if rapid.IntRange(0, 2).Draw(t, "joins") < 2 {
			l.view(c)
		}
	}
	return l
}

func (l *laws) run() {
	steps := map[string]func(*rapid.T){
		"":           l.check,
		"write":      l.write,
		"write more": l.write,
		"acquire":    l.acquire,
		"try":        l.try,
		"batch":      l.batch,
		"everywhere": l.everywhere,
		"rival":      l.rival,
		"flush":      l.flush,
		"pace": func(t *rapid.T) {
			l.writer(t).part.Pace(rapid.Bool().Draw(t, "fast"))
		},
		"sleep": func(t *rapid.T) {
			time.Sleep(time.Duration(rapid.IntRange(1, 12000).Draw(t, "µs")) * time.Microsecond)
		},
		"join":      l.join,
		"read":      l.read,
		"read more": l.read,
		"poll":      l.poll,
		"release":   l.release,
		"leave":     l.leave,
		"cancel":    l.cancel,
		"close":     l.close,
		"settle":    l.settle,
		"probe":     func(*rapid.T) { l.probe() },
	}
	for range 8 { // Repeat makes some 30 steps, which is not long enough for blocks to fill and to come back
		l.t.Repeat(steps)
	}
	l.end()
}

func (l *laws) writer(t *rapid.T) *lawWriter {
	return l.writers[rapid.IntRange(0, len(l.writers)-1).Draw(t, "writer")]
}

func (l *laws) channel(t *rapid.T) *lawChannel {
	return l.channels[rapid.IntRange(0, len(l.channels)-1).Draw(t, "channel")]
}

// write writes records until one would wait.
func (l *laws) write(t *rapid.T) {
	w := l.writer(t)
	lane := rapid.IntRange(0, len(w.written)-1).Draw(t, "lane")
	most := int(l.area.Bytes()) - buffer.FrameHeader
	size := min(most, rapid.SampledFrom([]int{4, 12, 60, 252, 253, 600, 1021, 3000, most}).Draw(t, "size"))
	for range rapid.IntRange(1, 20).Draw(t, "records") {
		err := l.emit(w, lane, size)
		l.expect(t, w, lane, err)
		if err != nil {
			break
		}
	}
}

// emit writes a record. Its error is context.Canceled if it would wait.
func (l *laws) emit(w *lawWriter, lane, size int) error {
	accepted, err := w.producer.emit(newImpatient(), lane, size)
	if accepted {
		w.written[lane] += uint64(buffer.FrameHeader + size)
	}
	return err
}

// expect checks that an error of a lane has a reason.
func (l *laws) expect(t *rapid.T, w *lawWriter, lane int, err error) {
	gone := false
	for _, c := range w.channels {
		gone = gone || c.left && c.lane == lane
	}
	switch {
	case err == nil && (w.closed || w.canceled):
		// One more record may go into a block that was open, before the writer notices; never into a closed one.
		if w.closed {
			t.Fatal("a closed writer accepts records")
		}
	case err == nil, errors.Is(err, context.Canceled):
	case errors.Is(err, partition.ErrCanceled):
		if !w.canceled {
			t.Fatalf("not canceled: %v", err)
		}
	case errors.Is(err, partition.ErrClosed):
		if !w.closed {
			t.Fatalf("not closed: %v", err)
		}
	case errors.Is(err, partition.ErrConsumerGone):
		if !gone {
			t.Fatalf("nobody left: %v", err)
		}
	default:
		t.Fatal(err)
	}
}

// acquire hands over a block that may be empty.
func (l *laws) acquire(t *rapid.T) {
	w := l.writer(t)
	lane := rapid.IntRange(0, len(w.written)-1).Draw(t, "lane")
	l.expect(t, w, lane, w.part.Acquire(newImpatient(), lane, memory.MinBlock))
}

// try opens a block or sends a large record if that needs no waiting.
func (l *laws) try(t *rapid.T) {
	w := l.writer(t)
	lane := rapid.IntRange(0, len(w.written)-1).Draw(t, "lane")
	available, all := w.part.Available(lane), w.part.Available(-1)
	w.ready = nil
	if rapid.IntRange(0, 3).Draw(t, "large") == 3 {
		n := 2 * rapid.IntRange(4, int(l.area.Bytes())/2).Draw(t, "half of the size")
		n |= 1
		buf, err := w.part.TryLarge(lane, n)
		l.expect(t, w, lane, err)
		if err != nil {
			return
		}
		if buf == nil {
			w.ready = w.part.Ready(lane)
			return
		}
		binary.BigEndian.PutUint32(buf.Bytes(), uint32(n-buffer.FrameHeader))
		w.producer.fill(buf.Bytes()[buffer.FrameHeader:], lane)
		if err := w.part.Append(lane, buf, n); err != nil {
			t.Fatal(err)
		}
		w.written[lane] += uint64(n)
		return
	}
	size := memory.MinBlock
	for size < w.part.Sizes().Block && rapid.Bool().Draw(t, "larger") {
		size *= 2
	}
	ok, err := w.part.TryAcquire(lane, size)
	l.expect(t, w, lane, err)
	if err != nil || ok {
		return
	}
	if available || all {
		t.Fatalf("lane %d is available (%v; all: %v), and there is no block", lane, available, all)
	}
	w.ready = w.part.Ready(lane)
}

// batch writes records that are published together.
func (l *laws) batch(t *rapid.T) {
	w := l.writer(t)
	touched := make(map[int]bool)
	for range rapid.IntRange(1, 20).Draw(t, "records") {
		lane := rapid.IntRange(0, len(w.written)-1).Draw(t, "lane")
		b := &w.producer.builders[lane]
		const size = 30
		if b.Free() < buffer.FrameHeader+size {
			if err := l.emit(w, lane, size); err != nil {
				l.expect(t, w, lane, err)
				break
			}
			continue
		}
		dst, _ := b.Tail()
		w.producer.fill(dst[:size], lane)
		// Of a hot lane nobody has to be told.
		if b.Append(size) {
			if touched[lane] {
				t.Fatalf("lane %d was touched twice in a batch", lane)
			}
			touched[lane] = true
		}
		w.written[lane] += buffer.FrameHeader + size
	}
	for lane := range w.written {
		if b := &w.producer.builders[lane]; !touched[lane] || b.Publish() || b.Confirm() {
			continue
		}
		l.expect(t, w, lane, w.part.Announce(lane))
	}
}

// everywhere sends one record to all lanes that share it.
func (l *laws) everywhere(t *rapid.T) {
	w := l.writer(t)
	lane := rapid.IntRange(0, len(w.written)-1).Draw(t, "charged lane")
	n := int(l.area.Bytes()) / 2
	if isBlock(int64(n)) {
		n--
	}
	buf, err := w.part.Large(newImpatient(), lane, n)
	if err != nil {
		l.expect(t, w, lane, err)
		return
	}
	binary.BigEndian.PutUint32(buf.Bytes(), uint32(n-buffer.FrameHeader))
	binary.BigEndian.PutUint32(buf.Bytes()[buffer.FrameHeader:], unnumbered)
	for i := 4; i < n-buffer.FrameHeader; i++ {
		buf.Bytes()[buffer.FrameHeader+i] = unnumberedByte + byte(i)
	}
	err = w.part.AppendAll(buf, n)
	gone := false
	for lane := range w.written {
		left := false
		for _, c := range w.channels {
			left = left || c.left && c.lane == lane
		}
		if gone = gone || left; !left {
			w.written[lane] += uint64(n)
		}
	}
	if gone != errors.Is(err, partition.ErrConsumerGone) {
		t.Fatalf("readers left: %v; AppendAll returned %v", gone, err)
	}
}

// unnumbered stands for the number of a record that is the same on all lanes.
const (
	unnumbered     = 1<<32 - 1
	unnumberedByte = 255
)

// rival lets another share come, take something, give something back, or go.
func (l *laws) rival(t *rapid.T) {
	i := rapid.IntRange(0, len(l.rivals)).Draw(t, "rival")
	if i == len(l.rivals) {
		least := rapid.Int64Range(0, 8).Draw(t, "guarantee") << 10
		share, err := l.memory.NewShare(least, least+rapid.Int64Range(0, 16).Draw(t, "and more")<<10, nil)
		if err == nil {
			l.rivals = append(l.rivals, &rival{share: share})
		} else if !errors.Is(err, memory.ErrInsufficient) {
			t.Fatal(err)
		}
		return
	}
	r := l.rivals[i]
	switch rapid.IntRange(0, 3).Draw(t, "takes, gives, or goes") {
	case 0, 1:
		within := !r.closed && r.share.Used()+memory.MinBlock <= r.share.Min()
		seg, ok := r.share.Acquire(memory.MinBlock)
		switch {
		case ok && r.closed:
			t.Fatal("a closed share gives memory")
		case ok:
			r.segments = append(r.segments, seg)
		case within:
			t.Fatalf("a share that uses %d of %d guaranteed bytes gives none", r.share.Used(), r.share.Min())
		}
	case 2:
		if n := len(r.segments); n > 0 {
			r.share.Release(r.segments[n-1])
			r.segments = r.segments[:n-1]
		}
	default:
		r.share.Close()
		r.closed = true
	}
}

func (l *laws) flush(t *rapid.T) {
	w := l.writer(t)
	err := w.part.Flush()
	for _, c := range w.channels {
		if c.left != errors.Is(err, partition.ErrConsumerGone) && !w.canceled && !w.closed && c.left {
			t.Fatalf("the reader of channel %d left, and Flush returns %v", c.index, err)
		}
	}
}

// settle reads until there is nothing more to do, after a flush or a refusal. Then there must be nothing left.
func (l *laws) settle(t *rapid.T) {
	w := l.writer(t)
	how := rapid.SampledFrom([]string{"flush", "refusal", "policy"}).Draw(t, "after a")
	switch how {
	case "flush":
		if w.part.Flush() != nil {
			t.Skip("not running")
		}
	case "refusal":
		// Something in each lane, then as much in one of them as there is room for.
		for lane := range w.written {
			if l.emit(w, lane, 4) != nil {
				t.Skip("not running, or full")
			}
		}
		lane := rapid.IntRange(0, len(w.written)-1).Draw(t, "lane")
		var err error
		for err == nil {
			err = l.emit(w, lane, 60)
		}
		if !errors.Is(err, context.Canceled) {
			t.Skip("not running")
		}
	default:
		if l.policy == partition.OnFull() || w.canceled {
			t.Skip("shows nothing by itself")
		}
	}
	l.drain()
	for _, c := range w.channels {
		if n := c.sub.Queued(func(*buffer.Buffer) {}); c.view != nil && !c.left && n > 0 {
			t.Fatalf("after a %s %d bytes of channel %d are not read, and nobody will look", how, n, c.index)
		}
	}
	l.progress(t, w)
}

// progress checks that a writer whose readers have read everything is told, and can go on.
func (l *laws) progress(t *rapid.T, w *lawWriter) {
	for _, c := range w.channels {
		if c.view == nil || c.left || c.ended || w.closed || w.canceled {
			return
		}
	}
	for _, c := range l.channels { // all of them: the area is shared
		l.drop(c)
		if c.sub.Queued(func(*buffer.Buffer) {}) > 0 {
			return
		}
	}
	if w.ready != nil {
		select {
		case <-w.ready:
		default:
			t.Fatal("everything was read, and a writer that asked was not told")
		}
	}
	w.ready = nil
	for lane := range w.written {
		if !w.part.Available(lane) {
			t.Fatalf("everything was read, and lane %d is not available", lane)
		}
		if ok, err := w.part.TryAcquire(lane, w.part.Sizes().Block); !ok || err != nil {
			t.Fatalf("everything was read, and there is no block for lane %d: %v, %v", lane, ok, err)
		}
		l.drain()
	}
}

// drain reads until there is nothing more to do. A hot lane is looked at every few milliseconds.
func (l *laws) drain() {
	for range 4 {
		for l.next(false) {
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (l *laws) join(t *rapid.T) {
	c := l.channel(t)
	if c.view != nil {
		t.Skip("has a reader")
	}
	l.view(c)
}

func (l *laws) view(c *lawChannel) {
	v, err := c.sub.View(l.inbox)
	if err != nil {
		l.t.Fatal(err)
	}
	for v.Index = 0; l.channels[v.Index] != c; {
		v.Index++
	}
	c.view = v
}

// read takes turns until there is nothing to do, or a chunk stays held.
func (l *laws) read(t *rapid.T) {
	for range rapid.IntRange(1, 8).Draw(t, "turns") {
		if !l.next(rapid.IntRange(0, 4).Draw(t, "hold") == 4) {
			break
		}
	}
}

// next takes one turn.
func (l *laws) next(hold bool) bool {
	v, err := l.inbox.Next(newImpatient())
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			l.t.Fatal(err)
		}
		return false
	}
	l.take(l.channels[v.Index], hold)
	return true
}

// poll asks a channel that the inbox may not have named.
func (l *laws) poll(t *rapid.T) {
	c := l.channel(t)
	if c.view == nil {
		t.Skip("has no reader")
	}
	l.take(c, rapid.Bool().Draw(t, "hold"))
}

// take polls a channel and checks what it gets.
func (l *laws) take(c *lawChannel, hold bool) {
	l.drop(c)
	chunk, ok := c.view.Poll()
	if !ok {
		return
	}
	if c.ended || c.left {
		l.t.Fatalf("channel %d has something after its end", c.index)
	}
	if chunk.End {
		c.ended = true
		if !c.writer.closed {
			l.t.Fatalf("channel %d ended, and its writer is not closed", c.index)
		}
		if all := c.writer.written[c.lane]; c.read != all {
			l.t.Fatalf("channel %d ended after %d bytes, %d were written", c.index, c.read, all)
		}
		return
	}
	var err error
	if c.number, err = verify(chunk.Data, c.number); err != nil {
		l.t.Fatalf("channel %d: %v", c.index, err)
	}
	c.read += uint64(len(chunk.Data))
	c.held = &chunk
	if !hold {
		l.drop(c)
	}
}

// verify checks that data are whole records as producer.fill makes them, the first one with a number, and returns that of the next one.
func verify(data []byte, number uint32) (next uint32, err error) {
	for ; len(data) > 0; data = data[buffer.FrameHeader+int(binary.BigEndian.Uint32(data)):] {
		payload := data[buffer.FrameHeader:][:binary.BigEndian.Uint32(data)]
		got := binary.BigEndian.Uint32(payload)
		switch got {
		case number:
			number++
		case unnumbered:
		default:
			return number, fmt.Errorf("record %d where %d is due", got, number)
		}
		for i := 4; i < len(payload); i++ {
			if payload[i] != byte(got)+byte(i) {
				return number, fmt.Errorf("byte %d of record %d is wrong", i, got)
			}
		}
	}
	return number, nil
}

// drop releases the chunk that a reader still has.
func (l *laws) drop(c *lawChannel) {
	if c.held != nil {
		c.held.Release()
		c.held = nil
	}
}

func (l *laws) release(t *rapid.T) {
	c := l.channel(t)
	if c.held == nil {
		t.Skip("nothing is held")
	}
	l.drop(c)
}

// rarely is true now and then: small numbers are drawn more often than others.
func rarely(t *rapid.T) bool { return rapid.IntRange(0, 15).Draw(t, "rarely") == 11 }

func (l *laws) leave(t *rapid.T) {
	if !rarely(t) {
		t.Skip("stays")
	}
	c := l.channel(t)
	if c.view == nil || c.left {
		t.Skip("has no reader")
	}
	if c.held != nil && !c.ended {
		// Some of what was polled is given up unread: it counts as dropped.
		n := rapid.IntRange(0, len(c.held.Data)).Draw(t, "unread")
		c.view.Unread(n)
		c.read -= uint64(n)
	}
	l.drop(c)
	c.view.Release(errors.New("left"))
	c.left = !c.ended
}

func (l *laws) cancel(t *rapid.T) {
	if !rarely(t) {
		t.Skip("goes on")
	}
	w := l.writer(t)
	w.part.Cancel(errors.New("canceled"))
	w.canceled = true
}

func (l *laws) close(t *rapid.T) {
	if !rarely(t) {
		t.Skip("goes on")
	}
	l.finish(l.writer(t), rapid.Bool().Draw(t, "fail"))
}

func (l *laws) finish(w *lawWriter, fail bool) {
	var err error
	if fail {
		err = w.part.Fail(errors.New("failed"))
	} else {
		err = w.part.Finish()
	}
	if w.closed {
		if err != w.result {
			l.t.Fatalf("the second end returned %v, the first one %v", err, w.result)
		}
		return
	}
	w.closed, w.result = true, err
	dropped := false
	for _, c := range w.channels {
		dropped = dropped || c.left && c.sub.Dropped() > 0
	}
	if errors.Is(err, partition.ErrConsumerGone) != dropped {
		l.t.Fatalf("dropped: %v; the end returned %v", dropped, err)
	}
}

// check looks at everything that can be counted.
func (l *laws) check(t *rapid.T) {
	all, sizes := int64(0), int64(0)
	for i, w := range l.writers {
		stats := w.part.Stats()
		held := make([]int64, len(w.channels)) // by lane of the pool
		seen := make(map[*buffer.Buffer]bool)
		blocks, large, records := int64(0), int64(0), map[*byte]bool{}
		for _, c := range w.channels {
			hold := func(b *buffer.Buffer) {
				if b == nil || seen[b] {
					return
				}
				seen[b] = true
				n := int64(len(b.Bytes()))
				held[c.lane] += n
				switch first := &b.Bytes()[0]; {
				case isBlock(n):
					blocks += n
				case !records[first]:
					records[first] = true
					large += n
				}
			}
			queued := c.sub.Queued(hold)
			if c.held != nil {
				hold(c.held.Buffer())
			}
			written, dropped := w.written[c.lane], c.sub.Dropped()
			if written != c.read+uint64(queued)+dropped {
				t.Fatalf("writer %d, channel %d: %d bytes were written, %d read, %d are queued, %d were dropped", i, c.index, written, c.read, queued, dropped)
			}
			if dropped > 0 && !c.left {
				t.Fatalf("writer %d, channel %d: %d bytes were dropped, and the reader is there", i, c.index, dropped)
			}
		}
		for lane, n := range held {
			if got := w.pool.Held(lane); got != n {
				t.Fatalf("writer %d, lane %d: the pool says %d bytes are held, %d are", i, lane, got, n)
			}
		}
		u := w.pool.Usage()
		if u.Used != blocks || u.Large != large || u.Used > max(u.Max, u.Guarantee) {
			t.Fatalf("writer %d: %d bytes of blocks and %d of large records are held; the pool says %+v", i, blocks, large, u)
		}
		for lane, c := range stats.Channels {
			if c.Bytes != w.written[lane] {
				t.Fatalf("writer %d, lane %d: the counter says %d bytes, %d were written", i, lane, c.Bytes, w.written[lane])
			}
		}
		all += blocks
		sizes += u.Share
	}
	for _, r := range l.rivals {
		all += int64(len(r.segments)) * memory.MinBlock
		sizes += r.share.Bytes()
	}
	if limit := l.memory.Stats().Limit; sizes > limit {
		t.Fatalf("shares of %d bytes in all, the limit is %d", sizes, limit)
	}
	if s := l.memory.Stats(); s.Used != all || s.Used > s.Mapped || s.Mapped > s.Limit {
		t.Fatalf("%d bytes of blocks are held; the memory says %+v", all, s)
	}
}

// isBlock tells blocks from large records, whose frames have other sizes in this test.
func isBlock(n int64) bool { return n >= memory.MinBlock && n&(n-1) == 0 }

// probe takes all that is free, and gives it back.
func (l *laws) probe() {
	limit, taken := l.memory.Stats().Limit, int64(0)
	for _, w := range l.writers {
		u := w.pool.Usage()
		taken += max(u.Guarantee, u.Used)
	}
	for _, r := range l.rivals {
		if r.closed {
			taken += r.share.Used()
		} else {
			taken += max(r.share.Min(), r.share.Used())
		}
	}
	var segments []memory.Segment
	for {
		seg, ok := l.memory.Acquire(memory.MinBlock)
		if !ok {
			break
		}
		segments = append(segments, seg)
	}
	if free := int64(len(segments)) * memory.MinBlock; free+taken != limit {
		l.t.Fatalf("%d bytes are free and %d held or guaranteed, the limit is %d", free, taken, limit)
	}
	for _, seg := range segments {
		l.memory.Release(seg)
	}
	free := int(l.area.Bytes())
	for _, w := range l.writers {
		free -= int(w.pool.Usage().Large)
	}
	pool := l.writers[0].pool
	if _, ok := pool.TryLarge(0, free+1); ok {
		l.t.Fatalf("the area has %d bytes free, and gives more", free)
	}
	if free > 0 {
		b, ok := pool.TryLarge(0, free)
		if !ok {
			l.t.Fatalf("the area has %d bytes free, and does not give them", free)
		}
		b.Release()
	}
}

// end closes the writers and reads to the end.
func (l *laws) end() {
	for i, w := range l.writers {
		l.finish(w, i == 1)
	}
	for i, c := range l.channels {
		if c.view == nil && i%2 == 0 {
			l.view(c)
		}
	}
	l.drain()
	l.check(l.t)
	for i, c := range l.channels {
		if c.view == nil {
			if n := c.sub.Dropped(); n != 0 {
				l.t.Fatalf("channel %d: %d bytes were dropped before", i, n)
			}
			if n := c.writer.part.Discard(c.index); n != c.writer.written[c.lane] {
				l.t.Fatalf("channel %d: %d bytes were discarded, %d were written", i, n, c.writer.written[c.lane])
			}
			continue
		}
		if !c.left && !c.ended {
			l.t.Fatalf("channel %d has not ended after %d of %d bytes", i, c.read, c.writer.written[c.lane])
		}
		c.view.Release(nil)
		c.view.Release(nil)
	}
	for i, w := range l.writers {
		if u := w.pool.Usage(); u.Used != 0 || u.Large != 0 {
			l.t.Fatalf("writer %d: not given back: %+v", i, u)
		}
	}
	for _, r := range l.rivals {
		for _, seg := range r.segments {
			r.share.Release(seg)
		}
		r.segments = nil
		r.share.Close()
		r.closed = true
	}
	l.probe()
	for _, w := range l.writers {
		w.pool.Close()
	}
	l.probe()
	if err := l.memory.Close(); err != nil {
		l.t.Fatal(err)
	}
}
