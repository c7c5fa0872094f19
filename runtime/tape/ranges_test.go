package tape_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/tape"
)

// piece is a segment of a good tape, and which records it has of each lane.
type piece struct {
	begin, end int
	first      map[int]uint64
	records    uint64
}

// piecesOf returns the segments of records of a good tape of so many lanes.
func piecesOf(file []byte, lanes int) (all []piece) {
	le := binary.LittleEndian
	for _, at := range segmentsOf(file) {
		s := file[at:]
		p := piece{begin: at, end: at + 64 + int(le.Uint32(s[44:])), first: make(map[int]uint64), records: uint64(le.Uint32(s[40:]))}
		switch lane := le.Uint32(s[20:]); {
		case s[16] != 1:
			continue
		case lane < uint32(lanes):
			p.first[int(lane)] = le.Uint64(s[24:])
		default:
			for lane := range lanes {
				p.first[lane] = le.Uint64(s[64+8*lane:])
			}
		}
		all = append(all, p)
	}
	return all
}

// has reports whether by has all records of p.
func (p *piece) has(by, want [][]string) bool {
	for lane, first := range p.first {
		for _, v := range want[lane][first:][:p.records] {
			if !slices.Contains(by[lane], v) {
				return false
			}
		}
	}
	return true
}

// isPart reports whether part is what is left of all when some are taken out.
func isPart(part, all []string) bool {
	for _, v := range part {
		i := slices.Index(all, v)
		if i < 0 {
			return false
		}
		all = all[i+1:]
	}
	return true
}

// TestRanges overwrites ranges of a tape with zeros, ones and noise: errors are typed, what comes before the range is read, and with Resync also all that comes behind it. With other parts of the tape it may be less, but
// nothing that was not written, and nothing out of order.
func TestRanges(t *testing.T) {
	file, want := small(t)
	pieces := piecesOf(file, len(want))
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + rnd.IntN(1<<rnd.IntN(11))
		at := rnd.IntN(len(file))
		n = min(n, len(file)-at)
		how := rnd.IntN(4)
		b := bytes.Clone(file)
		part := b[at : at+n]
		switch how {
		case 0, 1:
			for i := range part {
				part[i] = byte(-how)
			}
		case 2:
			for i := range part {
				part[i] = byte(rnd.Uint32())
			}
		case 3:
			copy(part, file[rnd.IntN(len(file)):])
		}
		same := bytes.Equal(b, file)
		tp, err := tape.New(bytes.NewReader(b), int64(len(b)), tape.Config{})
		if err != nil {
			if !errors.Is(err, tape.ErrCorrupt) && !errors.Is(err, tape.ErrFormat) {
				t.Fatalf("%d bytes at %d: %v", n, at, err)
			}
			continue
		}
		if err := tp.Verify(t.Context()); errors.Is(err, tape.ErrCorrupt) == same {
			t.Fatalf("%d bytes at %d: verify %v", n, at, err)
		}
		by, err := contents(t.Context(), t, tp)
		if err != nil && !errors.Is(err, tape.ErrCorrupt) {
			t.Fatalf("%d bytes at %d: %v", n, at, err)
		}
		lost := int64(0)
		again, err := contents(t.Context(), t, tp, tape.Resync(func(l tape.Loss) { lost += l.Bytes }))
		if err != nil || lost > int64(len(b)) {
			t.Fatalf("%d bytes at %d: with resync %d bytes lost, then %v", n, at, lost, err)
		}
		for lane := range want {
			if !slices.Equal(by[lane], want[lane][:len(by[lane])]) || !isPart(again[lane], want[lane]) {
				t.Fatalf("%d bytes at %d: lane %d is %v, and %v with resync", n, at, lane, by[lane], again[lane])
			}
		}
		for _, p := range pieces {
			if p.end <= at && !p.has(by, want) {
				t.Fatalf("%d bytes at %d: the segment at %d, before them, was not read", n, at, p.begin)
			}
			if (p.end <= at || p.begin >= at+n) && how < 3 && !p.has(again, want) {
				t.Fatalf("%d bytes at %d: the segment at %d was not read with resync", n, at, p.begin)
			}
		}
	}
}

// TestResynchroniseCanceled: looking for the next segment ends with its context, loses nothing by it, and goes on where it was.
func TestResynchroniseCanceled(t *testing.T) {
	file, want := small(t)
	segments := segmentsOf(file)
	at := segments[3]
	const hole = 10 << 20
	b := slices.Concat(file[:at], make([]byte, hole), file[at:])
	ctx, cancel := context.WithCancel(t.Context())
	f := &stopping{ReaderAt: bytes.NewReader(b), stop: cancel}
	tp, err := tape.New(f, int64(len(b)), tape.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var losses []tape.Loss
	c := tp.Cursor(tape.Resync(func(l tape.Loss) { losses = append(losses, l) }))
	read := 0
	for {
		_, ok, err := c.Next(ctx)
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			break
		}
		if !ok {
			t.Fatal("the end was reached with a context that is done")
		}
		if read++; read == 3 {
			f.after = 3 // reads of a window
		}
	}
	if len(losses) > 0 || f.reads > 10 {
		t.Errorf("%v after %d reads", losses, f.reads)
	}
	reads := f.reads
	for {
		_, ok, err := c.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		read++
	}
	if read != total(want) || len(losses) != 1 || losses[0].Bytes != hole || losses[0].Offset != int64(at) {
		t.Errorf("%d of %d records, lost %v", read, total(want), losses)
	}
	if n := f.reads - reads; n > hole/(64<<10)+20 {
		t.Errorf("%d reads for the rest", n)
	}
}

