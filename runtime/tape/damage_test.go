package tape_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/tape"
)

// TestTruncated cuts a tape at every byte: what is whole before the cut is read, then comes ErrTruncated; with Resync the rest is reported as lost.
func TestTruncated(t *testing.T) {
	file, want := small(t)
	last := 0
	for n := range file {
		tp, err := tape.New(bytes.NewReader(file[:n]), int64(n), tape.Config{})
		if err != nil {
			if !errors.Is(err, tape.ErrTruncated) || !errors.Is(err, tape.ErrCorrupt) {
				t.Fatalf("%d bytes: %v", n, err)
			}
			continue
		}
		if err := tp.Damage(); !errors.Is(err, tape.ErrCorrupt) {
			t.Fatalf("%d bytes: damage %v", n, err)
		}
		if err := tp.Verify(t.Context()); !errors.Is(err, tape.ErrCorrupt) {
			t.Fatalf("%d bytes: verify %v", n, err)
		}
		by, err := contents(t.Context(), t, tp)
		if total(by) < last {
			t.Fatalf("%d bytes: %d records, %d with less", n, total(by), last)
		}
		last = total(by)
		for lane := range by {
			if !slices.Equal(by[lane], want[lane][:len(by[lane])]) {
				t.Fatalf("%d bytes: lane %d is %v", n, lane, by[lane])
			}
		}
		var bad *tape.CorruptError
		if errors.As(err, &bad) {
			if !errors.Is(err, tape.ErrTruncated) || bad.Offset > int64(n) {
				t.Fatalf("%d bytes: %v", n, err)
			}
		} else if err != nil || last != total(want) {
			t.Fatalf("%d bytes: %d records, then %v", n, last, err) // only the index and the trailer may be missing
		}
		var lost int64
		again, err := contents(t.Context(), t, tp, tape.Resync(func(l tape.Loss) {
			if l.Offset != bad.Offset || !errors.Is(l.Cause, tape.ErrTruncated) {
				t.Errorf("%d bytes: lost %+v", n, l)
			}
			lost += l.Bytes
		}))
		if err != nil || !reflect.DeepEqual(again, by) || bad != nil && lost != int64(n)-bad.Offset {
			t.Fatalf("%d bytes: with resync %d records, %d bytes lost, then %v", n, total(again), lost, err)
		}
	}
	// One lane alone: the others are passed over by their headers.
	for n := range file {
		tp, err := tape.New(bytes.NewReader(file[:n]), int64(n), tape.Config{})
		if err != nil {
			continue
		}
		var bad *tape.CorruptError
		if _, err := contents(t.Context(), t, tp, tape.Lanes(1)); errors.As(err, &bad) && (bad.Offset > int64(n) || !errors.Is(err, tape.ErrTruncated)) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		_, err = contents(t.Context(), t, tp, tape.Lanes(1), tape.Resync(func(l tape.Loss) {
			if l.Offset > int64(n) || l.Bytes < 0 || l.Offset+l.Bytes > int64(n) {
				t.Errorf("%d bytes: lost %+v", n, l)
			}
		}))
		if err != nil {
			t.Fatalf("%d bytes: with resync %v", n, err)
		}
	}
	if last != total(want) {
		t.Errorf("%d of %d records of the file without its last byte", last, total(want))
	}
}

// TestFlipped changes every byte of a tape, in two ways. Each change is detected; with Resync everything is read or reported as lost, and what is read is right.
func TestFlipped(t *testing.T) {
	file, want := small(t)
	for at := range file {
		for _, mask := range []byte{0x01, 0xff} {
			b := bytes.Clone(file)
			b[at] ^= mask
			tp, err := tape.New(bytes.NewReader(b), int64(len(b)), tape.Config{})
			if err != nil {
				if !errors.Is(err, tape.ErrCorrupt) && !errors.Is(err, tape.ErrFormat) {
					t.Fatalf("byte %d: %v", at, err)
				}
				continue
			}
			if err := tp.Verify(t.Context()); !errors.Is(err, tape.ErrCorrupt) {
				t.Fatalf("byte %d: verify: %v", at, err)
			}
			lost, gone := uint64(0), make(map[string]bool)
			by, err := contents(t.Context(), t, tp, tape.Resync(func(l tape.Loss) {
				lost += l.Records
				for i := range l.Records {
					gone[want[l.Lane][l.First+i]] = true
				}
			}))
			if err != nil {
				t.Fatalf("byte %d: with resync: %v", at, err)
			}
			// The end may be lost, and with it the knowledge of what it would have told.
			if n := total(by) + int(lost); n != total(want) {
				t.Fatalf("byte %d: read %d and lost %d of %d records", at, total(by), lost, total(want))
			}
			for lane := range by {
				kept := slices.DeleteFunc(slices.Clone(want[lane]), func(s string) bool { return gone[s] })
				if !slices.Equal(by[lane], kept) && len(gone) == int(lost) {
					t.Fatalf("byte %d: lane %d is %v, want %v", at, lane, by[lane], kept)
				}
			}
		}
	}
}

