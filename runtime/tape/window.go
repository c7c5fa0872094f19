package tape

import (
	"errors"
	"fmt"
	"io"
)

const (
	windowBytes = 64 << 10
	// keepBytes is the size up to which a window keeps what a large segment made it grow to.
	keepBytes = 1 << 20
)

// window shows parts of a file, and keeps the last one that it has read. It is for one goroutine.
type window struct {
	r    io.ReaderAt
	size int64
	buf  []byte
	at   int64 // offset of buf
}

// view returns n bytes at an offset, valid until the next call. It fails with ErrTruncated if the file ends before; it reads, and allocates, no more than the file has.
func (w *window) view(offset int64, n int) ([]byte, error) {
	if offset >= w.at && offset+int64(n) <= w.at+int64(len(w.buf)) {
		return w.buf[offset-w.at:][:n], nil
	}
	left := w.size - offset
	if int64(n) > left {
		return nil, ErrTruncated
	}
	want := int(min(left, int64(max(n, windowBytes))))
	if cap(w.buf) < want || cap(w.buf) > keepBytes && want <= keepBytes {
		w.buf = make([]byte, want)
	}
	w.buf, w.at = w.buf[:want], offset
	got, err := w.r.ReadAt(w.buf, offset)
	w.buf = w.buf[:min(got, want)]
	if got >= n {
		return w.buf[:n], nil // an error behind it comes when it is wanted
	}
	if err == nil || errors.Is(err, io.EOF) {
		return nil, ErrTruncated // it has become shorter
	}
	return nil, &readError{offset, err}
}

// readError is an error of the file itself.
type readError struct {
	offset int64
	cause  error
}

func (e *readError) Error() string {
	return fmt.Sprintf("tape: read at offset %d: %v", e.offset, e.cause)
}

func (e *readError) Unwrap() error { return e.cause }
