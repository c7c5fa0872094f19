package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/rwgen/rwgen/runtime/record"
)

// Writer writes readings to a file: the text of their schema, then one after the other, each behind its length. It is for one goroutine.
type Writer struct {
	out *bufio.Writer
	buf []byte
}

// NewWriter starts a file.
func NewWriter(out io.Writer) (*Writer, error) {
	w := &Writer{out: bufio.NewWriter(out)}
	return w, w.frame([]byte(ReadingSerializer{}.Schema().Text))
}

// Write adds a reading. The memory of the last one is used again, so that nothing is allocated.
func (w *Writer) Write(r *Reading) error {
	p, err := ReadingSerializer{}.Append(w.buf[:0], r)
	if err != nil {
		return err
	}
	w.buf = p
	return w.frame(p)
}

func (w *Writer) frame(p []byte) error {
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(p)))
	if _, err := w.out.Write(head[:]); err != nil {
		return err
	}
	_, err := w.out.Write(p)
	return err
}

// Flush hands everything on.
func (w *Writer) Flush() error { return w.out.Flush() }

// Reader reads a file as measurements, whichever version of the program has written it. It is for one goroutine.
type Reader struct {
	in          *bufio.Reader
	limits      record.Limits
	translation *record.Translation // nil if the file has the bytes of measurements
	buf, own    []byte
}

// NewReader reads the schema of a file. If its records cannot be read as measurements, the error is a [record.ResolveError] that names each field.
func NewReader(in io.Reader, limits record.Limits) (*Reader, error) {
	r := &Reader{in: bufio.NewReader(in), limits: limits.WithDefaults()}
	text, err := r.frame()
	if err != nil {
		return nil, fmt.Errorf("archive: schema: %w", err)
	}
	name, typ, err := record.ParseSchema(string(text))
	if err != nil {
		return nil, err
	}
	r.translation, err = record.Resolve(record.NewSchema(name, typ), MeasurementSerializer{}.Schema())
	return r, err
}

// Next reads one measurement. The error is [io.EOF] at the end of the file.
func (r *Reader) Next(m *Measurement) error {
	p, err := r.frame()
	if err != nil {
		return err
	}
	if r.translation != nil {
		translated, n, err := r.translation.Append(r.own[:0], p, r.limits)
		if err != nil {
			return err
		}
		if n != len(p) {
			return fmt.Errorf("archive: %d bytes behind a record", len(p)-n)
		}
		r.own, p = translated, translated
	}
	n, err := MeasurementSerializer{}.ConsumeLimits(p, m, r.limits)
	if err == nil && n != len(p) {
		err = fmt.Errorf("archive: %d bytes behind a record", len(p)-n)
	}
	return err
}

// frame reads the bytes behind a length, which is looked at before there is memory for it. They are valid until the next call.
func (r *Reader) frame() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r.in, head[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if err := r.limits.CheckSize(int(min(size, 1<<31-1))); err != nil {
		return nil, err
	}
	for r.buf = r.buf[:0]; len(r.buf) < int(size); {
		// Piece by piece, so that a length alone takes no memory.
		n := min(int(size)-len(r.buf), 64<<10)
		r.buf = append(r.buf, make([]byte, n)...)
		if _, err := io.ReadFull(r.in, r.buf[len(r.buf)-n:]); err != nil {
			return nil, fmt.Errorf("archive: a frame of %d bytes: %w", size, errors.Join(io.ErrUnexpectedEOF, err))
		}
	}
	return r.buf, nil
}
