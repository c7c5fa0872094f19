package transport

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// outlet is one channel on the side of the server: what was polled of its subpartition, and is kept until it is acknowledged.
//
//	items   ├─ sent, not acknowledged ─┼─ not sent ─┤
//	        ▲ acknowledged              ▲ next, off
//
// At most one thing that was polled is not sent: the view is polled only when everything before is. All fields are guarded by session.mu but those that never change.
type outlet struct {
	session     *session
	publication *Publication
	subpart     int
	view        *partition.View

	conn      *serverConn     // that it is open on; nil: none
	eventRoom uint64          // weight of events that the client has room for
	number    uint32          // on conn
	opened    *message.Opened // to be sent on conn before anything else; nil: it was
	told      bool            // WRITER was sent on conn

	flow  credit.Sender
	from  Position // where the channel begins: not at 0 if it goes on what another process has left
	items []item
	next  int // of items, which is not sent completely
	off   int // bytes of it that are sent

	watermark int64
	idle      bool
	marked    bool // that is to be sent
	more      bool // the view has something to poll, or may have
	queued    bool // in session.runnable
	closed    bool // the end is acknowledged, or nobody will ever read
	left      bool // the client has canceled it
	failure   error
}

// item is one thing in the stream of a channel: bytes of records, an event, or the end if it is neither.
type item struct {
	at    Position
	chunk partition.Chunk // of records; retained
	event *partition.Event
	end   bool
	err   error         // of the end
	mark  *message.Mark // what is said of event time before the event; nil: nothing new
}

// weight is by how much an event or the end moves the position.
func (i *item) weight() uint64 {
	if i.event != nil {
		return credit.EventWeight + uint64(len(i.event.Data))
	}
	return credit.EventWeight
}

// after returns the position behind the item.
func (i *item) after() Position {
	if i.event == nil && !i.end {
		return Position{Data: i.at.Data + uint64(len(i.chunk.Data)), Events: i.at.Events}
	}
	return Position{Data: i.at.Data, Events: i.at.Events + i.weight()}
}

// unsent reports whether something was polled and not sent.
func (o *outlet) unsent() bool { return o.next < len(o.items) }

// last returns the position behind everything that was polled.
func (o *outlet) last() Position {
	if n := len(o.items); n > 0 {
		return o.items[n-1].after()
	}
	return o.flow.Acked()
}

// poll takes what the view has.
func (o *outlet) poll() {
	if o.unsent() || o.closed {
		o.more = true // when it is sent
		return
	}
	c, ok := o.view.Poll()
	if !ok {
		return
	}
	if c.Watermark != partition.NoWatermark || c.Idle != o.idle {
		o.watermark, o.idle, o.marked = max(o.watermark, c.Watermark), c.Idle, true
	}
	at := o.last()
	if len(c.Data) > 0 {
		c.Retain()
		data := c
		data.Event, data.End, data.Err = nil, false, nil
		if n := len(o.items); n > 0 && o.items[n-1].event == nil && !o.items[n-1].end {
			front := &o.items[n-1]
			sent := len(front.chunk.Data)
			if front.chunk.Join(&data) {
				o.next, o.off = n-1, sent
				return
			}
		}
		o.items = append(o.items, item{at: at, chunk: data})
		return
	}
	switch {
	case c.Event != nil:
		it := item{at: at, event: c.Event}
		if o.marked {
			o.marked = false
			it.mark = &message.Mark{WatermarkMicros: o.watermark, Idle: o.idle}
		}
		o.items = append(o.items, it)
	case c.End:
		o.items = append(o.items, item{at: at, end: true, err: c.Err})
	}
	c.Release()
}

// send adds what may be sent to the batch. It returns true if it has stopped because the batch is full.
func (o *outlet) send(b *batch) (full bool) {
	if o.opened != nil {
		if b.full() {
			return true
		}
		b.add(func(dst []byte) []byte { return o.opened.Append(dst, o.number) })
		o.opened = nil
	}
	for o.unsent() {
		if b.full() {
			return true
		}
		it := &o.items[o.next]
		if it.event == nil && !it.end {
			if !o.sendRecords(b, it) {
				return false
			}
			continue
		}
		if it.event != nil {
			exempt := it.event.Kind == partition.EndOfData
			if w := it.weight(); !exempt && w > o.eventRoom {
				o.unsendable(fmt.Errorf("%w: %d bytes, the process that reads has room for %d in each channel: raise EventBytes there", partition.ErrEventTooLarge, len(it.event.Data), o.eventRoom-credit.EventWeight))
				return false
			}
			if !o.flow.EventRoom(it.weight(), exempt) {
				return false
			}
			if !o.introduce(b) || it.event.Kind == partition.UserEvent && !o.conn.hasRoomFor(it.event.Record, it.event.Schema) {
				o.unsendable(errSchemas)
				return false
			}
			o.flow.SendEvent(it.weight(), exempt)
			if it.mark != nil {
				b.add(func(dst []byte) []byte { return it.mark.Append(dst, o.number) })
			}
			o.sendEvent(b, it)
		} else {
			o.flow.SendEnd()
			b.add(func(dst []byte) []byte {
				return message.End{Before: it.at, Fault: faultOf(causeOf(it.err))}.Append(dst, o.number)
			})
		}
		o.next++
	}
	if o.marked && !b.full() {
		o.marked = false
		if !o.introduce(b) {
			o.unsendable(errSchemas)
			return false
		}
		b.add(func(dst []byte) []byte {
			return message.Mark{WatermarkMicros: o.watermark, Idle: o.idle}.Append(dst, o.number)
		})
	}
	if o.more {
		o.more = false
		o.view.Rouse()
	}
	return o.marked
}

