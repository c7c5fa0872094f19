package tape

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/rwgen/rwgen/runtime/partition"
)

const (
	bufferBytes = 64 << 10 // between segments and the file
	maxMessage  = 64 << 10 // of the message of a cause
)

// Status of the end.
const (
	endClosed = iota
	endFailed
)

// counter counts what a writer has taken.
type counter struct {
	w io.Writer
	n int64
}

// errCount is the error of a writer that does not keep to io.Writer.
var errCount = errors.New("the writer says that it took more than it got, or less than nothing")

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	if n < 0 || n > len(b) {
		return 0, errors.Join(errCount, err) // or what buffers it would panic
	}
	c.n += int64(n)
	return n, err
}

// log writes the parts of a tape one after the other. After the first error it writes nothing more, and returns the same.
//
//	start → records, shared, state, event … → end
type log struct {
	header  Header
	file    counter
	buf     *bufio.Writer
	offset  int64    // of the next segment
	number  uint64   // of the next segment
	next    []uint64 // by lane: number of the next record
	index   index
	scratch [segmentBytes]byte
	err     error
}

// start writes the header. It fails as well if the format cannot express it.
func start(w io.Writer, h Header) (*log, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	l := &log{header: h, file: counter{w: w}, next: make([]uint64, h.Lanes), index: newIndex(h.Lanes)}
	l.buf = bufio.NewWriterSize(&l.file, bufferBytes)
	l.write(h.encode())
	return l, l.flush(false)
}

func (l *log) write(b []byte) {
	if l.err != nil {
		return
	}
	n, err := l.buf.Write(b)
	l.offset += int64(n)
	l.fail("write", err)
}

func (l *log) fail(op string, err error) {
	if err != nil && l.err == nil {
		l.err = &WriteError{Op: op, Offset: l.file.n, Cause: err}
	}
}

// flush gives everything to the file, and with sync has that made durable if it can.
func (l *log) flush(sync bool) error {
	if l.err == nil {
		l.fail("write", l.buf.Flush())
	}
	if f, ok := l.file.w.(interface{ Sync() error }); ok && sync && l.err == nil {
		l.fail("sync", f.Sync())
	}
	return l.err
}

// put writes a segment whose data are the parts one after the other.
func (l *log) put(s segment, parts ...[]byte) {
	for _, p := range parts {
		s.bytes += len(p)
		s.sum = crc32.Update(s.sum, castagnoli, p)
	}
	s.number = l.number
	l.number++
	s.put(l.scratch[:], l.header.id)
	l.write(l.scratch[:])
	for _, p := range parts {
		l.write(p)
	}
}

// records writes n frames of a lane, with the state in which they are handed over.
func (l *log) records(lane int, frames []byte, n int, now state) {
	l.index.add(lane, l.next[lane], l.offset)
	l.put(segment{kind: kindRecords, lane: lane, first: l.next[lane], records: n, watermark: now.watermark, idle: now.idle}, frames)
	l.next[lane] += uint64(n)
}

// table returns the numbers of the next record of all lanes.
func (l *log) table() []byte {
	b := make([]byte, 0, 8*len(l.next))
	for _, n := range l.next {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// shared writes one frame that belongs to all lanes.
func (l *log) shared(frame []byte, now state) {
	if len(l.next) == 1 {
		l.records(0, frame, 1, now)
		return
	}
	table := l.table()
	for lane, n := range l.next {
		l.index.add(lane, n, l.offset)
		l.next[lane]++
	}
	l.put(segment{kind: kindRecords, lane: all, records: 1, watermark: now.watermark, idle: now.idle}, table, frame)
}

// state writes what holds for the producer.
func (l *log) state(now state) {
	l.put(segment{kind: kindState, lane: all, watermark: now.watermark, idle: now.idle})
}

// end writes everything that a closed tape ends with. A nil cause says that the writer was closed.
func (l *log) end(cause error) {
	b := []byte{endClosed, 0, 0, 0}
	message := ""
	if cause != nil {
		b[0] = endFailed
		message = cause.Error()
		message = message[:min(len(message), maxMessage)]
	}
	l.put(segment{kind: kindEnd, lane: all, watermark: noWatermark}, appendText(b, message), l.table())
	at := l.offset
	l.put(segment{kind: kindIndex, lane: all, watermark: noWatermark}, l.index.encode())
	l.write(encodeTrailer(l.header.id, at))
}

// event writes an event of one lane, or of all.
func (l *log) event(lane int, e partition.Event) {
	s := segment{kind: kindEvent, lane: lane, watermark: noWatermark}
	if lane == all {
		l.put(s, l.table(), appendEvent(nil, e))
		return
	}
	s.first = l.next[lane]
	l.put(s, appendEvent(nil, e))
}
