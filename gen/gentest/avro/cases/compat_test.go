package cases

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"testing"

	twmb "github.com/twmb/avro"

	"github.com/rwgen/rwgen/runtime/avro"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// serializer is what is generated for a record with=equal.
type serializer[T any] interface {
	record.Serializer[T]
	Equal(a, b *T) bool
	Clone(v *T) *T
	Hash(v *T) uint64
}

// records calls f for every record.
func records(t *testing.T, f func(t *testing.T, c anyCase)) {
	for _, c := range allCases() {
		t.Run(c.name(), func(t *testing.T) { f(t, c) })
	}
}

// anyCase is a record of any type.
type anyCase interface {
	name() string
	compatible(t *testing.T, seed uint64, used any) (v any)
	blocks(t *testing.T, seed uint64, used any)
	hostile(t *testing.T, seed uint64)
	arbitrary(t *testing.T, src []byte)
	sample(t testing.TB, seed uint64) []byte
	zero() any
	allocs(t *testing.T)
}

type caseOf[T any] struct {
	serializer[T]
	single bool
	ref    *twmb.Schema // the schema in the reference library
}

func newCase[T any](s serializer[T], single bool) caseOf[T] {
	return caseOf[T]{s, single, twmb.MustParse(s.Schema().Reading)}
}

func (c caseOf[T]) name() string { return reflect.TypeFor[T]().Name() }
func (c caseOf[T]) zero() any    { return new(T) }

func (c caseOf[T]) schema() string { return c.Schema().Reading }

// make returns the bytes of a random record, and what they mean.
func (c caseOf[T]) make(t testing.TB, seed uint64, wide bool) ([]byte, any) {
	t.Helper()
	m, root := newMaker(t, c.schema(), seed)
	m.wide = wide
	var b []byte
	if c.single {
		b = c.header()
	}
	return m.value(b, root)
}

// header returns the header that the reference library writes.
func (c caseOf[T]) header() []byte {
	h := twmb.NewRabin()
	_, _ = h.Write(c.ref.Canonical())
	return binary.LittleEndian.AppendUint64([]byte{0xC3, 0x01}, h.Sum64())
}

func (c caseOf[T]) headerLen() int {
	if c.single {
		return avro.HeaderLen
	}
	return 0
}

func (c caseOf[T]) sample(t testing.TB, seed uint64) []byte {
	src, _ := c.make(t, seed, true)
	return src
}

func (c caseOf[T]) read(t *testing.T, src []byte, v *T) {
	t.Helper()
	n, err := c.Consume(src, v)
	if err != nil || n != len(src) {
		t.Fatalf("Consume(% x) = %d of %d, %v", src, n, len(src), err)
	}
}

// again returns what the reference library makes of the bytes.
func (c caseOf[T]) again(t *testing.T, src []byte) []byte {
	t.Helper()
	var x any
	rest, err := c.ref.Decode(src[c.headerLen():], &x, twmb.TaggedUnions())
	if err != nil || len(rest) > 0 {
		t.Fatalf("the reference library refuses % x: %v, %d bytes left", src, err, len(rest))
	}
	out, err := c.ref.Encode(x, twmb.TaggedUnions())
	if err != nil {
		t.Fatalf("the reference library cannot write %v: %v", x, err)
	}
	return append(bytes.Clone(src[:c.headerLen()]), out...)
}

func (c caseOf[T]) compatible(t *testing.T, seed uint64, used any) any {
	src, want := c.make(t, seed, false)
	v := new(T)
	c.read(t, src, v)
	if s := differ(c.name(), reflect.ValueOf(v).Elem(), want); s != "" {
		t.Fatal(s)
	}
	out, err := c.Append([]byte("before"), v)
	if err != nil || string(out) != "before"+string(src) {
		t.Fatalf("Append = % x, %v, want % x", out, err, src)
	}
	if n := c.Size(v); n != len(src) {
		t.Fatalf("Size = %d, want %d", n, len(src))
	}
	if got := c.again(t, out[6:]); !bytes.Equal(got, src) {
		t.Fatalf("the reference library writes % x, want % x", got, src)
	}
	// Neither does the value depend on what was in the variable.
	c.read(t, src, used.(*T))
	if s := differ(c.name(), reflect.ValueOf(used).Elem(), want); s != "" {
		t.Fatalf("read into a used variable: %s", s)
	}
	if !c.Equal(v, used.(*T)) || c.Hash(v) != c.Hash(used.(*T)) || !c.Equal(v, c.Clone(v)) {
		t.Fatal("a value is not equal to itself")
	}
	clear(src) // nothing is shared
	if !c.Equal(v, used.(*T)) {
		t.Fatal("a value has changed with its bytes")
	}
	return v
}

func (c caseOf[T]) blocks(t *testing.T, seed uint64, used any) {
	src, want := c.make(t, seed, true)
	v := new(T)
	c.read(t, src, v)
	if s := differ(c.name(), reflect.ValueOf(v).Elem(), want); s != "" {
		t.Fatal(s)
	}
	c.read(t, src, used.(*T))
	if s := differ(c.name(), reflect.ValueOf(used).Elem(), want); s != "" {
		t.Fatalf("read into a used variable: %s", s)
	}
	out, err := c.Append(nil, v)
	if err != nil || len(out) != c.Size(v) {
		t.Fatalf("%d bytes, %v, but Size %d", len(out), err, c.Size(v))
	}
	for _, bytes := range [][]byte{out, c.again(t, src), c.again(t, out)} {
		other := new(T)
		c.read(t, bytes, other)
		if !c.Equal(v, other) {
			t.Fatalf("% x is read as %+v, want %+v", bytes, other, v)
		}
	}
}

