package codecs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/gen/internal/goldens/codecs/decimal"
	"github.com/rwgen/rwgen/gen/internal/goldens/codecs/uuid"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/wire"
)

var world = []check.Option{
	check.Own(func(rng *rand.Rand) (u uuid.UUID) {
		for i := range u {
			u[i] = byte(rng.Uint32())
		}
		return u
	}),
	check.Own(func(rng *rand.Rand) decimal.Decimal {
		if rng.IntN(4) == 0 {
			return decimal.Decimal{}
		}
		return decimal.New(rng.Int64(), rng.Int32())
	}),
	check.Own(func(rng *rand.Rand) Version { return Version{uint8(rng.IntN(98)), uint8(rng.IntN(256))} }),
	// Lengths around those at which the length of the length changes.
	check.Own(func(rng *rand.Rand) Note {
		return Note{text: strings.Repeat("n", []int{0, 1, 63, 64, 65, 126, 127, 128, 129, 300}[rng.IntN(10)])}
	}),
	check.Registered(MoneyCodec{}, func(rng *rand.Rand) decimal.Money { return decimal.Cents(rng.Int64()) }),
	check.Union[Either](uuid.UUID{}, (*Version)(nil), decimal.Money{}),
}

// lock makes locks that are no copies of others.
var lock = check.Own(func(rng *rand.Rand) Guarded { return Guarded{n: int32(rng.IntN(200))} })

func TestEntity(t *testing.T)    { check.Record(t, EntitySerializer{}, world...) }
func TestVersioned(t *testing.T) { check.Record(t, VersionedSerializer{}, world...) }
func TestWays(t *testing.T) {
	check.Ways(t, 3, check.Random[Entity](60, world...), NewEntityByNameWriter, NewEntityReader, world...)
}

func FuzzVersioned(f *testing.F) { check.Fuzz(f, VersionedSerializer{}, world...) }

// A value that must not be copied is not.
func TestLock(t *testing.T) {
	var s LockSerializer
	v, back := &Lock{First: Guarded{n: 200}}, &Lock{First: Guarded{n: 3}, Skip: 4}
	b, err := s.Append(nil, v)
	if err != nil || len(b) != s.Size(v) || len(b) != 202 {
		t.Fatalf("%d bytes, %v", len(b), err)
	}
	if n, err := s.Consume(b, back); err != nil || n != len(b) || back.First.n != 200 || back.Skip != 4 {
		t.Errorf("%d, %v: %d", n, err, back.First.n)
	}
	for n := range b {
		if _, err := s.Put(make([]byte, n), v); err != wire.ErrShort {
			t.Errorf("into %d bytes: %v", n, err)
		}
		if _, err := s.Consume(b[:n], back); !errors.Is(err, wire.ErrTruncated) {
			t.Errorf("from %d bytes: %v", n, err)
		}
	}
}

// The errors of methods come with the place of the value.
func TestErrors(t *testing.T) {
	for path, v := range map[string]*Entity{
		"Version":     {Version: Version{99, 0}},
		"Versions[1]": {Versions: []*Version{nil, {99, 0}}},
		"Either":      {Either: &Version{99, 0}},
	} {
		dst := []byte("dst")
		b, err := EntitySerializer{}.Append(dst, v)
		var e *wire.Error
		if !errors.Is(err, ErrMajor) || !errors.As(err, &e) || e.Path != path || string(b) != "dst" {
			t.Errorf("%s: %q, %v", path, b, err)
		}
	}
	b, err := VersionedSerializer{}.Append(nil, &Versioned{})
	if err != nil {
		t.Fatal(err)
	}
	b[9] = 200
	var e *wire.Error
	if _, err := (VersionedSerializer{}).Consume(b, new(Versioned)); !errors.Is(err, ErrMajor) || !errors.As(err, &e) || e.Path != "Version" || e.Offset != 8 {
		t.Errorf("reading: %v", err)
	}
}

// A panic of a method passes through, and nothing that was written before or after it is lost.
func TestPanic(t *testing.T) {
	const records = 10
	emit := map[string]func(w *VersionedWriter, batch []Versioned) error{
		"EmitBatch": func(w *VersionedWriter, batch []Versioned) error {
			_, err := w.EmitBatch(t.Context(), batch)
			return err
		},
		"Emit": func(w *VersionedWriter, batch []Versioned) error {
			for i := range batch {
				if err := w.Emit(t.Context(), &batch[i]); err != nil {
					return err
				}
			}
			return nil
		},
		"Broadcast": func(w *VersionedWriter, batch []Versioned) error {
			for i := range batch {
				if err := w.Broadcast(t.Context(), &batch[i]); err != nil {
					return err
				}
			}
			return nil
		},
	}
	for name, emit := range emit {
		t.Run(name, func(t *testing.T) {
			x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
			if err != nil {
				t.Fatal(err)
			}
			w, err := NewVersionedWriter(x.Partition(0))
			if err != nil {
				t.Fatal(err)
			}
			r, err := NewVersionedReader(x.Gate(0))
			if err != nil {
				t.Fatal(err)
			}
			// A first record, so that the block of the batch is open and its reader is at work on it.
			if err := w.Emit(t.Context(), &Versioned{Seq: records}); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			var first Versioned
			if ok, _, err := r.TryNext(&first); !ok || err != nil || first.Seq != records {
				t.Fatalf("first record %d, %v, %v", first.Seq, ok, err)
			}
			if ok, ended, err := r.TryNext(&first); ok || ended || err != nil {
				t.Fatalf("after the first record: %v, %v, %v", ok, ended, err)
			}
			batch := make([]Versioned, records)
			for i := range batch {
				batch[i].Seq = uint64(i)
			}
			batch[4].Version.major = 98
			panicked := func() (p any) {
				defer func() { p = recover() }()
				return emit(w, batch)
			}()
			if fmt.Sprint(panicked) != "version 98" {
				t.Fatalf("recovered %v", panicked)
			}
			// What was accepted is readable now, before the writer does anything else.
			next := func(want uint64) {
				t.Helper()
				var v Versioned
				if ok, _, err := r.TryNext(&v); !ok || err != nil || v.Seq != want {
					t.Fatalf("record %d, %v, %v, want %d", v.Seq, ok, err, want)
				}
			}
			if name == "EmitBatch" {
				for i := range uint64(4) {
					next(i)
				}
			}
			if err := emit(w, batch[5:]); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			for i := range uint64(records) {
				if i != 4 && (i > 4 || name != "EmitBatch") {
					next(i)
				}
			}
			if ok, ended, err := r.TryNext(new(Versioned)); ok || !ended || err != nil {
				t.Fatalf("after the last record: %v, %v, %v", ok, ended, err)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			if err := x.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Values that append are written without allocation.
func TestAllocs(t *testing.T) {
	check.Allocs(t, VersionedSerializer{}, &Versioned{1, Version{2, 3}}, 0)
}
