package tape_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/wire"
)

// TestFromEveryRecord reads from each record of each lane on, with the index and without.
func TestFromEveryRecord(t *testing.T) {
	file, want := small(t)
	segments := segmentsOf(file)
	for _, b := range [][]byte{file, file[:segments[len(segments)-1]]} { // the index is the last one
		tp := open(t, b)
		if (tp.Damage() == nil) != (len(b) == len(file)) {
			t.Fatalf("damage: %v", tp.Damage())
		}
		for lane := range want {
			for n := range len(want[lane]) + 1 {
				by, err := contents(t.Context(), t, tp, tape.From(lane, uint64(n)))
				for l := range want {
					from := 0
					if l == lane {
						from = n
					}
					if !slices.Equal(by[l], want[l][from:]) {
						t.Fatalf("from record %d of lane %d: lane %d is %v", n, lane, l, by[l])
					}
				}
				if err != nil {
					t.Fatalf("from record %d of lane %d: %v", n, lane, err)
				}
				by, err = contents(t.Context(), t, tp, tape.From(lane, uint64(n)), tape.Lanes(lane))
				if err != nil || total(by) != len(want[lane])-n || !slices.Equal(by[lane], want[lane][n:]) {
					t.Fatalf("lane %d alone from record %d: %v, %v", lane, n, by, err)
				}
			}
			for _, opts := range [][]tape.ReadOption{{tape.From(lane, uint64(len(want[lane]))+1)}, {tape.From(3, 0)}, {tape.From(-1, 0)}, {tape.Lanes(3)}, {tape.Lanes(0, -1)}} {
				if _, err := contents(t.Context(), t, tp, opts...); !errors.Is(err, tape.ErrPosition) {
					t.Errorf("lane %d: no position: %v", lane, err)
				}
			}
		}
	}
}

// long returns a tape with so many segments that not all are in its index.
func long(t testing.TB, records int) []byte {
	t.Helper()
	var file bytes.Buffer
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 2}}, &file)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriter(t, rec)
	for n := range uint32(records) {
		if err := errors.Join(w.Emit(t.Context(), &item{Lane: n / 3 % 2, Number: n}), w.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// counting counts the bytes that are read.
type counting struct {
	*bytes.Reader
	n int64
}

func (c *counting) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(b, at)
	c.n += int64(n)
	return n, err
}

// TestIndex checks positions in a tape whose index lists only some of its segments, and that it saves reading.
func TestIndex(t *testing.T) {
	const records = 70_000
	file := long(t, records)
	f := &counting{Reader: bytes.NewReader(file)}
	tp, err := tape.New(f, int64(len(file)), tape.Config{})
	if err != nil {
		t.Fatal(err)
	}
	got := tp.Records()
	if got[0]+got[1] != records {
		t.Fatalf("%d records", got)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		lane := rnd.IntN(2)
		n := rnd.Uint64N(got[lane])
		r, err := tape.NewReader(tp, items(t), tape.From(lane, n), tape.Lanes(lane))
		if err != nil {
			t.Fatal(err)
		}
		f.n = 0
		var v item
		ok, err := r.Next(t.Context(), &v)
		if want := uint32(n/3*6+n%3) + uint32(3*lane); !ok || err != nil || v.Number != want {
			t.Fatalf("record %d of lane %d is number %d, want %d: %v", n, lane, v.Number, want, err)
		}
		if f.n > 200<<10 {
			t.Fatalf("%d bytes were read for record %d of lane %d", f.n, n, lane)
		}
	}
}

// TestReadersAtOnce checks that a tape can be read by several at the same time.
func TestReadersAtOnce(t *testing.T) {
	file, want := small(t)
	tp := open(t, file)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				if by, err := contents(t.Context(), t, tp); err != nil || !reflect.DeepEqual(by, want) {
					t.Errorf("%v, %v", by, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestAll checks the iterator, and that a reader goes on after a loop was left, and after a context has ended.
func TestAll(t *testing.T) {
	file, want := small(t)
	r, err := tape.NewReader(open(t, file), items(t))
	if err != nil {
		t.Fatal(err)
	}
	if lane, _ := r.Last(); lane != -1 {
		t.Errorf("last before the first: lane %d", lane)
	}
	var kept []*item
	for v, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if kept = append(kept, v); len(kept) == 1 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for {
		var v item
		ok, err := r.Next(ctx, &v)
		if !ok {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("with an ended context: %v", err)
			}
			break
		}
		kept = append(kept, &v)
	}
	for v, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, v)
	}
	by := make([]string, 0, len(kept))
	for _, v := range kept {
		by = append(by, v.String())
	}
	all := slices.Concat(want...)
	slices.Sort(all)
	slices.Sort(by)
	if !slices.Equal(by, all) {
		t.Errorf("%v, want %v", by, all)
	}
}

// TestSchema checks that a reader of another record is refused.
func TestSchema(t *testing.T) {
	file, _ := small(t)
	type other struct{ Lane, Number string }
	ser, err := record.Reflect[other]()
	if err != nil {
		t.Fatal(err)
	}
	var resolved *record.ResolveError
	if _, err := tape.NewReader(open(t, file), ser); !errors.Is(err, partition.ErrSchema) || !errors.As(err, &resolved) {
		t.Errorf("%v", err)
	}
}

// TestLimits checks that a record above the limit is refused, with its size.
func TestLimits(t *testing.T) {
	file, _ := small(t)
	tp, err := tape.New(bytes.NewReader(file), int64(len(file)), tape.Config{Limits: record.Limits{MaxRecordBytes: 100}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := contents(t.Context(), t, tp); !errors.Is(err, wire.ErrLimit) || !errors.Is(err, tape.ErrCorrupt) {
		t.Errorf("%v", err)
	}
	tp, err = tape.New(bytes.NewReader(file), int64(len(file)), tape.Config{Limits: record.Limits{MaxAllocBytes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := contents(t.Context(), t, tp); err != nil {
		t.Errorf("no slices but bytes: %v", err)
	}
}

// TestWorkIsBounded reads a file of nothing but valid headers whose data would be all the rest, with Resync: looking for good ones again and again must not take for ever.
func TestWorkIsBounded(t *testing.T) {
	file, _ := small(t)
	segments := segmentsOf(file)
	header := bytes.Clone(file[segments[0] : segments[0]+64])
	b := bytes.Clone(file[:segments[0]])
	const n = 10_000
	for i := range n {
		binary.LittleEndian.PutUint32(header[44:], uint32(64*(n-1-i)+8))
		b = append(b, header...)
	}
	b = mendHeaders(append(b, make([]byte, 100)...))
	f := &counting{Reader: bytes.NewReader(b)}
	tp, err := tape.New(f, int64(len(b)), tape.Config{})
	if err != nil {
		t.Fatal(err)
	}
	losses := 0
	by, err := contents(t.Context(), t, tp, tape.Resync(func(tape.Loss) { losses++ }))
	if err != nil || total(by) != 0 || losses < 2 {
		t.Errorf("%d records, %d losses, then %v", total(by), losses, err)
	}
	if f.n > 20*int64(len(b)) {
		t.Errorf("%d bytes were read of a file of %d", f.n, len(b))
	}
}

// mendHeaders makes the checksums of all segments' headers right.
func mendHeaders(b []byte) []byte {
	for _, at := range segmentsOf(b) {
		if len(b) >= at+64 {
			binary.LittleEndian.PutUint32(b[at+60:], crc32.Checksum(b[at:at+60], crc32.MakeTable(crc32.Castagnoli)))
		}
	}
	return b
}