// TestCutOut takes pieces of any length out of a tape, and puts some in: a reader that resynchronises finds what comes behind.
func TestCutOut(t *testing.T) {
	file, want := small(t)
	tp := open(t, file)
	segments := segmentsOf(file)
	end := segments[len(segments)-2] // which tells what is missing before it
	for at := int(tp.Size()) / 4; at < end-300; at += 3 {
		for _, n := range []int{1, 64, 65, 300} {
			for name, b := range map[string][]byte{
				"out": slices.Concat(file[:at], file[at+n:]),
				"in":  slices.Concat(file[:at], bytes.Repeat([]byte{0xf1}, n), file[at:]),
			} {
				tp := open(t, b)
				_, err := contents(t.Context(), t, tp)
				if !errors.Is(err, tape.ErrCorrupt) {
					t.Fatalf("%d bytes at %d %s: %v", n, at, name, err)
				}
				lost, ended := uint64(0), true
				by, err := contents(t.Context(), t, tp, tape.Resync(func(l tape.Loss) {
					lost += l.Records
					ended = !errors.Is(l.Cause, tape.ErrTruncated)
				}))
				if got := total(by) + int(lost); err != nil || got > total(want) || ended && got < total(want) {
					t.Fatalf("%d bytes at %d %s: read %d, lost %d of %d records: %v", n, at, name, total(by), lost, total(want), err)
				}
			}
		}
	}
}

// TestMissingSegment takes out one whole segment of any kind, has it twice, and exchanges it with the next one: all checksums match, the numbers do not.
func TestMissingSegment(t *testing.T) {
	file, want := small(t)
	segments := segmentsOf(file)
	kinds := make(map[byte]int)
	for i, at := range segments {
		kind := file[at+16]
		kinds[kind]++
		next, after := len(file)-32, 0
		if i+1 < len(segments) {
			next = segments[i+1]
			after = len(file) - 32
		}
		if i+2 < len(segments) {
			after = segments[i+2]
		}
		changed := map[string][]byte{
			"out":   slices.Concat(file[:at], file[next:]),
			"twice": slices.Concat(file[:next], file[at:]),
		}
		if after > 0 {
			changed["late"] = slices.Concat(file[:at], file[next:after], file[at:next], file[after:])
		}
		for name, b := range changed {
			tp := open(t, b)
			if err := tp.Verify(t.Context()); !errors.Is(err, tape.ErrCorrupt) {
				t.Errorf("segment %d, of kind %d, %s: verify %v", i, kind, name, err)
			}
			// Who reads to the end of the records does not look at the index, nor for a second end.
			unread := kind == 5 || kind == 4 && name == "twice"
			var missing *tape.MissingSegmentsError
			by, err := contents(t.Context(), t, tp)
			if errors.Is(err, tape.ErrCorrupt) == unread {
				t.Errorf("segment %d, of kind %d, %s: %v", i, kind, name, err)
			}
			var records *tape.MissingError // comes first if the next segment is of the same lane
			if kind < 4 && (errors.As(err, &missing) || errors.As(err, &records)) != (name != "twice") || missing != nil && (missing.First != uint64(i) || missing.Segments != 1) {
				t.Errorf("segment %d, of kind %d, %s: %v", i, kind, name, err)
			}
			for lane := range by {
				if !slices.Equal(by[lane], want[lane][:len(by[lane])]) {
					t.Errorf("segment %d, of kind %d, %s: lane %d is %v", i, kind, name, lane, by[lane])
				}
			}
			gone, lost := uint64(0), uint64(0)
			by, err = contents(t.Context(), t, tp, tape.Resync(func(l tape.Loss) {
				gone += l.Records
				lost += l.Segments
			}))
			if err != nil || total(by)+int(gone) != total(want) && kind != 4 || (gone > 0) != (kind == 1 && name != "twice") {
				t.Errorf("segment %d, of kind %d, %s: read %d, lost %d of %d records: %v", i, kind, name, total(by), gone, total(want), err)
			}
			if kind < 4 && (lost != 1) != (name == "twice") {
				t.Errorf("segment %d, of kind %d, %s: %d segments are lost", i, kind, name, lost)
			}
		}
	}
	for kind := range byte(5) {
		if kinds[kind+1] == 0 {
			t.Errorf("no segment of kind %d", kind+1)
		}
	}
}

// TestMissingBeforeStart: what is missing before the place where reading begins does not matter, if the index leads there, and what is missing behind does.
func TestMissingBeforeStart(t *testing.T) {
	file, want := small(t)
	segments := segmentsOf(file)
	n := uint64(len(want[0]) - 1)
	for i, at := range segments[:len(segments)-2] {
		b := bytes.Clone(file)
		b[at+60] ^= 1 // of the checksum
		by, err := contents(t.Context(), t, open(t, b), tape.From(0, n), tape.Lanes(0))
		if err == nil && !slices.Equal(by[0], want[0][n:]) || err != nil && !errors.Is(err, tape.ErrCorrupt) {
			t.Errorf("segment %d: %v, %v", i, by[0], err)
		}
		if first := i == 0; first && err != nil {
			t.Errorf("the first segment: %v", err)
		}
	}
}

// segmentsOf returns where the segments of a good tape begin.
func segmentsOf(file []byte) (at []int) {
	for i := range file {
		if bytes.HasPrefix(file[i:], []byte("\xf1RWSEG\r\n")) {
			at = append(at, i)
		}
	}
	return at
}

// TestNoTape checks what is no tape at all.
func TestNoTape(t *testing.T) {
	for _, s := range []string{"", "x", "\x89RWTAPE\n", "\x89RWTAPE\n\x02\x00\x00\x00\x00\x00\x00\x00????", "date,delay,distance,origin,destination\n"} {
		_, err := tape.New(bytes.NewReader([]byte(s)), int64(len(s)), tape.Config{})
		if !errors.Is(err, tape.ErrFormat) && !errors.Is(err, tape.ErrTruncated) {
			t.Errorf("%q: %v", s, err)
		}
	}
	if _, err := tape.Open(t.TempDir() + "/none"); err == nil {
		t.Error("a file that there is not was opened")
	}
	if _, err := tape.Open(t.TempDir()); err == nil {
		t.Error("a directory was opened")
	}
}