// stopping is a file that calls stop at a read.
type stopping struct {
	io.ReaderAt
	after, reads int
	stop         func()
}

func (s *stopping) ReadAt(b []byte, at int64) (int, error) {
	s.reads++
	if s.after > 0 {
		if s.after--; s.after == 0 {
			s.stop()
		}
	}
	return s.ReaderAt.ReadAt(b, at)
}

// TestMemoryIsBounded: lengths and numbers in a file of a few KiB, with all checksums right, cost no more memory than the most lanes that a tape can have.
func TestMemoryIsBounded(t *testing.T) {
	file, _ := small(t)
	segments := segmentsOf(file)
	for field, offsets := range map[string][]int{"header": {8, 12, 32, 36, 40, 44, 48, 68, 76}, "segment": {20, 24, 28, 40, 44, 48, 52, 64, 68, 72, 76, 80, 84}} {
		for _, offset := range offsets {
			for _, value := range []uint32{1, 1 << 17, 1<<20 - 1, 1 << 24, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
				places := []int{0}
				if field == "segment" {
					places = segments
				}
				for _, at := range places {
					b := bytes.Clone(file)
					if at+offset+4 > len(b) {
						continue
					}
					binary.LittleEndian.PutUint32(b[at+offset:], value)
					b = mend(b)
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					readAnyhow(t, b)
					runtime.ReadMemStats(&after)
					if n := after.TotalAlloc - before.TotalAlloc; n > 24<<20 {
						t.Errorf("%s at %d: %d in the field at %d takes %d bytes", field, at, value, offset, n)
					}
				}
			}
		}
	}
}

// readAnyhow reads bytes in both ways.
func readAnyhow(t *testing.T, b []byte) {
	tp, err := tape.New(bytes.NewReader(b), int64(len(b)), tape.Config{})
	if err != nil {
		if !errors.Is(err, tape.ErrCorrupt) && !errors.Is(err, tape.ErrFormat) {
			t.Fatal(err)
		}
		return
	}
	for _, opt := range []tape.ReadOption{nil, tape.Resync(func(tape.Loss) {})} {
		c := tp.Cursor(opt)
		for {
			_, ok, err := c.Next(t.Context())
			var failed *partition.ProducerError
			if err != nil && !errors.Is(err, tape.ErrCorrupt) && !errors.As(err, &failed) {
				t.Fatal(err)
			}
			if !ok {
				break
			}
		}
	}
}

// FuzzDamage applies edits to a good tape: flips, cuts, copies and exchanges of ranges, and cuts, repetitions and exchanges of whole segments. What is read was written, in order, and what stands before the first edit is read.
func FuzzDamage(f *testing.F) {
	file, want := small(f)
	segments := append(segmentsOf(file), len(file)-32)
	pieces := piecesOf(file, len(want))
	for op := range byte(7) {
		f.Add([]byte{op, 3, 1, 40, 5})
		f.Add([]byte{op, 9, 7, 90, 2, op, 1, 1, 7, 7})
	}
	f.Fuzz(func(t *testing.T, edits []byte) {
		b, first := bytes.Clone(file), len(file)
		for ; len(edits) >= 5 && len(b) > 0; edits = edits[5:] {
			at := (int(edits[1])<<8 | int(edits[2])) % len(b)
			n := min(len(b)-at, 1+int(edits[3]))
			to := int(edits[4]) * len(b) / 256
			if edits[0]%7 > 3 {
				i := int(edits[1]) % (len(segments) - 1)
				at, n = min(segments[i], len(b)), segments[i+1]-segments[i]
				n = min(n, len(b)-at)
				to = min(segments[int(edits[4])%len(segments)], len(b))
			}
			cut := slices.Clone(b[at : at+n])
			first = min(first, at)
			switch edits[0] % 7 {
			case 0:
				b[at] ^= edits[4] | 1
			case 1, 4:
				b = slices.Delete(b, at, at+n)
			case 2, 5:
				b = slices.Insert(b, to, cut...)
				first = min(first, to)
			case 3, 6:
				b = slices.Delete(b, at, at+n)
				to = min(to, len(b))
				b = slices.Insert(b, to, cut...)
				first = min(first, to)
			}
			if len(b) > 1<<20 {
				return
			}
		}
		tp, err := tape.New(bytes.NewReader(b), int64(len(b)), tape.Config{})
		if err != nil {
			if !errors.Is(err, tape.ErrCorrupt) && !errors.Is(err, tape.ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		if err := tp.Verify(t.Context()); errors.Is(err, tape.ErrCorrupt) == bytes.Equal(b, file) {
			t.Fatalf("verify: %v", err)
		}
		by, err := contents(t.Context(), t, tp)
		if err != nil && !errors.Is(err, tape.ErrCorrupt) {
			t.Fatal(err)
		}
		again, err := contents(t.Context(), t, tp, tape.Resync(func(tape.Loss) {}))
		if err != nil {
			t.Fatalf("with resync: %v", err)
		}
		for lane := range want {
			if !slices.Equal(by[lane], want[lane][:min(len(by[lane]), len(want[lane]))]) || !isPart(again[lane], want[lane]) {
				t.Fatalf("lane %d is %v, and %v with resync", lane, by[lane], again[lane])
			}
		}
		for _, p := range pieces {
			if p.end <= first && (!p.has(by, want) || !p.has(again, want)) {
				t.Fatalf("the segment at %d, before the first edit at %d, was not read", p.begin, first)
			}
		}
	})
}
