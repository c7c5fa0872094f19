package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rwgen/rwgen/examples/flights/data"
)

const (
	header     = "date,delay,distance,origin,destination"
	chunkBytes = 64 << 10
)

// input is a CSV file that can be read from the start as often as needed, except standard input.
type input struct {
	name string // for messages
	open func() (io.ReadCloser, error)
}

// openInput finds out what to read; it opens nothing but checks that a file exists.
func openInput(path string, stdin io.Reader) (input, error) {
	switch path {
	case "":
		return input{"flights-20k.csv", data.Flights}, nil
	case "-":
		return input{"stdin", func() (io.ReadCloser, error) { return decompress(io.NopCloser(stdin), "stdin") }}, nil
	}
	if _, err := os.Stat(path); err != nil {
		return input{}, err
	}
	return input{path, func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		return decompress(f, path)
	}}, nil
}

// decompress looks for the gzip header rather than at the name, so that it also works for standard input and odd names.
func decompress(r io.ReadCloser, name string) (io.ReadCloser, error) {
	b := bufio.NewReaderSize(r, chunkBytes)
	magic, err := b.Peek(2)
	if err != nil && err != io.EOF {
		r.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) && !strings.HasSuffix(name, ".gz") {
		return wrapped{b, r}, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return wrapped{whole{z}, r}, nil
}

// whole turns the end of compressed data in the wrong place into an error that does not look like the end of a short read.
type whole struct{ *gzip.Reader }

var errCut = errors.New("the compressed data are cut off")

func (w whole) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	if err == io.ErrUnexpectedEOF {
		err = errCut
	}
	return n, err
}

// wrapped reads from one and closes the other.
type wrapped struct {
	io.Reader
	io.Closer
}

// chunk is a piece of the input: whole lines.
type chunk struct {
	lines []byte
	first int // line number of the first one
}

// rowError is a malformed row.
type rowError struct {
	name   string
	line   int
	reason string
}

func (e *rowError) Error() string { return fmt.Sprintf("%s:%d: %s", e.name, e.line, e.reason) }

// split reads the input once and passes it on in chunks of whole lines. next returns the buffer to fill; send returns false when nobody wants more.
func (in input) split(next func() []byte, send func(chunk) bool) error {
	r, err := in.open()
	if err != nil {
		return err
	}
	defer r.Close()
	b := bufio.NewReaderSize(r, chunkBytes)
	head, err := b.ReadString('\n')
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	if got := strings.TrimRight(strings.TrimPrefix(head, "\ufeff"), "\r\n"); got != header {
		return &rowError{in.name, 1, fmt.Sprintf("the header is %.100q, want %q", got, header)}
	}
	line := 2
	var tail []byte // of the last read: the start of a line
	for {
		buf := append(next()[:0], tail...)
		n, err := io.ReadFull(b, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return fmt.Errorf("%s: after line %d: %w", in.name, line-1, err)
		}
		cut := len(buf)
		if !end {
			cut = bytes.LastIndexByte(buf, '\n') + 1
		}
		if cut == 0 && !end {
			return &rowError{in.name, line, fmt.Sprintf("the line is longer than %d bytes", cap(buf))}
		}
		tail = append(tail[:0], buf[cut:]...)
		if !send(chunk{buf[:cut], line}) {
			return nil
		}
		line += bytes.Count(buf[:cut], []byte{'\n'})
		if end {
			return nil
		}
	}
}
