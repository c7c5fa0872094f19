package archive_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/rwgen/rwgen/examples/archive"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// written returns a file of one reading.
func written(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := archive.NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(reading()), w.Flush()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// read returns how many measurements a file has, and the error behind them.
func read(file []byte) (n int, err error) {
	r, err := archive.NewReader(bytes.NewReader(file), record.Limits{MaxRecordBytes: 1 << 10})
	if err != nil {
		return 0, err
	}
	for ; ; n++ {
		if err := r.Next(new(archive.Measurement)); err != nil {
			return n, err
		}
	}
}

// TestDamaged: a file that ends early, has a length without bytes, or bytes that belong to nothing, is an error.
func TestDamaged(t *testing.T) {
	file := written(t)
	head := 4 + int(binary.BigEndian.Uint32(file))
	for n := range file {
		want := 0
		got, err := read(file[:n])
		if got != want || err == nil || n != head && err == io.EOF && n != 0 {
			t.Errorf("%d of %d bytes: %d records, %v", n, len(file), got, err)
		}
	}
	if n, err := read(file); n != 1 || err != io.EOF {
		t.Errorf("%d records, %v", n, err)
	}
	for name, c := range map[string]struct {
		tail []byte
		want error
	}{
		"a length above the limit": {[]byte{0, 0, 4, 1}, wire.ErrLimit},
		"the largest length":       {[]byte{0xff, 0xff, 0xff, 0xff}, wire.ErrLimit},
		"a length without bytes":   {[]byte{0, 0, 4, 0, 1}, io.ErrUnexpectedEOF},
		"no record":                {[]byte{0, 0, 0, 2, 3, 'a'}, wire.ErrTruncated},
	} {
		if n, err := read(append(bytes.Clone(file), c.tail...)); n != 1 || !errors.Is(err, c.want) {
			t.Errorf("%s: %d records, %v, want %v", name, n, err, c.want)
		}
	}
	longer := bytes.Clone(file)
	longer[head+3]++
	if n, err := read(append(longer, 7)); n != 0 || err == nil {
		t.Errorf("a byte behind the record: %d records, %v", n, err)
	}
}
