package tape

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/wire"
)

// scan goes through the segments of a tape that a reader wants. It is for one goroutine.
type scan struct {
	tape   *Tape
	window window
	lost   func(Loss)
	offset int64 // of the next segment

	skip  []bool   // by lane: not wanted
	start []uint64 // by lane: the first record that is
	from  []int64  // by lane: what lies before it belongs to earlier records
	next  []uint64 // by lane: number of the record that comes next

	idle   bool   // what the producer has said last, behind the current segment
	number uint64 // of the segment that comes next
	placed bool   // number is known: it is not when reading begins in the middle of the file

	seg    segment // the current one
	firsts []byte  // its table of numbers, if it has one
	frames []byte  // of records
	event  *partition.Event
	losing *Loss // damage behind which a segment is looked for; nil: none is
	search int64 // offset from where on
	again  int64 // bytes that were looked at and may be again
	over   bool  // the end was read
	ending *end
	err    error // sticky
}

func newScan(t *Tape, o readOptions) *scan {
	n := t.header.Lanes
	s := &scan{
		tape: t, window: t.window(), lost: o.lost, offset: t.begin,
		skip: make([]bool, n), start: make([]uint64, n), from: make([]int64, n), next: make([]uint64, n),
	}
	for i := range s.skip {
		s.skip[i] = o.lanes != nil
	}
	for _, lane := range o.lanes {
		if lane < 0 || lane >= n {
			s.err = fmt.Errorf("%w: lane %d of %d", ErrPosition, lane, n)
			return s
		}
		s.skip[lane] = false
	}
	for _, a := range o.start {
		if a.lane < 0 || a.lane >= n {
			s.err = fmt.Errorf("%w: lane %d of %d", ErrPosition, a.lane, n)
			return s
		}
		s.start[a.lane] = a.record
		if t.finished != nil && a.record > t.finished.records[a.lane] {
			s.err = s.behind(a.lane, t.finished)
		}
	}
	s.seek()
	s.placed = s.offset == t.begin
	return s
}

// seek goes as far as the index allows.
func (s *scan) seek() {
	if s.tape.index == nil {
		return
	}
	least := int64(-1)
	for lane, skip := range s.skip {
		if skip {
			continue
		}
		if e, ok := s.tape.index.find(lane, s.start[lane]); ok {
			s.from[lane], s.next[lane] = e.offset, e.first
		} else {
			s.from[lane] = s.tape.begin
		}
		if least < 0 || s.from[lane] < least {
			least = s.from[lane]
		}
	}
	s.offset = max(least, s.tape.begin)
}

func (s *scan) behind(lane int, e *end) error {
	return fmt.Errorf("%w: record %d of lane %d, which has %d", ErrPosition, s.start[lane], lane, e.records[lane])
}

// step goes to the next segment that concerns the reader: of records, state or event. It returns false after the end. Only an error of ctx is not sticky.
func (s *scan) step(ctx context.Context) (bool, error) {
	for {
		if s.err != nil || s.over {
			return false, s.err
		}
		if ctx.Err() != nil {
			return false, buffer.Interrupted(ctx)
		}
		if s.losing != nil {
			s.err = s.resynchronise()
			continue
		}
		s.frames, s.event = nil, nil
		seg, err := s.tape.segment(&s.window, s.offset)
		if err == nil {
			s.seg = seg
			var wanted bool
			if wanted, err = s.take(); err == nil {
				s.offset = seg.end()
				switch {
				case seg.kind == kindState:
					s.idle = seg.idle
				case seg.kind == kindRecords && seg.idle:
					s.idle = true // reading may have begun behind the state that says it
				}
				if s.err = s.gap(); wanted && s.err == nil {
					return true, nil
				}
				continue
			}
		}
		s.err = s.recover(err, seg)
	}
}

