package check

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// hostileValues is the number of random values whose bytes are cut, damaged and inflated.
const hostileValues = 6

// Hostile tests what a serializer and a reader do with bytes that no writer has made, and a writer with data that has no bytes: errors are those of the reflective serializer, at the
// same place; lengths that promise much take little memory; every limit ends where it ends for the reflective serializer, on the slice path and on that of streams; cycles are errors.
func Hostile[T any, R Reader[T]](
	t *testing.T, ser record.Serializer[T], newReader func(*gate.Gate, ...gate.Option) (R, error), opts ...Option,
) {
	t.Helper()
	w := newWorld(opts)
	ref, err := record.Reflect[T](w.reflect...)
	if err != nil {
		t.Fatal(err)
	}
	h := &hostile[T]{world: w, ser: ser, ref: ref, read: func(t *testing.T, payload []byte, l record.Limits) error {
		return readOne[T](t, ser.Schema(), newReader, payload, l)
	}}
	for i, v := range Random[T](hostileValues, opts...) {
		b, err := ser.Append(nil, &v)
		if err != nil {
			t.Fatal(err)
		}
		h.seeds = append(h.seeds, b)
		h.rng = rand.New(rand.NewPCG(uint64(i), 4))
	}
	t.Run("cut", h.cut)
	t.Run("lengths", h.lengths)
	t.Run("damaged", h.damage)
	t.Run("bombs", h.bombs)
	t.Run("limits", h.limits)
	t.Run("cycles", h.cycles)
	t.Run("used", h.used)
}

type hostile[T any] struct {
	*world
	ser, ref record.Serializer[T]
	read     func(t *testing.T, payload []byte, l record.Limits) error
	seeds    [][]byte
	rng      *rand.Rand
}

// step is the distance of the places in a record that are tried: 1, more if it is very long.
func step(b []byte) int { return 1 + int(int64(len(b))*int64(len(b))>>20) }

// cut tests that both serializers refuse every beginning of a record, at the same place.
func (h *hostile[T]) cut(t *testing.T) {
	for _, b := range h.seeds {
		for n := 0; n < len(b); n += step(b) {
			err := h.same(t, bytes.Clone(b[:n]), record.Limits{})
			if !errors.Is(err, wire.ErrTruncated) {
				t.Fatalf("%d of %d bytes: %v", n, len(b), err)
			}
		}
	}
}

// damage tests that both serializers refuse the same bytes, at the same place.
func (h *hostile[T]) damage(t *testing.T) {
	for _, b := range h.seeds {
		for i := 0; i < len(b); i += step(b) {
			for _, x := range []byte{b[i] ^ 1<<h.rng.IntN(8), byte(h.rng.Uint32()), 0xff} {
				src := bytes.Clone(b)
				src[i] = x
				_ = h.same(t, src, record.Limits{MaxAllocBytes: 1 << 20, MaxDepth: 50})
			}
		}
	}
}

// lengths puts a number in place of each byte and cuts the record behind it at several places: a length that is not there must be the same error for both serializers, a bound on it counting
// before what is left of the bytes.
func (h *hostile[T]) lengths(t *testing.T) {
	for _, b := range h.seeds {
		for i := 0; i < len(b); i += max(step(b), len(b)/200) {
			for _, n := range []uint64{2, 5, 11, 12, 17, 100, 127, 128, 300, 1 << 14, 1 << 31, math.MaxUint64} {
				src := binary.AppendUvarint(bytes.Clone(b[:i]), n)
				for _, more := range []int{0, 1, 10, 200} {
					rest := b[i+1 : min(len(b), i+1+more)]
					_ = h.same(t, append(bytes.Clone(src), rest...), record.Limits{MaxAllocBytes: 1 << 20, MaxDepth: 50})
				}
			}
		}
	}
}

// same reads bytes with both serializers. They must agree on whether they are a record, and if not, on where and why; see sameError.
func (h *hostile[T]) same(t *testing.T, src []byte, l record.Limits) error {
	t.Helper()
	n, err := h.ser.ConsumeLimits(src, new(T), l)
	m, refErr := h.ref.ConsumeLimits(src, new(T), l)
	if n != m || !sameError(err, refErr) {
		t.Fatalf("%.100x\ngenerated %d, %v\nreflected %d, %v", src, n, err, m, refErr)
	}
	return err
}

// bombMemory bounds what reading one record may allocate under the limits of bombs, freed or not: the budget, what strings and maps take beyond it, and an error.
const bombMemory = 512 << 10

