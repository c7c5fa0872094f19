package tape_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/tape"
)

// vector is a tape of version 1 that must be readable for ever: what small writes.
const vector = "testdata/v1.tape"

// TestVector checks the bytes of version 1.
func TestVector(t *testing.T) {
	want, err := os.ReadFile(filepath.FromSlash(vector))
	if err != nil {
		t.Fatal(err)
	}
	got, by := small(t)
	if !bytes.Equal(got, want) {
		t.Errorf("the recorder writes %d bytes that are not those of %s", len(got), vector)
	}
	tp, err := tape.Open(filepath.FromSlash(vector))
	if err != nil {
		t.Fatal(err)
	}
	h := tp.Header()
	if h.Topology.Producers != 2 || h.Topology.Producer != 1 || h.Lanes != 3 || h.Record != "item" || h.Schema != items(t).Schema() || tp.Size() != int64(len(want)) {
		t.Errorf("header %+v", h)
	}
	read, err := contents(t.Context(), t, tp)
	if err != nil || total(read) != total(by) {
		t.Errorf("%d of %d records: %v", total(read), total(by), err)
	}
	if err := tp.Close(); err != nil {
		t.Error(err)
	}
	if _, err := contents(t.Context(), t, tp, tape.From(0, 1)); total(read) > 0 && !errors.Is(err, os.ErrClosed) {
		t.Errorf("after close: %v", err)
	}
}

// mend makes all checksums right that it finds, so that fuzzing gets behind them.
func mend(b []byte) []byte {
	b = bytes.Clone(b)
	table := crc32.MakeTable(crc32.Castagnoli)
	put := func(b []byte, from, to int) { binary.LittleEndian.PutUint32(b[to:], crc32.Checksum(b[from:to], table)) }
	if len(b) > 20 {
		if n := uint64(binary.LittleEndian.Uint32(b[12:])) + 16; n+4 <= uint64(len(b)) {
			put(b, 0, int(n))
		}
	}
	for _, at := range segmentsOf(b) {
		s := b[at:]
		if len(s) < 64 {
			break
		}
		if n := uint64(binary.LittleEndian.Uint32(s[44:])) + 64; n <= uint64(len(s)) {
			binary.LittleEndian.PutUint32(s[56:], crc32.Checksum(s[64:n], table))
		}
		put(s, 0, 60)
	}
	if n := len(b) - 32; n > 0 {
		put(b[n:], 0, 28)
	}
	return b
}

// FuzzTape reads any bytes as a tape, in all ways: they only ever cause errors, and what is read is within the limits.
func FuzzTape(f *testing.F) {
	file, _ := small(f)
	f.Add(file, uint64(0))
	f.Add(file[:len(file)/2], uint64(3))
	f.Fuzz(func(t *testing.T, b []byte, start uint64) {
		const limit = 700
		for _, b := range [][]byte{b, mend(b)} {
			tp, err := tape.New(bytes.NewReader(b), int64(len(b)), tape.Config{Limits: record.Limits{MaxRecordBytes: limit}})
			if err != nil {
				if !errors.Is(err, tape.ErrFormat) && !errors.Is(err, tape.ErrCorrupt) {
					t.Fatal(err)
				}
				continue
			}
			whole := tp.Verify(t.Context()) == nil
			var lost int64
			resync := tape.Resync(func(l tape.Loss) { lost += l.Bytes })
			onEvent := tape.OnEvent(func(_ int, e *partition.Event) error {
				if len(e.Data) > len(b) {
					t.Fatal("an event that is larger than the file")
				}
				return nil
			})
			for _, opts := range [][]tape.ReadOption{{onEvent}, {resync, onEvent}, {tape.From(0, start)}, {tape.From(0, start), resync}} {
				lost = 0
				c := tp.Cursor(opts...)
				read := 0
				for {
					p, ok, err := c.Next(t.Context())
					if !ok {
						var failed *partition.ProducerError
						if err != nil && !errors.Is(err, tape.ErrCorrupt) && !errors.Is(err, tape.ErrPosition) && !errors.As(err, &failed) {
							t.Fatal(err)
						}
						if len(opts) == 2 && errors.Is(err, tape.ErrCorrupt) {
							t.Fatalf("with resync: %v", err)
						}
						break
					}
					if read += len(p); len(p) > limit {
						t.Fatalf("a record of %d bytes", len(p))
					}
				}
				if lost > int64(len(b)) || whole && lost > 0 {
					t.Fatalf("%d of %d bytes lost", lost, len(b))
				}
			}
		}
	})
}