// take looks at the current segment. It returns whether the reader wants it. If it fails, no lane has gone on.
func (s *scan) take() (bool, error) {
	t, seg := s.tape, s.seg
	if s.late() {
		return false, s.corrupt(errRepeated)
	}
	switch seg.kind {
	case kindState:
		return true, nil
	case kindIndex:
		return false, s.corrupt(errOrder)
	case kindEnd:
		e, err := t.end(&s.window, seg)
		if err != nil {
			return false, err
		}
		return false, s.finish(e)
	}
	if seg.lane != all && !s.wants(seg.lane, seg.first) {
		switch {
		case seg.end() > t.size:
			return false, s.corrupt(ErrTruncated)
		case !s.counts(seg.lane):
			return false, nil
		}
		return false, s.follow(seg.lane)
	}
	b, err := t.data(&s.window, seg)
	if err != nil {
		return false, err
	}
	n := seg.table(&t.header)
	s.firsts, b = b[:n], b[n:]
	if seg.kind == kindEvent {
		s.event, err = parseEvent(b)
	} else {
		s.frames, err = b, s.check(b)
	}
	if err != nil {
		return false, s.corrupt(err)
	}
	if seg.lane != all {
		return true, s.follow(seg.lane)
	}
	for lane := range s.skip {
		if first := s.first(lane); first+uint64(seg.records) < first {
			return false, s.corrupt(errTable)
		} else if s.counts(lane) && first < s.next[lane] {
			return false, s.corrupt(errRepeated)
		}
	}
	wanted := false
	for lane := range s.skip {
		if !s.counts(lane) {
			continue
		}
		if err := s.follow(lane); err != nil {
			return false, err
		}
		wanted = wanted || s.wants(lane, s.first(lane))
	}
	return wanted, nil
}

// late reports whether the current segment should have come before.
func (s *scan) late() bool { return s.placed && s.seg.number < s.number }

// gap goes on behind the number of the current segment, which is not late, and handles that whole segments before it are missing.
func (s *scan) gap() error {
	first, missing := s.number, s.seg.number-s.number
	known := s.placed
	s.number, s.placed = s.seg.number+1, true
	if !known || missing == 0 {
		return nil
	}
	cause := &MissingSegmentsError{First: first, Segments: missing}
	if s.lost == nil {
		return s.corrupt(cause)
	}
	s.lost(Loss{Offset: s.seg.offset, Lane: all, Segments: missing, Cause: cause})
	return nil
}

// corrupt is the error for the current segment.
func (s *scan) corrupt(cause error) error { return &CorruptError{Offset: s.seg.offset, Cause: cause} }

// counts reports whether the current segment is one of those of a lane that are looked at.
func (s *scan) counts(lane int) bool { return !s.skip[lane] && s.seg.offset >= s.from[lane] }

// first returns the number of the current segment's first record of a lane.
func (s *scan) first(lane int) uint64 {
	if s.seg.lane != all {
		return s.seg.first
	}
	return binary.LittleEndian.Uint64(s.firsts[8*lane:])
}

// wants reports whether the reader wants a record of the current segment in a lane, or its event: one that stands before the start is wanted.
func (s *scan) wants(lane int, first uint64) bool {
	if s.seg.kind == kindEvent {
		return s.counts(lane) && first >= s.start[lane]
	}
	return s.counts(lane) && first+uint64(s.seg.records) > s.start[lane]
}

// check says whether the frames of the current segment are whole, and as many as they should be.
func (s *scan) check(b []byte) error {
	n := 0
	for ; len(b) >= buffer.FrameHeader; n++ {
		size := binary.BigEndian.Uint32(b)
		if b = b[buffer.FrameHeader:]; uint64(size) > uint64(len(b)) {
			return errFrames
		}
		if int64(size) > int64(s.tape.limits.MaxRecordBytes) {
			return fmt.Errorf("record of %d bytes, the limit is %d: %w", size, s.tape.limits.MaxRecordBytes, wire.ErrLimit)
		}
		b = b[size:]
	}
	if len(b) > 0 || n != s.seg.records {
		return errFrames
	}
	return nil
}

// follow goes on behind the records of the current segment in a lane.
func (s *scan) follow(lane int) error {
	first := s.first(lane)
	if first < s.next[lane] {
		return s.corrupt(errRepeated)
	}
	if err := s.missing(lane, first); err != nil {
		return err
	}
	s.next[lane] = first + uint64(s.seg.records)
	return nil
}