// bombs puts large numbers in place of each byte, and bounds the memory that reading this takes.
func (h *hostile[T]) bombs(t *testing.T) {
	limits := record.Limits{MaxAllocBytes: 64 << 10, MaxDepth: 50}
	for _, b := range h.seeds {
		for i := 0; i < len(b); i += max(step(b), len(b)/100) {
			for _, n := range []uint64{1 << 14, 1 << 20, 64<<20 + 1, 1<<31 - 1, 1 << 31, 1<<32 + 1, 1 << 50, 1<<63 + 1, math.MaxUint64} {
				src := append(binary.AppendUvarint(bytes.Clone(b[:i]), n), b[i+1:]...)
				v := new(T)
				if took := allocated(func() { _, _ = h.ser.ConsumeLimits(src, v, limits) }); took > bombMemory {
					t.Fatalf("%d at %d of %d bytes takes %d bytes of memory: %x", n, i, len(b), took, src)
				}
			}
		}
	}
}

// allocated returns how many bytes f allocates, freed or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// limits finds how much of each limit a record takes, and tests that reading it with one less is an error of that limit: by either serializer, and by a reader.
func (h *hostile[T]) limits(t *testing.T) {
	for i, b := range h.seeds {
		for _, limit := range []struct {
			name string
			most int
			with func(n int) record.Limits
			err  error
		}{
			{"MaxAllocBytes", record.DefaultMaxAllocBytes, func(n int) record.Limits { return record.Limits{MaxAllocBytes: int64(n)} }, wire.ErrLimit},
			{"MaxDepth", record.DefaultMaxDepth, func(n int) record.Limits { return record.Limits{MaxDepth: n} }, wire.ErrDepth},
			{"MaxRecordBytes", record.DefaultMaxRecordBytes, func(n int) record.Limits { return record.Limits{MaxRecordBytes: n} }, wire.ErrLimit},
		} {
			// The least n for which the record is read, from 1, since 0 is the default.
			least, most := 1, limit.most
			for least < most {
				n := (least + most) / 2
				if _, err := h.ser.ConsumeLimits(b, new(T), limit.with(n)); err == nil {
					most = n
				} else {
					least = n + 1
				}
			}
			what := fmt.Sprintf("value %d of %d bytes, %s", i, len(b), limit.name)
			if err := h.same(t, b, limit.with(least)); err != nil {
				t.Fatalf("%s %d: %v", what, least, err)
			}
			if err := h.read(t, b, limit.with(least)); err != nil {
				t.Fatalf("%s %d: the reader: %v", what, least, err)
			}
			if least == 1 {
				continue
			}
			if err := h.same(t, b, limit.with(least-1)); !errors.Is(err, limit.err) {
				t.Fatalf("%s %d: %v", what, least-1, err)
			}
			if err := h.read(t, b, limit.with(least-1)); !errors.Is(err, limit.err) || !errors.Is(err, gate.ErrCorrupt) {
				t.Fatalf("%s %d: the reader: %v", what, least-1, err)
			}
		}
	}
}

// cycles writes data that contains itself, if the type can, and reads the depth bomb that has been written until it was refused.
func (h *hostile[T]) cycles(t *testing.T) {
	v := reflect.New(reflect.TypeFor[T]()).Elem()
	k := &knot{world: h.world, above: map[reflect.Type]reflect.Value{}}
	k.tie(v)
	if can := h.recursive(v.Type()); can != (k.cycles > 0) {
		t.Fatalf("the type is recursive: %v, but there are %d cycles", can, k.cycles)
	}
	if k.cycles == 0 {
		return
	}
	cyclic := v.Addr().Interface().(*T)
	for what, s := range map[string]record.Serializer[T]{"generated": h.ser, "reflected": h.ref} {
		if got, err := s.Append([]byte("keep"), cyclic); !errors.Is(err, wire.ErrDepth) || string(got) != "keep" {
			t.Errorf("%s: Append = %d bytes, %v", what, len(got), err)
		}
		// Making the room that Size asks for, as writers do, must lead to the same error.
		if _, err := s.Put(make([]byte, s.Size(cyclic)), cyclic); !errors.Is(err, wire.ErrDepth) {
			t.Errorf("%s: Put: %v", what, err)
		}
	}
	bomb := make([]byte, 1<<20)
	if _, err := h.ser.Put(bomb, cyclic); !errors.Is(err, wire.ErrDepth) {
		t.Fatalf("Put into %d bytes: %v", len(bomb), err)
	}
	for _, depth := range []int{1, 2, 3, 100, 500} {
		if err := h.same(t, bomb, record.Limits{MaxDepth: depth}); !errors.Is(err, wire.ErrDepth) {
			t.Errorf("reading %d levels: %v", depth, err)
		}
	}
}

// used reads records into one variable, and tests that it holds on to nothing of the records before: what is left in slices behind their end is zero.
func (h *hostile[T]) used(t *testing.T) {
	v := new(T)
	for _, i := range []int{0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0} {
		if _, err := h.ser.Consume(h.seeds[i], v); err != nil {
			t.Fatal(err)
		}
		if at := h.left(reflect.ValueOf(v).Elem(), reflect.TypeFor[T]().Name()); at != "" {
			t.Fatalf("%s has references to an earlier record behind its end", at)
		}
	}
}