// sendRecords adds as much as there is credit for of an item, and room for in one message. It returns false if there is no credit.
func (o *outlet) sendRecords(b *batch, it *item) bool {
	data := it.chunk.Data[o.off:]
	n := int(min(o.flow.Room(), uint64(len(data)), uint64(o.conn.maxData), uint64(b.room())))
	if n <= 0 {
		return false
	}
	if !o.introduce(b) {
		o.unsendable(errSchemas)
		return false
	}
	backlog := (uint64(len(data)-n) + uint64(o.view.Backlog()) + 1023) >> 10
	at := it.at.Data + uint64(o.off)
	o.flow.SendData(uint64(n))
	b.arena = message.AppendDataHeader(b.arena, o.number, at, uint32(min(backlog, 1<<32-1)), n)
	b.bytes += message.DataHeaderBytes
	b.records(data[:n:n])
	if o.off += n; o.off == len(it.chunk.Data) {
		o.next, o.off = o.next+1, 0
	}
	return true
}

// introduce says what the records are, before the first of them on a connection. It returns false if the client has no room for another schema.
func (o *outlet) introduce(b *batch) bool {
	if o.told {
		return true
	}
	c, ok := o.publication.partition.Writer()
	if !ok {
		return true // nothing comes but the end
	}
	if !o.conn.hasRoomFor(c.Record, c.Schema) {
		return false
	}
	o.told = true
	schema := o.conn.schema(b, c.Record, c.Schema)
	b.add(func(dst []byte) []byte {
		return message.Writer{Schema: schema, Name: c.Name, Selection: selectionOf(c)}.Append(dst, o.number)
	})
	return true
}

// unsendable makes the channel end with cause: what comes next in it can never be sent. From the writing goroutine.
func (o *outlet) unsendable(cause error) {
	o.conn.unsendable = append(o.conn.unsendable, unsendable{o, cause})
	o.session.inbox.Poke()
}

func (o *outlet) sendEvent(b *batch, it *item) {
	e := it.event
	m := message.Event{Before: it.at, Kind: message.EventKind(e.Kind), Drained: e.Drained, SentMicros: e.SentMicros}
	if e.Kind == partition.UserEvent {
		m.Schema, m.Record = o.conn.schema(b, e.Record, e.Schema), e.Data
	}
	b.add(func(dst []byte) []byte { return m.AppendHeader(dst, o.number) })
	if e.Kind == partition.UserEvent {
		b.records(e.Data)
	}
}

// resume goes on at received, where the client has the stream up to.
func (o *outlet) resume(received, limit Position) ([]partition.Chunk, error) {
	if err := o.flow.Resume(received, limit); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPosition, err)
	}
	acked := o.acknowledged(nil)
	o.next, o.off, o.told = 0, 0, false
	if len(o.items) > 0 && o.items[0].event == nil && !o.items[0].end {
		o.off = int(received.Data - o.items[0].at.Data)
	}
	o.marked = o.watermark != partition.NoWatermark || o.idle
	o.more = true
	return acked, nil
}

// acknowledged takes what is acknowledged out of items, and appends what is to be released to chunks.
func (o *outlet) acknowledged(chunks []partition.Chunk) []partition.Chunk {
	acked := o.flow.Acked()
	n := 0
	for n < len(o.items) && o.items[n].after().AtMost(acked) {
		if it := &o.items[n]; it.chunk.Data != nil {
			chunks = append(chunks, it.chunk)
		}
		n++
	}
	if n > 0 {
		o.next = max(0, o.next-n)
		m := copy(o.items, o.items[n:])
		clear(o.items[m:])
		o.items = o.items[:m]
	}
	return chunks
}

// drop forgets everything that was polled, and returns what is to be released.
func (o *outlet) drop() (chunks []partition.Chunk) {
	acked := o.flow.Acked().Data
	for i := range o.items {
		it := &o.items[i]
		if end := it.after().Data; it.chunk.Data != nil {
			chunks = append(chunks, it.chunk)
			o.view.Unread(int(end - min(end, max(it.at.Data, acked))))
		}
		if it.event != nil && it.event.Kind == partition.UserEvent {
			o.view.UnreadEvent()
		}
	}
	o.items, o.next, o.off = nil, 0, 0
	return chunks
}

// selectionOf says what a writer selects by, in the words of its directive.
func selectionOf(c partition.Claim) string {
	s := c.Selection.String()
	if c.Key != "" {
		s += " key=" + c.Key + " hash=" + c.Hash.String()
	}
	return s
}

// causeOf returns what a producer was closed with: the reader's side names it again.
func causeOf(err error) error {
	if p, ok := err.(*partition.ProducerError); ok {
		return p.Cause
	}
	return err
}