// hostile cuts bytes off the end, and gives too little room.
func (c caseOf[T]) hostile(t *testing.T, seed uint64) {
	src, _ := c.make(t, seed, true)
	v := new(T)
	if len(src) > 2000 {
		return // it takes the square of the time
	}
	for n := range len(src) {
		_, err := c.Consume(src[:n:n], v)
		var at *wire.Error
		if !errors.As(err, &at) || !errors.Is(err, wire.ErrTruncated) {
			t.Fatalf("%d of %d bytes: %v", n, len(src), err)
		}
		if at.Offset > n {
			t.Fatalf("%d of %d bytes: offset %d", n, len(src), at.Offset)
		}
	}
	c.read(t, src, v)
	size := c.Size(v)
	dst := make([]byte, size+3)
	for room := range size {
		if n, err := c.Put(dst[:room:room], v); err != wire.ErrShort {
			t.Fatalf("Put into %d of %d bytes: %d, %v", room, size, n, err)
		}
	}
	for i := range dst {
		dst[i] = 0xee
	}
	if n, err := c.Put(dst, v); err != nil || n != size || string(dst[size:]) != "\xee\xee\xee" {
		t.Fatalf("Put = %d, %v, want %d; behind it % x", n, err, size, dst[size:])
	}
	if n, err := c.Put(dst[:size], v); err != nil || n != size {
		t.Fatalf("Put into exactly its size = %d, %v", n, err)
	}
	limits := record.Limits{MaxRecordBytes: len(src) - 1}
	if len(src) > 1 {
		if _, err := c.ConsumeLimits(src, v, limits); !errors.Is(err, wire.ErrLimit) {
			t.Fatalf("a record of more bytes than the limit: %v", err)
		}
	}
}

// arbitrary reads any bytes. What is read can be written and read again, and the reference library reads it as well.
func (c caseOf[T]) arbitrary(t *testing.T, src []byte) {
	v := new(T)
	n, err := c.ConsumeLimits(src, v, record.Limits{MaxAllocBytes: 1 << 20, MaxDepth: 50})
	if err != nil {
		var at *wire.Error
		if !errors.As(err, &at) && !errors.Is(err, wire.ErrLimit) {
			t.Fatalf("%T %v", err, err)
		}
		return
	}
	if n > len(src) {
		t.Fatalf("%d of %d bytes", n, len(src))
	}
	out, err := c.Append(nil, v)
	if err != nil {
		t.Fatalf("what was read cannot be written: %v", err)
	}
	w := new(T)
	c.read(t, out, w)
	again, err := c.Append(nil, w)
	if err != nil || len(again) != len(out) {
		t.Fatalf("% x and % x, %v", out, again, err)
	}
}

func (c caseOf[T]) allocs(t *testing.T) {
	src, _ := c.make(t, 3, true)
	v := new(T)
	c.read(t, src, v)
	dst := make([]byte, c.Size(v))
	if n := testing.AllocsPerRun(100, func() {
		if _, err := c.Put(dst, v); err != nil {
			t.Fatal(err)
		}
	}); n > 0 && c.name() != "Logical" { // which has a big decimal
		t.Errorf("Put: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { c.Size(v) }); n > 0 && c.name() != "Logical" {
		t.Errorf("Size: %v allocations", n)
	}
}

const seeds = 100

func TestCompatible(t *testing.T) {
	records(t, func(t *testing.T, c anyCase) {
		used := c.zero()
		for seed := range uint64(seeds) {
			c.compatible(t, seed, used)
		}
	})
}

func TestBlocks(t *testing.T) {
	records(t, func(t *testing.T, c anyCase) {
		used := c.zero()
		for seed := range uint64(seeds) {
			c.blocks(t, seed, used)
		}
	})
}

func TestTruncated(t *testing.T) {
	records(t, func(t *testing.T, c anyCase) {
		for seed := range uint64(20) {
			c.hostile(t, seed)
		}
	})
}

func TestAllocs(t *testing.T) {
	records(t, func(t *testing.T, c anyCase) { c.allocs(t) })
}

func TestDamaged(t *testing.T) {
	records(t, func(t *testing.T, c anyCase) {
		for seed := range uint64(2) {
			src := c.sample(t, seed)
			for i := 0; i < len(src); i += 1 + len(src)/500 {
				for _, b := range []byte{0x00, 0x01, 0x02, 0x7f, 0x80, 0xff} {
					damaged := bytes.Clone(src)
					damaged[i] = b
					c.arbitrary(t, damaged)
				}
			}
		}
	})
}

// allCases returns a case for every record.
func allCases() []anyCase {
	return []anyCase{
		newCase[All](AllSerializer{}, false),
		newCase[Logical](LogicalSerializer{}, false),
		newCase[Tick](TickSerializer{}, false),
		newCase[Tree](TreeSerializer{}, false),
		newCase[Flight](FlightSerializer{}, false),
		newCase[Packet](PacketSerializer{}, true),
		newCase[Object](ObjectSerializer{}, true),
	}
}

func FuzzConsume(f *testing.F) {
	for i, c := range allCases() {
		f.Add(uint8(i), c.sample(f, 1))
	}
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		all := allCases()
		all[int(which)%len(all)].arbitrary(t, src)
	})
}
