package partition_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/metrics"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

// session is one partition with a writer and a reader, driven by commands.
type session struct {
	t *testing.T

	memory    *memory.Pool
	pool      *buffer.LocalPool
	contract  *partition.Contract
	part      *partition.Partition
	builders  []buffer.Builder
	channels  int
	broadcast bool
	policy    partition.FlushPolicy
	block     int      // size of the blocks that write acquires
	numbers   []uint32 // of the next record, by lane

	inbox    *partition.Inbox
	views    map[int]*partition.View
	held     map[int]*partition.Chunk
	copies   map[int][]byte // of what is held: it must not change
	expected map[int]uint32 // number of the next record, by channel
	idle     map[int]bool   // by channel, as the last chunk said
	polled   uint64         // bytes

	writer, reader *operation // the last ones
}

// operation is something that may block. It runs on a goroutine of its own.
type operation struct {
	name     string
	start    time.Time
	done     chan []string
	took     time.Duration
	cancel   context.CancelCauseFunc
	reported bool
}

// settle is longer than the time between two looks of a reader at a hot lane.
const settle = 20 * time.Millisecond

func newSession(t *testing.T) *session {
	return &session{
		t: t, block: memory.MinBlock, contract: new(partition.Contract), inbox: partition.NewInbox(),
		views: make(map[int]*partition.View), held: make(map[int]*partition.Chunk), copies: make(map[int][]byte), expected: make(map[int]uint32), idle: make(map[int]bool),
	}
}

// run executes one command and returns its result: one line each. What blocked before and was set free by the command comes last.
//
//	new [channels=1] [share=16384] [cap=0] [area=65536] [limit=0] [policy=on-full|every-record|after:D|when-idle:D] [broadcast] [unclaimed]
//	claim [SCHEMA]       claim the partition, again or for the first time
//	block SIZE           size of the blocks that write opens
//	pace fast|slow       how the writer counts from now on
//	write LANE SIZE [xN] write records; a full block is handed over
//	acquire LANE         hand over and open a block
//	large LANE SIZE      write a large record
//	watermark MICROS|end write a watermark
//	idle | active        say whether the writer is idle
//	event LANE|all user SIZE|latency|drained|stopped [xN]
//	flush | finish | fail CAUSE | cancel CAUSE | abandon CAUSE
//	interrupt            cancel the context of the writer that blocks
//	view CHANNEL         make the reader of a channel
//	next [canceled]      ask the inbox what to poll, and wait for it
//	poll CHANNEL [hold]  take a chunk, and release it unless it is to be held
//	backlog CHANNEL
//	release CHANNEL      release the chunk that is held, and check that it is as it was
//	drain                next and poll until the reader has nothing more to do; this takes 20 ms. Polls that find nothing are not shown.
//	stop                 cancel the context of the reader that is parked
//	leave CHANNEL [CAUSE]
//	discard CHANNEL
//	sleep DURATION
//	stats | usage
func (s *session) run(args []string) (out []string) {
	s.t.Helper()
	pending := []*operation{s.writer, s.reader}
	out = s.command(args)
	synctest.Wait()
	for _, op := range pending {
		if op != nil && !op.reported {
			select {
			case result := <-op.done:
				op.reported = true
				for _, line := range result {
					out = append(out, fmt.Sprintf("%s after %v: %s", op.name, op.took, line))
				}
			default:
			}
		}
	}
	return out
}

