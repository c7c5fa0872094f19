package tape

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/rwgen/rwgen/runtime/buffer"
	"github.com/rwgen/rwgen/runtime/record"
)

// Tape is a file to read from. Any number of goroutines may use it at once, each with readers of its own.
type Tape struct {
	r      io.ReaderAt
	size   int64
	close  func() error
	limits record.Limits
	header Header
	begin  int64 // offset of the first segment

	index    *index // nil if there is none
	damage   error  // why
	finished *end   // nil if the index is
}

// Config configures a [Tape].
type Config struct {
	// Limits bound the records that are read. Zero fields mean their defaults.
	Limits record.Limits
}

// Open opens the tape in a file. It must be closed. Errors are those of [New], and of the file.
func Open(path string) (*Tape, error) { return OpenConfig(path, Config{}) }

// OpenConfig is Open with a configuration.
func OpenConfig(path string, c Config) (*Tape, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("tape: %w", err)
	}
	info, err := f.Stat()
	if err == nil {
		var t *Tape
		if t, err = New(f, info.Size(), c); err == nil {
			t.close = f.Close
			return t, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
}

// New opens a tape of so many bytes. It fails with [ErrFormat] if r does not begin like one, and with a [CorruptError] if its header is damaged; without the header there is no way to read it. Damage
// elsewhere is found when it is read.
func New(r io.ReaderAt, size int64, c Config) (*Tape, error) {
	t := &Tape{r: r, size: max(size, 0), limits: c.Limits.WithDefaults(), close: func() error { return nil }}
	w := t.window()
	b, err := w.view(0, leastBytes)
	if err != nil {
		return nil, located(0, err)
	}
	n, err := bodyBytes(b)
	if err != nil {
		return nil, err
	}
	if b, err = w.view(0, leastBytes+n); err != nil {
		return nil, located(0, err)
	}
	if t.header, err = parseHeader(b); err != nil {
		return nil, err
	}
	t.begin = int64(len(b))
	if t.damage = t.readEnd(&w); t.damage != nil {
		t.index, t.finished = nil, nil
	}
	return t, nil
}

// located makes an error of a window one of a place.
func located(offset int64, err error) error {
	if errors.Is(err, ErrTruncated) {
		return &CorruptError{Offset: offset, Cause: err}
	}
	return err
}

func (t *Tape) window() window { return window{r: t.r, size: t.size} }

// readEnd reads what a closed tape ends with: the trailer, the index, and the end before it.
func (t *Tape) readEnd(w *window) error {
	before := t.size - trailerBytes
	if before < t.begin {
		return &CorruptError{Offset: t.size, Cause: ErrTruncated}
	}
	b, err := w.view(before, trailerBytes)
	if err != nil {
		return located(before, err)
	}
	at, err := parseTrailer(b, t.header.id, before)
	if err != nil {
		return &CorruptError{Offset: before, Cause: err}
	}
	s, err := t.segment(w, at)
	if err != nil {
		return err
	}
	if s.kind != kindIndex || s.end() != before {
		return &CorruptError{Offset: at, Cause: errOrder}
	}
	if b, err = t.data(w, s); err != nil {
		return err
	}
	if t.index, err = parseIndex(b, t.header.Lanes, t.begin, at); err != nil {
		return &CorruptError{Offset: at, Cause: err}
	}
	// The end has no fixed size, but its length can be told from the last segments that the index lists.
	return t.findEnd(w, at)
}

// findEnd goes from the last segment that the index lists to the end.
func (t *Tape) findEnd(w *window, index int64) error {
	offset := t.begin
	for _, l := range t.index.lanes {
		if len(l) > 0 {
			offset = max(offset, l[len(l)-1].offset)
		}
	}
	for offset < index {
		s, err := t.segment(w, offset)
		if err != nil {
			return err
		}
		if s.kind == kindEnd {
			if s.end() != index {
				return &CorruptError{Offset: offset, Cause: errOrder}
			}
			t.finished, err = t.end(w, s)
			return err
		}
		offset = s.end()
	}
	return &CorruptError{Offset: index, Cause: errOrder}
}

// segment reads the header at an offset.
func (t *Tape) segment(w *window, offset int64) (segment, error) {
	b, err := w.view(offset, segmentBytes)
	if err != nil {
		return segment{}, located(offset, err)
	}
	s, err := parseSegment(b, offset, &t.header)
	if err != nil {
		return s, &CorruptError{Offset: offset, Cause: err}
	}
	return s, nil
}

// leastLimit is the size up to which segments are read whatever the limits of records are, in bytes.
const leastLimit = 1 << 20

// data reads the data of a segment and checks them against their checksum. They are valid until the next use of w.
func (t *Tape) data(w *window, s segment) ([]byte, error) {
	// The index is bounded by the file, and read once.
	limit := max(leastLimit, int64(t.limits.MaxRecordBytes)+buffer.FrameHeader) + int64(s.table(&t.header))
	if s.kind == kindEnd || s.kind == kindEvent {
		limit = 2*leastLimit + int64(8*t.header.Lanes)
	}
	if int64(s.bytes) > limit && s.kind != kindIndex {
		return nil, &CorruptError{Offset: s.offset, Cause: fmt.Errorf("a segment of %d bytes, the limit is %d", s.bytes, limit)}
	}
	b, err := w.view(s.offset+segmentBytes, s.bytes)
	if err != nil {
		return nil, located(s.offset, err)
	}
	if sum(b) != s.sum {
		return nil, &CorruptError{Offset: s.offset, Cause: errData}
	}
	return b, nil
}

// end is what the end says.
type end struct {
	failed  bool
	message string
	records []uint64 // by lane
}

func (t *Tape) end(w *window, s segment) (*end, error) {
	b, err := t.data(w, s)
	if err != nil {
		return nil, err
	}
	p := parser{b: b}
	status := p.u8()
	p.zero(3)
	e := &end{failed: status == endFailed, message: p.text()}
	if p.bad || status > endFailed || len(e.message) > maxMessage || !e.failed && e.message != "" || len(p.b) != 8*t.header.Lanes {
		return nil, &CorruptError{Offset: s.offset, Cause: errEnd}
	}
	for range t.header.Lanes {
		e.records = append(e.records, p.u64())
	}
	return e, nil
}

// Header returns what the tape holds.
func (t *Tape) Header() Header { return t.header }

// Size returns the length of the file when it was opened, in bytes.
func (t *Tape) Size() int64 { return t.size }

// Damage returns why there is no index: a [CorruptError], with [ErrTruncated] as its cause if the tape was not closed. Nil if there is one. A tape without an index can be read, but reading from the middle has to
// look at all headers before.
func (t *Tape) Damage() error { return t.damage }

// Records returns how many records each lane has, as the end of the tape says; nil without an index.
func (t *Tape) Records() []uint64 {
	if t.finished == nil {
		return nil
	}
	return slices.Clone(t.finished.records)
}

// Verify reads the whole file and returns the first damage, wherever it is; see [CorruptError].
func (t *Tape) Verify(ctx context.Context) error {
	s := newScan(t, readOptions{})
	for {
		ok, err := s.step(ctx)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
	}
	return t.damage
}

// Close closes the file of a tape that [Open] has opened. Its readers fail from then on.
func (t *Tape) Close() error { return t.close() }