// missing handles that the next record of a lane should have been another one than that.
func (s *scan) missing(lane int, first uint64) error {
	next := s.next[lane]
	// Those before the start are not missed.
	if next = max(next, min(s.start[lane], first)); next == first {
		return nil
	}
	cause := &MissingError{Lane: lane, First: next, Records: first - next}
	if s.lost == nil {
		return s.corrupt(cause)
	}
	s.lost(Loss{Offset: s.seg.offset, Lane: lane, First: next, Records: first - next, Cause: cause})
	return nil
}

// finish handles the end.
func (s *scan) finish(e *end) error {
	for lane, total := range e.records {
		if s.skip[lane] {
			continue
		}
		if s.start[lane] > total {
			s.over = true
			return s.behind(lane, e)
		}
		if s.next[lane] > total {
			return s.corrupt(errEnd)
		}
		if err := s.missing(lane, total); err != nil {
			return err
		}
		s.next[lane] = total
	}
	s.over, s.ending = true, e
	return nil
}

// recover handles damage at the current offset. It returns an error unless it went on behind it, or step is to. seg is the segment there, if its header is good.
func (s *scan) recover(err error, seg segment) error {
	var bad *CorruptError
	if s.lost == nil || s.over || !errors.As(err, &bad) {
		return err
	}
	s.losing = &Loss{Offset: s.offset, Lane: all, Cause: bad.Cause}
	s.search = s.offset + 1
	if seg.kind == 0 || seg.end() > s.tape.size || errors.Is(err, errFields) {
		return nil
	}
	s.known(seg, s.losing)
	trusted, err := s.trust(seg)
	if err != nil {
		return err
	}
	s.search = s.offset + segmentBytes
	if trusted {
		s.resume(seg.end())
	}
	return nil
}

// resume goes on at an offset, behind damage.
func (s *scan) resume(offset int64) {
	loss := *s.losing
	s.losing, s.offset = nil, offset
	loss.Bytes = offset - loss.Offset
	// That the end is missing is a loss of its own, of what is left over or of nothing.
	s.over = offset >= s.tape.size && errors.Is(loss.Cause, ErrTruncated)
	s.lost(loss)
}

// trust reports whether the next segment is to be looked for behind one whose data are damaged: there is one, or the end of the file. Otherwise bytes may be missing, and segments lie where its data should be. They
// are searched for as well, but a file of nothing but such headers must not take for ever.
func (s *scan) trust(seg segment) (bool, error) {
	if seg.end() == s.tape.size || s.again > 4*s.tape.size {
		return true, nil
	}
	_, err := s.tape.segment(&s.window, seg.end())
	var bad *CorruptError
	if err != nil && !errors.As(err, &bad) {
		return false, err
	}
	if err != nil {
		s.again += int64(seg.bytes)
	}
	return err == nil, nil
}

// known says what is lost with a segment, if its header tells, and goes on behind it.
func (s *scan) known(seg segment, loss *Loss) {
	if s.seg = seg; s.late() {
		return // it was missing already
	}
	if seg.kind == kindRecords && seg.lane != all && seg.first >= s.next[seg.lane] && s.counts(seg.lane) {
		_ = s.missing(seg.lane, seg.first) // it reports what is missing before; it has no error when it does
		s.next[seg.lane] = seg.first + uint64(seg.records)
		if first := max(seg.first, s.start[seg.lane]); first < s.next[seg.lane] {
			loss.Lane, loss.First, loss.Records = seg.lane, first, s.next[seg.lane]-first
		}
	}
	_ = s.gap() // in the same way
	loss.Segments = 1
}

// resynchronise looks for the next good header behind damage, in one window of the file, and goes on there if there is one, or at the end of the file.
func (s *scan) resynchronise() error {
	n := int(min(windowBytes, s.tape.size-s.search))
	if n < segmentBytes {
		s.resume(s.tape.size)
		return nil
	}
	b, err := s.window.view(s.search, n)
	if err != nil {
		return err
	}
	// All marks of the window are found before the first of them is tried, which may move the window.
	var marks []int64
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte(mark))
		if i < 0 {
			break
		}
		marks = append(marks, s.search+int64(at+i))
		at += i + 1
	}
	for _, at := range marks {
		if _, err = s.tape.segment(&s.window, at); err == nil {
			s.resume(at)
			return nil
		}
		var bad *CorruptError
		if !errors.As(err, &bad) {
			return err
		}
	}
	s.search += int64(n - len(mark) + 1)
	return nil
}