func (s *session) command(args []string) []string {
	s.t.Helper()
	arg := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	number := func(i int) int {
		n, err := strconv.Atoi(strings.TrimPrefix(arg(i), "x"))
		if err != nil {
			s.t.Fatalf("%q: argument %d is no number", args, i)
		}
		return n
	}
	cause := func(i int) error {
		if arg(i) == "" {
			return nil
		}
		return errors.New(strings.Join(args[i:], " "))
	}
	switch args[0] {
	case "flush", "finish", "fail", "watermark", "idle", "active", "event":
		if s.writer != nil && !s.writer.reported {
			s.t.Fatalf("%s while %s is under way", args[0], s.writer.name)
		}
	}
	switch args[0] {
	case "new":
		return s.create(args[1:])
	case "claim":
		return s.claim(arg(1))
	case "block":
		s.block = number(1)
		return nil
	case "pace":
		s.part.Pace(arg(1) == "fast")
		return nil
	case "write":
		lane, size, n := number(1), number(2), 1
		if len(args) > 3 {
			n = number(3)
		}
		return s.write("write", func(ctx context.Context) []string { return s.records(ctx, lane, size, n) })
	case "acquire":
		lane := number(1)
		return s.write("acquire", func(ctx context.Context) []string {
			if err := s.part.Acquire(ctx, lane, s.block); err != nil {
				return lines(err)
			}
			return []string{fmt.Sprintf("a block of %d bytes", s.builders[lane].Free())}
		})
	case "large":
		lane, size := number(1), number(2)
		return s.write("large", func(ctx context.Context) []string { return lines(s.large(ctx, lane, size)) })
	case "interrupt":
		s.writer.cancel(cause(1))
		return nil
	case "watermark":
		micros := int64(math.MaxInt64)
		if arg(1) != "end" {
			micros = int64(number(1))
		}
		return lines(s.part.Watermark(micros))
	case "idle", "active":
		return lines(s.part.Idle(args[0] == "idle"))
	case "event":
		return s.events(args[1:])
	case "backlog":
		return []string{fmt.Sprintf("%d bytes", s.views[number(1)].Backlog())}
	case "flush":
		return lines(s.part.Flush())
	case "finish":
		return lines(s.part.Finish())
	case "fail":
		return lines(s.part.Fail(cause(1)))
	case "cancel":
		s.part.Cancel(cause(1))
		return nil
	case "abandon":
		s.part.Abandon(cause(1))
		return nil
	case "view":
		v, err := s.part.Subpartition(number(1)).View(s.inbox)
		if err == nil {
			v.Index = number(1)
			s.views[v.Index] = v
		}
		return lines(err)
	case "next":
		return s.next(arg(1) == "canceled", false)
	case "drain":
		out := s.next(false, true)
		if s.reader.reported {
			return out
		}
		time.Sleep(settle)
		synctest.Wait()
		s.reader.cancel(errDrained)
		s.reader.reported = true
		return <-s.reader.done
	case "stop":
		s.reader.cancel(cause(1))
		return nil
	case "poll":
		return []string{s.poll(number(1), arg(2) == "hold")}
	case "release":
		if i := number(1); !bytes.Equal(s.held[i].Data, s.copies[i]) {
			s.t.Errorf("channel %d: what the reader held has changed", i)
		}
		s.held[number(1)].Release()
		delete(s.held, number(1))
		return nil
	case "leave":
		s.views[number(1)].Release(cause(2))
		return nil
	case "discard":
		n := s.part.Discard(number(1))
		return []string{fmt.Sprintf("%d bytes", n)}
	case "sleep":
		d, err := time.ParseDuration(arg(1))
		if err != nil {
			s.t.Fatal(err)
		}
		time.Sleep(d)
		return nil
	case "stats":
		return s.stats()
	case "usage":
		u := s.pool.Usage()
		return []string{fmt.Sprintf("%d of %d bytes in blocks, %d bytes in large records", u.Used, u.Share, u.Large)}
	}
	s.t.Fatalf("unknown command %q", args)
	return nil
}

