package exchange_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/memory"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Two versions of a record, and one that neither can be read as.
type (
	tripV1 struct {
		ID   uint32
		Tag  string
		Pad  []byte
		Left int8
	}
	tripV2 struct {
		Name string `rw:"alias=Tag"`
		Pad  []byte
		New  string `rw:"default=none"`
		ID   uint64
	}
	tripText struct{ ID string }
)

// reflected returns a serializer of a version, which knows the name of the others.
func reflected[T any](t testing.TB) record.Serializer[T] {
	t.Helper()
	var names []string
	for _, name := range []string{"tripV1", "tripV2", "tripText"} {
		if name != reflect.TypeFor[T]().Name() {
			names = append(names, name)
		}
	}
	s, err := record.Reflect[T](record.Alias(names...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func tripWriter[T any](t testing.TB, x *exchange.Exchange, producer int) *writer.Writer[T] {
	t.Helper()
	w, err := writer.New(x.Partition(producer), reflected[T](t))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func tripReader[T any](t testing.TB, x *exchange.Exchange, consumers ...int) *gate.Reader[T] {
	t.Helper()
	r, err := gate.NewReader(x.Gate(consumers...), reflected[T](t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pad returns bytes that tell which record they are of. Some records are larger than blocks.
func pad(i int) []byte {
	n := i % 50
	if i%97 == 0 {
		n = 200 << 10
	}
	return bytes.Repeat([]byte{byte(i)}, n)
}

// TestVersionsOnOneExchange: a reader of the new version reads writers of both, whoever comes first, with every way to read.
func TestVersionsOnOneExchange(t *testing.T) {
	const records = 1500
	ways := map[string]func(ctx context.Context, r *gate.Reader[tripV2], see func(*tripV2)) error{
		"Next": func(ctx context.Context, r *gate.Reader[tripV2], see func(*tripV2)) error {
			var v tripV2
			for {
				ok, err := r.Next(ctx, &v)
				if !ok {
					return err
				}
				see(&v)
			}
		},
		"NextBatch": func(ctx context.Context, r *gate.Reader[tripV2], see func(*tripV2)) error {
			batch := make([]tripV2, 7)
			for {
				n, err := r.NextBatch(ctx, batch)
				if n == 0 {
					return err
				}
				for i := range n {
					see(&batch[i])
				}
			}
		},
		"Select and TryNext": func(ctx context.Context, r *gate.Reader[tripV2], see func(*tripV2)) error {
			var v tripV2
			for {
				if i, err := gate.Select(ctx, r); i < 0 || err != nil {
					return err
				}
				ok, _, err := r.TryNext(&v)
				if err != nil {
					return err
				}
				if ok {
					see(&v)
				}
			}
		},
		"NextBytes": func(ctx context.Context, r *gate.Reader[tripV2], see func(*tripV2)) error {
			ser := reflected[tripV2](t)
			for {
				p, ok, err := r.NextBytes(ctx)
				if !ok {
					return err
				}
				var v tripV2
				if n, err := ser.Consume(p, &v); err != nil || n != len(p) {
					return fmt.Errorf("%d of %d bytes: %w", n, len(p), err)
				}
				see(&v)
			}
		},
	}
	for name, read := range ways {
		for _, readerFirst := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, reader first: %v", name, readerFirst), func(t *testing.T) {
				x := newExchange(t, exchange.Config{Producers: 2, Consumers: 1})
				var r *gate.Reader[tripV2]
				if readerFirst {
					r = tripReader[tripV2](t, x, 0)
				}
				older, newer := tripWriter[tripV1](t, x, 0), tripWriter[tripV2](t, x, 1)
				if !readerFirst {
					r = tripReader[tripV2](t, x, 0)
				}
				ctx := t.Context()
				done := make(chan error, 2)
				go func() {
					for i := range records {
						if err := older.Emit(ctx, &tripV1{uint32(i), fmt.Sprint("old ", i), pad(i), 1}); err != nil {
							done <- err
							return
						}
					}
					done <- older.Close()
				}()
				go func() {
					for i := range records {
						if err := newer.Emit(ctx, &tripV2{fmt.Sprint("new ", i), pad(i), "new", uint64(i)}); err != nil {
							done <- err
							return
						}
					}
					done <- newer.Close()
				}()
				next := [2]int{}
				err := read(ctx, r, func(v *tripV2) {
					o := r.Last()
					want := tripV2{Name: fmt.Sprint("old ", v.ID), New: "none", ID: uint64(next[o.Producer])}
					if o.Producer == 1 {
						want.Name, want.New = fmt.Sprint("new ", v.ID), "new"
					}
					next[o.Producer]++
					if name != "NextBatch" && (v.Name != want.Name || v.New != want.New || v.ID != want.ID) || !bytes.Equal(v.Pad, pad(int(v.ID))) {
						t.Errorf("%v: %q %q %d with %d bytes, want %q %q %d", o, v.Name, v.New, v.ID, len(v.Pad), want.Name, want.New, want.ID)
					}
				})
				if err := errors.Join(err, <-done, <-done); err != nil {
					t.Error(err)
				}
				if next[0]+next[1] != 2*records || r.Stats().Records != 2*records {
					t.Errorf("%d records, %d by the counters", next, r.Stats().Records)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				if a := x.Stats().Assembly; a.Used != 0 {
					t.Errorf("%+v after the end", a)
				}
				mustClose(t, x)
			})
		}
	}
}

// TestVersionsRefused: who comes last and does not fit is told why, field by field, and nothing else changes.
func TestVersionsRefused(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 2, Consumers: 2})
	refused := func(err error, path string) {
		t.Helper()
		var why *record.ResolveError
		if !errors.Is(err, partition.ErrSchema) || !errors.As(err, &why) || why.Findings[0].Path != path || !strings.Contains(err.Error(), path) {
			t.Errorf("%v, want %s", err, path)
		}
	}
	newer := tripWriter[tripV2](t, x, 0)
	_, err := gate.NewReader(x.Gate(0), reflected[tripText](t))
	refused(err, "tripText.ID")
	_, err = gate.NewReader(x.Gate(1), reflected[tripV1](t)) // its ID is narrower
	refused(err, "tripV1.ID")
	reader := tripReader[tripV2](t, x, 0, 1) // both channels are free
	_, err = writer.New(x.Partition(1), reflected[tripText](t))
	refused(err, "tripV2.ID")
	older := tripWriter[tripV1](t, x, 1)
	if err := errors.Join(newer.Close(), older.Close()); err != nil {
		t.Error(err)
	}
	if ok, err := reader.Next(t.Context(), new(tripV2)); ok || err != nil {
		t.Error(ok, err)
	}
	_ = reader.Close()
	mustClose(t, x)
}

// TestStrictReader: a reader that refuses unknown fields is not connected with a writer that has one, whoever comes first.
func TestStrictReader(t *testing.T) {
	for _, readerFirst := range []bool{false, true} {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
		var err error
		if readerFirst {
			var r *gate.Reader[tripV2]
			if r, err = gate.NewReader(x.Gate(0), reflected[tripV2](t), gate.RefuseUnknown()); err != nil {
				t.Fatal(err)
			}
			_, err = writer.New(x.Partition(0), reflected[tripV1](t))
			_ = r.Close()
		} else {
			w := tripWriter[tripV1](t, x, 0)
			_, err = gate.NewReader(x.Gate(0), reflected[tripV2](t), gate.RefuseUnknown())
			_ = w.Close()
		}
		if !errors.Is(err, partition.ErrSchema) || !strings.Contains(err.Error(), "tripV2.Left: the field is unknown") {
			t.Errorf("reader first %v: %v", readerFirst, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_ = x.Close(ctx)
	}
}

// newCutterOf is a cutter of records of any schema.
func newCutterOf(t *testing.T, x *exchange.Exchange, producer int, s record.Schema) *cutter {
	t.Helper()
	p := x.Partition(producer)
	if _, err := p.Claim(partition.Claim{Schema: s, Flush: partition.OnFull()}); err != nil {
		t.Fatal(err)
	}
	return &cutter{t, p}
}

// TestTranslationInPieces: frames of an older writer may be cut anywhere.
func TestTranslationInPieces(t *testing.T) {
	ser := reflected[tripV1](t)
	var stream []byte
	const records = 40
	for i := range records {
		v := tripV1{uint32(i), fmt.Sprint("old ", i), bytes.Repeat([]byte{byte(i)}, i), 1}
		stream = append(stream, 0, 0, 0, byte(ser.Size(&v)))
		var err error
		if stream, err = ser.Append(stream, &v); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []int{1, 2, 3, 7, 64} {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
		r := tripReader[tripV2](t, x, 0)
		c := newCutterOf(t, x, 0, ser.Schema())
		var v tripV2
		i := 0
		for rest := stream; len(rest) > 0; {
			n := min(size, len(rest))
			c.send(0, rest[:n])
			rest = rest[n:]
			for {
				ok, _, err := r.TryNext(&v)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					break
				}
				if v.ID != uint64(i) || v.Name != fmt.Sprint("old ", i) || v.New != "none" || len(v.Pad) != i {
					t.Fatalf("record %d: %+v", i, v)
				}
				i++
			}
		}
		if i != records {
			t.Errorf("pieces of %d: %d records", size, i)
		}
		if err := c.part.Finish(); err != nil {
			t.Fatal(err)
		}
		if ok, err := r.Next(t.Context(), &v); ok || err != nil {
			t.Error(ok, err)
		}
		_ = r.Close()
		mustClose(t, x)
	}
}

// TestTranslationAllocatesNothing: to read an older version allocates nothing per record that reading the reader's own does not, once there is memory.
func TestTranslationAllocatesNothing(t *testing.T) {
	x := newExchange(t, exchange.Config{Producers: 2, Consumers: 1})
	older, newer := tripWriter[tripV1](t, x, 0), tripWriter[tripV2](t, x, 1)
	r := tripReader[tripV2](t, x, 0)
	next := func() {
		if _, ok, err := r.NextBytes(t.Context()); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	const records = 300
	measure := func(emit, flush func() error) float64 {
		for range records {
			if err := emit(); err != nil {
				t.Fatal(err)
			}
		}
		if err := flush(); err != nil {
			t.Fatal(err)
		}
		n := testing.AllocsPerRun(records-2, next) // and one to warm up
		next()
		return n
	}
	same := measure(func() error { return newer.Emit(t.Context(), &tripV2{Pad: make([]byte, 100)}) }, newer.Flush)
	translated := measure(func() error { return older.Emit(t.Context(), &tripV1{Pad: make([]byte, 100)}) }, older.Flush)
	if translated > same {
		t.Errorf("%v allocations per record of the older version, %v of the same", translated, same)
	}
	_ = r.Close()
	_ = older.Close()
	_ = newer.Close()
	mustClose(t, x)
}

// TestTranslationMemory: what a reader needs for a translated record is charged to the memory for records in pieces; without it the reader fails, and gives back what it has.
func TestTranslationMemory(t *testing.T) {
	ser := reflected[tripV1](t)
	payload, err := ser.Append(nil, &tripV1{Pad: make([]byte, 40_000)})
	if err != nil {
		t.Fatal(err)
	}
	frame := append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), payload...)
	enough := kib(len(payload) + len(payload)/2)
	for _, less := range []int64{0, 1 << 10} {
		x := newExchange(t, leastAssembly(1, enough-less))
		r, c := tripReader[tripV2](t, x, 0), newCutterOf(t, x, 0, ser.Schema())
		c.send(0, frame)
		var v tripV2
		ok, _, err := r.TryNext(&v)
		var short *gate.AssemblyError
		switch used := x.Stats().Assembly.Used; {
		case less == 0 && (!ok || err != nil || len(v.Pad) != 40_000 || used != enough):
			t.Errorf("%v, %v, %d bytes of %d", ok, err, used, enough)
		case less > 0 && (ok || !errors.As(err, &short) || !errors.Is(err, memory.ErrInsufficient) || short.Record != 0 || short.Size != len(payload) || used != 0):
			t.Errorf("%v, %v, %d bytes", ok, err, used)
		}
		_ = r.Close()
		if used := x.Stats().Assembly.Used; used != 0 {
			t.Errorf("%d bytes after the end", used)
		}
		if err := c.part.Finish(); err != nil && !errors.Is(err, partition.ErrConsumerGone) {
			t.Error(err)
		}
		mustClose(t, x)
	}
}

// TestTranslationFails: bytes that are no record of the writer, and too many of them, end the reader with the place.
func TestTranslationFails(t *testing.T) {
	ser := reflected[tripV1](t)
	good, err := ser.Append(nil, &tripV1{ID: 7, Tag: "seven"})
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]struct {
		payload []byte
		text    string
	}{
		"cut":       {good[:len(good)-1], "Left: offset 11: wire: source ends early"},
		"left over": {append(good[:len(good):len(good)], 1), "bytes are left over after the 12 of the record"},
	} {
		x := newExchange(t, exchange.Config{Producers: 1, Consumers: 1})
		r, c := tripReader[tripV2](t, x, 0), newCutterOf(t, x, 0, ser.Schema())
		for _, p := range [][]byte{good, bad.payload, good} {
			c.send(0, append([]byte{0, 0, 0, byte(len(p))}, p...))
		}
		var v tripV2
		if ok, err := r.Next(t.Context(), &v); !ok || err != nil || v.ID != 7 {
			t.Fatal(ok, err)
		}
		ok, err := r.Next(t.Context(), &v)
		var corrupt *gate.CorruptError
		if ok || !errors.As(err, &corrupt) || corrupt.Record != 1 || !strings.Contains(err.Error(), bad.text) {
			t.Errorf("%s: %v, want %s", name, err, bad.text)
		}
		if _, again := r.Next(t.Context(), &v); again != err {
			t.Errorf("%s: then %v", name, again)
		}
		if got := r.Last(); got.Seq != 0 {
			t.Errorf("%s: the last one is %+v", name, got)
		}
		_ = r.Close()
		if err := c.part.Finish(); !errors.Is(err, partition.ErrConsumerGone) {
			t.Errorf("%s: %v", name, err)
		}
		mustClose(t, x)
	}
}