func lines(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

func (s *session) create(args []string) []string {
	s.channels = 1
	share, limit, area, claimed := int64(16<<10), 0, int64(64<<10), true
	var channelBytes int64
	for _, a := range args {
		key, value, _ := strings.Cut(a, "=")
		n, _ := strconv.Atoi(value)
		switch key {
		case "channels":
			s.channels = n
		case "share":
			share = int64(n)
		case "cap":
			channelBytes = int64(n)
		case "area":
			area = int64(n)
		case "limit":
			limit = n
		case "broadcast":
			s.broadcast = true
		case "unclaimed":
			claimed = false
		case "policy":
			name, d, _ := strings.Cut(value, ":")
			after, err := time.ParseDuration(d)
			if d != "" && err != nil {
				s.t.Fatal(err)
			}
			switch name {
			case "on-full":
				s.policy = partition.OnFull()
			case "every-record":
				s.policy = partition.EveryRecord()
			case "after":
				s.policy = partition.After(after)
			case "when-idle":
				s.policy = partition.WhenIdle(after)
			default:
				s.t.Fatalf("unknown policy %q", value)
			}
		default:
			s.t.Fatalf("unknown option %q", a)
		}
	}
	var err error
	if s.memory, err = memory.NewPool(1 << 20); err != nil {
		s.t.Fatal(err)
	}
	s.pool, err = buffer.NewLocalPool(s.memory, buffer.Config{
		Bytes: share, Channels: s.channels, ChannelBytes: channelBytes, Area: buffer.NewArea(area),
	})
	if err != nil {
		return lines(err)
	}
	s.part, err = partition.New(partition.Config{
		Topology: selector.Topology{Producers: 3, Consumers: s.channels, Producer: 2},
		Pool:     s.pool, Contract: s.contract, MaxRecordBytes: limit,
	})
	if err != nil {
		return lines(err)
	}
	if claimed {
		return s.claim("")
	}
	return nil
}

func (s *session) claim(schema string) []string {
	kind := selector.KindKeyed
	if s.broadcast {
		kind = selector.KindBroadcast
	}
	b, err := s.part.Claim(partition.Claim{
		Name: "transcript", Record: "Record", Schema: record.Schema{Text: "rwgen/1 Record{" + schema + "}", Fingerprint: uint64(len(schema))},
		Selection: kind, Flush: s.policy,
	})
	if err != nil {
		return lines(err)
	}
	s.builders, s.numbers = b, make([]uint32, len(b))
	return nil
}

// begin runs an operation that may block, and returns its result or says that it blocks.
func (s *session) begin(op **operation, name, blocks string, f func(ctx context.Context) []string) []string {
	s.t.Helper()
	if *op != nil && !(*op).reported {
		s.t.Fatalf("%s while %s is under way", name, (*op).name)
	}
	ctx, cancel := context.WithCancelCause(s.t.Context())
	o := &operation{name: name, start: time.Now(), done: make(chan []string, 1), cancel: cancel}
	*op = o
	go func() {
		result := f(ctx)
		o.took = time.Since(o.start)
		o.done <- result
	}()
	synctest.Wait()
	select {
	case result := <-o.done:
		o.reported = true
		cancel(nil)
		return result
	default:
		return []string{blocks}
	}
}

func (s *session) write(name string, f func(ctx context.Context) []string) []string {
	return s.begin(&s.writer, name, "blocks", f)
}

// records writes n records as a writer does.
func (s *session) records(ctx context.Context, lane, size, n int) []string {
	opened, announced := 0, 0
	b := &s.builders[lane]
	for i := range n {
		if b.Free() < buffer.FrameHeader+size {
			if err := s.part.Acquire(ctx, lane, s.block); err != nil {
				return append([]string{fmt.Sprintf("failed after %d records", i)}, lines(err)...)
			}
			opened++
		}
		dst, _ := b.Tail()
		s.payload(dst[:size], lane)
		if b.Commit(size) || b.Confirm() {
			continue
		}
		announced++
		if err := s.part.Announce(lane); err != nil {
			return append([]string{fmt.Sprintf("failed at the announcement of record %d", i)}, lines(err)...)
		}
	}
	return []string{fmt.Sprintf("%s opened, %s", count(opened, "block"), count(announced, "announcement"))}
}

func (s *session) large(ctx context.Context, lane, size int) error {
	buf, err := s.part.Large(ctx, lane, buffer.FrameHeader+size)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(buf.Bytes(), uint32(size))
	s.payload(buf.Bytes()[buffer.FrameHeader:], lane)
	return s.part.Append(lane, buf, len(buf.Bytes()))
}

// payload fills a record with its number; the reader checks it where there is room for one.
func (s *session) payload(dst []byte, lane int) {
	if len(dst) >= 4 {
		binary.BigEndian.PutUint32(dst, s.numbers[lane])
	}
	s.numbers[lane]++
}

var errDrained = errors.New("drained")

// next asks the inbox once, or until it parks and polls what it names.
func (s *session) next(canceled, drain bool) []string {
	return s.begin(&s.reader, "next", "parks", func(ctx context.Context) (out []string) {
		if canceled {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			cancel()
		}
		for {
			v, err := s.inbox.Next(ctx)
			switch {
			case errors.Is(err, errDrained):
				return out
			case err != nil:
				return append(out, err.Error())
			case !drain:
				return []string{fmt.Sprintf("channel %d", v.Index)}
			}
			if result := s.poll(v.Index, false); result != "nothing" {
				out = append(out, fmt.Sprintf("channel %d: %s", v.Index, result))
			}
		}
	})
}

// poll takes a chunk and checks that it continues the channel.
func (s *session) poll(channel int, hold bool) string {
	c, ok := s.views[channel].Poll()
	if !ok {
		return "nothing"
	}
	var parts []string
	if len(c.Data) > 0 {
		parts = append(parts, s.check(channel, c.Data))
	}
	if c.Watermark != partition.NoWatermark {
		parts = append(parts, "watermark "+micros(c.Watermark))
	}
	if c.Idle != s.idle[channel] {
		s.idle[channel] = c.Idle
		parts = append(parts, map[bool]string{true: "idle", false: "active"}[c.Idle])
	}
	if e := c.Event; e != nil {
		parts = append(parts, describe(e))
	}
	switch {
	case c.Err != nil:
		parts = append(parts, "end: "+c.Err.Error())
	case c.End:
		parts = append(parts, "end")
	}
	if hold {
		s.held[channel], s.copies[channel] = &c, bytes.Clone(c.Data)
	} else {
		c.Release()
	}
	return strings.Join(parts, "; ")
}

func micros(w int64) string {
	if w == math.MaxInt64 {
		return "end"
	}
	return strconv.FormatInt(w, 10)
}

func describe(e *partition.Event) string {
	switch e.Kind {
	case partition.UserEvent:
		return fmt.Sprintf("%v %s of %d bytes", e.Kind, e.Record, len(e.Data))
	case partition.LatencyMarker:
		return fmt.Sprintf("%v, %v under way", e.Kind, time.Since(time.UnixMicro(e.SentMicros)))
	}
	return fmt.Sprintf("%v, drained %v", e.Kind, e.Drained)
}

// events sends an event, or the same again.
func (s *session) events(args []string) []string {
	lane, n := -1, 1
	if args[0] != "all" {
		lane, _ = strconv.Atoi(args[0])
	}
	e := partition.Event{Drained: args[1] == "drained"}
	rest := args[2:]
	switch args[1] {
	case "user":
		size, _ := strconv.Atoi(rest[0])
		rest = rest[1:]
		e.Kind, e.Record, e.Data = partition.UserEvent, "Rule", make([]byte, size)
	case "latency":
		e.Kind, e.SentMicros = partition.LatencyMarker, time.Now().UnixMicro()
	case "drained", "stopped":
		e.Kind = partition.EndOfData
	}
	if len(rest) > 0 {
		n, _ = strconv.Atoi(strings.TrimPrefix(rest[0], "x"))
	}
	for i := range n {
		if err := s.part.Event(lane, e); err != nil {
			out := lines(err)
			if n > 1 {
				out = append([]string{fmt.Sprintf("failed after %d", i)}, out...)
			}
			return out
		}
	}
	return nil
}

// check looks whether bytes of a channel continue what was polled before.
func (s *session) check(channel int, data []byte) string {
	first := s.expected[channel]
	s.polled += uint64(len(data))
	n := len(data)
	for ; len(data) > 0; s.expected[channel]++ {
		n := int(binary.BigEndian.Uint32(data))
		if payload := data[buffer.FrameHeader:][:n]; n >= 4 {
			if got := binary.BigEndian.Uint32(payload); got != s.expected[channel] {
				s.t.Errorf("channel %d: record %d follows %d", channel, got, s.expected[channel])
			}
		}
		data = data[buffer.FrameHeader+n:]
	}
	return fmt.Sprintf("%s from %d, %d bytes", count(int(s.expected[channel]-first), "record"), first, n)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// stats prints what is not zero.
func (s *session) stats() (out []string) {
	w := s.part.Stats()
	for i, c := range w.Channels {
		line := fmt.Sprintf("lane %d: %s, %d bytes, %s", i, count(int(c.Records), "record"), c.Bytes, count(int(c.Blocks), "block"))
		if c.Queued != 0 {
			line += fmt.Sprintf(", %d bytes of memory", c.Queued)
		}
		if c.Dropped != 0 {
			line += fmt.Sprintf(", %d bytes dropped", c.Dropped)
		}
		var causes []string
		for cause, n := range c.Flushes {
			if n > 0 {
				causes = append(causes, fmt.Sprintf("%v %d", metrics.FlushCause(cause), n))
			}
		}
		if len(causes) > 0 {
			line += "; readable: " + strings.Join(causes, ", ")
		}
		out = append(out, line)
	}
	if w.Blocked > 0 {
		out = append(out, fmt.Sprintf("blocked for %v", w.Blocked))
	}
	return out
}

// end closes what is open and checks that nothing is missing.
func (s *session) end() {
	s.t.Helper()
	for _, op := range []*operation{s.writer, s.reader} {
		if op != nil && !op.reported {
			op.cancel(nil)
			<-op.done
		}
	}
	if s.part == nil {
		return
	}
	for _, c := range s.held {
		c.Release()
	}
	if s.builders == nil {
		s.part.Abandon(nil)
	} else {
		s.part.Finish()
	}
	<-s.part.Closed()
	for i := range s.channels {
		if v := s.views[i]; v != nil {
			v.Release(nil)
		} else {
			s.part.Discard(i)
		}
	}
	if u := s.pool.Usage(); u.Used != 0 || u.Large != 0 {
		s.t.Errorf("not given back: %+v", u)
	}
	if err := s.memory.Close(); err != nil {
		s.t.Error(err)
	}
	w := s.part.Stats()
	written, dropped := w.Bytes, uint64(0)
	if s.broadcast {
		written *= uint64(s.channels)
	}
	for _, c := range w.Channels {
		dropped += c.Dropped
	}
	if written != s.polled+dropped {
		s.t.Errorf("%d bytes were written, %d polled and %d dropped", written, s.polled, dropped)
	}
}
