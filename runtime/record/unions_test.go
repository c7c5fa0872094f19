package record

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

type (
	shape  interface{ Area() float64 }
	circle struct{ R float32 }
	square struct{ Side int16 }
	kelvin float32
	group  struct{ Shapes []shape }
	point3 struct{}
	alien  struct{}
)

func (circle) Area() float64   { return 1 }
func (*square) Area() float64  { return 2 }
func (kelvin) Area() float64   { return 3 }
func (*group) Area() float64   { return 4 }
func (point3) Area() float64   { return 0 }
func (version) Area() float64  { return 0 }
func (alien) Area() float64    { return 0 }
func (scalars) Area() float64  { return 0 }
func (*chained) Area() float64 { return 0 }

type (
	scalars [2]int8
	chained struct {
		Name string
		Next shape
	}
)

// shapes is the union of most tests.
func shapes() ReflectOption {
	return UnionOf[shape](circle{}, (*square)(nil), kelvin(0), (*group)(nil), point3{}, version{}, scalars{}, (*chained)(nil))
}

// unionVectors has vectors for unions.
var unionVectors = []vector{
	vec("nil", one[shape]{}, "00", shapes()),
	vec("struct", one[shape]{circle{1}}, "01 0000803f", shapes()),
	vec("pointer", one[shape]{&square{-2}}, "02 feff", shapes()),
	vec("number", one[shape]{kelvin(1)}, "03 0000803f", shapes()),
	vec("nested", one[shape]{&group{[]shape{circle{1}, nil, &group{}}}}, "04 04 01 0000803f 00 04 00", shapes()),
	vec("of no bytes", one[shape]{point3{}}, "05", shapes()),
	vec("codec", one[shape]{version{3, 4}}, "06 02 0304", shapes()),
	vec("array", one[shape]{scalars{1, 2}}, "07 01 02", shapes()),
	vec("chain", one[shape]{&chained{"a", &chained{"", kelvin(1)}}}, "08 0161 08 00 03 0000803f", shapes()),
	vec("slice", one[[]shape]{[]shape{nil, point3{}}}, "03 00 05", shapes()),
	vec("map", one[map[int8]shape]{map[int8]shape{1: point3{}}}, "02 01 05", shapes()),
	vec("array of them", one[[2]shape]{[2]shape{point3{}, nil}}, "05 00", shapes()),
	vec("pointer to one", one[*shape]{ref[shape](point3{})}, "01 05", shapes()),
	vec("pointer to nil", one[*shape]{ref[shape](nil)}, "01 00", shapes()),
	vec("embedded", struct{ shape }{point3{}}, "05", shapes()),
	vec("between others", struct {
		A bool
		B shape
		C uint8
	}{true, circle{1}, 9}, "01 01 0000803f 09", shapes()),
	vec("error", one[error]{failure(7)}, "01 07", UnionOf[error](failure(0))),
}

func TestUnionVectors(t *testing.T) { checkVectors(t, unionVectors) }

type failure uint8

func (failure) Error() string { return "failure" }

// TestManyMembers needs tags of two bytes.
func TestManyMembers(t *testing.T) {
	members := row[int8](row[int16](row[int32](row[int64](row[int](nil)))))
	members = row[uint8](row[uint16](row[uint32](row[uint64](row[uint](members)))))
	members = row[bool](row[string](row[float32](row[float64](members))))
	if len(members) < 128 {
		t.Fatalf("%d members", len(members))
	}
	for _, k := range []int{1, 127, 128, len(members)} {
		v := one[holder]{members[k-1]}
		s, err := Reflect[one[holder]](UnionOf[holder](members...))
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.Append(nil, &v)
		if err != nil || len(data) != s.Size(&v) || !bytes.HasPrefix(data, wire.AppendUvarint(nil, uint64(k))) {
			t.Fatalf("member %d: %x, %v, size %d", k, data, err, s.Size(&v))
		}
		var back one[holder]
		if n, err := s.Consume(data, &back); err != nil || n != len(data) || back != v {
			t.Errorf("member %d: %d, %v, %#v", k, n, err, back)
		}
		if _, err := s.Put(data[:1], &v); k > 127 && err != wire.ErrShort {
			t.Errorf("member %d into a byte: %v", k, err)
		}
	}
}

// row appends a value each of ten types made with A.
func row[A any](list []holder) []holder {
	return append(list, pairOf[A, int8]{}, pairOf[A, int16]{}, pairOf[A, int32]{}, pairOf[A, int64]{}, pairOf[A, uint8]{}, pairOf[A, uint16]{},
		pairOf[A, uint32]{}, pairOf[A, uint64]{}, pairOf[A, bool]{}, pairOf[A, string]{})
}

func TestUnionWriteErrors(t *testing.T) {
	for _, tc := range []struct {
		name string
		v    one[[]shape]
		err  error
		text string
	}{
		{"no member", one[[]shape]{[]shape{nil, alien{}}}, wire.ErrMember, "V[1]: offset 2: record.alien: "},
		{"pointer to a member", one[[]shape]{[]shape{&circle{}}}, wire.ErrMember, "V[0]: offset 1: *record.circle: "},
		{"nil pointer", one[[]shape]{[]shape{(*square)(nil)}}, wire.ErrNil, "V[0]: offset 1: *record.square: "},
		{"below", one[[]shape]{[]shape{&chained{"", &chained{"", (*chained)(nil)}}}}, wire.ErrNil, "V[0].Next.Next: offset 5: "},
	} {
		s, err := Reflect[one[[]shape]](shapes())
		if err != nil {
			t.Fatal(err)
		}
		for _, dst := range [][]byte{nil, make([]byte, 0, 100)} {
			got, err := s.Append(dst, &tc.v)
			if !errors.Is(err, tc.err) || !strings.HasPrefix(err.Error(), tc.text) || len(got) != 0 {
				t.Errorf("%s: %v, want %s", tc.name, err, tc.text)
			}
		}
	}
}

var unionRefusals = []refusal{
	refuse[one[shape]]("tag out of range", "09", wire.ErrCorrupt, "V", 0, shapes()),
	refuse[one[shape]]("tag out of range, long", "ffffffffffffffffff01", wire.ErrCorrupt, "V", 0, shapes()),
	refuse[one[shape]]("tag too long", "8100", wire.ErrCorrupt, "V", 0, shapes()),
	refuse[one[shape]]("no tag", "", wire.ErrTruncated, "V", 0, shapes()),
	refuse[one[shape]]("member cut", "01 000080", wire.ErrTruncated, "V", 1, shapes()),
	refuse[one[shape]]("in a member", "08 0161 08 00 09", wire.ErrCorrupt, "V.Next.Next", 5, shapes()),
	refuse[one[shape]]("codec in a member", "06 01 03", errVersion, "V", 1, shapes()),
	refuse[one[[]shape]]("slice longer than the rest", "03 00", wire.ErrTruncated, "V", 0, shapes()),
	refuse[one[shape]]("nested too deeply", strings.Repeat("0402", DefaultMaxDepth+1)+"00", wire.ErrDepth, deepPath(), 2*DefaultMaxDepth+1, shapes()),
}

func TestUnionRefusals(t *testing.T) {
	checkRefusals(t, unionRefusals)
}

// deepPath is the path of the group that is one level too deep.
func deepPath() string {
	var err error
	err = wire.ErrDepth
	for range DefaultMaxDepth {
		err = wire.FieldError("Shapes", 0, wire.IndexError(0, 0, err))
	}
	var e *wire.Error
	errors.As(wire.FieldError("V", 0, err), &e)
	return e.Path
}

func TestUnionDepth(t *testing.T) {
	s, err := Reflect[one[shape]](shapes())
	if err != nil {
		t.Fatal(err)
	}
	nest := func(n int) *one[shape] {
		v := shape(nil)
		for range n {
			v = &group{[]shape{v}}
		}
		return &one[shape]{v}
	}
	data, err := s.Append(nil, nest(DefaultMaxDepth))
	if err != nil {
		t.Fatal(err)
	}
	var back one[shape]
	if _, err := s.Consume(data, &back); err != nil {
		t.Errorf("reading %d levels: %v", DefaultMaxDepth, err)
	}
	if _, err := s.Append(nil, nest(DefaultMaxDepth+1)); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("writing %d levels: %v", DefaultMaxDepth+1, err)
	}
	cycle := &group{make([]shape, 1)}
	cycle.Shapes[0] = cycle
	if _, err := s.Append(nil, &one[shape]{cycle}); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("writing a cycle: %v", err)
	}
}

// TestUnionBudget checks that members are charged what they take in memory, pointers or not.
func TestUnionBudget(t *testing.T) {
	for _, tc := range []struct {
		v      shape
		charge int64
	}{{circle{1}, 4}, {&square{1}, 2}, {&chained{}, 32}, {point3{}, 0}, {version{}, 16}, {nil, 0}} {
		s, err := Reflect[one[shape]](shapes())
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.Append(nil, &one[shape]{tc.v})
		if err != nil {
			t.Fatal(err)
		}
		var back one[shape]
		if _, err := s.ConsumeLimits(data, &back, Limits{MaxAllocBytes: max(tc.charge, 1)}); err != nil {
			t.Errorf("%T: %v", tc.v, err)
		}
		if tc.charge <= 1 {
			continue
		}
		if _, err := s.ConsumeLimits(data, &back, Limits{MaxAllocBytes: tc.charge - 1}); !errors.Is(err, wire.ErrLimit) {
			t.Errorf("%T with a byte less: %v", tc.v, err)
		}
	}
}

// TestUnionIsFresh checks that reading leaves alone what the interface held before.
func TestUnionIsFresh(t *testing.T) {
	s, err := Reflect[one[shape]](shapes())
	if err != nil {
		t.Fatal(err)
	}
	held := &square{1}
	v := one[shape]{held}
	if _, err := s.Consume([]byte{2, 5, 0}, &v); err != nil || held.Side != 1 || v.V.(*square).Side != 5 {
		t.Errorf("%v, %v, %v", err, held, v.V)
	}
}

func TestUnionSchema(t *testing.T) {
	s, err := Reflect[struct {
		A shape
		B []shape
		C *circle
		D *group
	}](shapes())
	if err != nil {
		t.Fatal(err)
	}
	want := "rwgen/1 {A shape<circle{R f32}|square{Side i16}|kelvin f32|group{Shapes []@shape}|point3{}|bin(version)|scalars [2]i8|chained{Name string,Next @shape}>," +
		"B []@shape,C *@circle,D *@group}"
	if got := s.Schema().Text; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestReflectOptionErrors(t *testing.T) {
	type generic[T any] interface{ Get() T }
	type local struct{ V shape }
	for _, tc := range []struct {
		name string
		err  error
		want string // part of the error, "" for none
	}{
		{"nothing", reflectWith[point](), ""},
		{"nil option", reflectWith[point](nil), ""},
		{"not used", reflectWith[point](shapes(), CodecOf(priceCodec{})), ""},
		{"no interface", reflectWith[point](UnionOf[circle](circle{})), "record.circle is no interface"},
		{"no name", reflectWith[point](UnionOf[interface{ Area() float64 }](circle{})), "has no name"},
		{"no members", reflectWith[point](UnionOf[shape]()), "has no members"},
		{"nil member", reflectWith[point](UnionOf[shape](nil)), "nil interface"},
		{"twice", reflectWith[point](UnionOf[shape](circle{}, circle{})), "record.circle twice"},
		{"value and pointer", reflectWith[point](UnionOf[shape](circle{}, &circle{})), "record.circle twice"},
		{"pointer to a pointer", reflectWith[point](UnionOf[holder]((**int)(nil))), "neither"},
		{"unnamed struct", reflectWith[point](UnionOf[holder](struct{}{})), "neither"},
		{"unnamed slice", reflectWith[point](UnionOf[holder]([]int(nil))), "neither"},
		{"pointer to a predeclared type", reflectWith[point](UnionOf[holder](new(int))), "neither"},
		{"pointer to an interface", reflectWith[point](UnionOf[holder]((*shape)(nil))), "interface"},
		{"predeclared types", reflectWith[one[holder]](UnionOf[holder](0, "", false)), ""},
		{"declared twice", reflectWith[point](shapes(), shapes()), "declared as a union twice"},
		{"member without encoding", reflectWith[one[holder]](UnionOf[holder](unencodable{})), "one.V(record.unencodable).C: chan int has no encoding"},
		{"generic", reflectWith[one[generic[int]]](UnionOf[generic[int]](getter{})), ""},
		{"map key", reflectWith[one[map[shape]int]](shapes()), "one.V[key]: record.shape is or holds a union and cannot be a map key"},
		{"in a map key", reflectWith[one[map[local]int]](shapes()), "is or holds a union"},
		{"union of itself", reflectWith[one[holder]](UnionOf[holder](holders(nil))), "other than through a named struct"},
		{"codec of a time", reflectWith[point](CodecOf(timesCodec{})), "cannot have a codec"},
		{"codec of a predeclared type", reflectWith[point](CodecOf(stringCodec{})), "string is no type that a package declares"},
		{"two codecs", reflectWith[point](CodecOf(priceCodec{}), CodecOf(&priceCodec{})), "has two codecs"},
		{"nil codec", reflectWith[point](CodecOf[price](nil)), "nil codec"},
		{"codec that is no struct", reflectWith[point](CodecOf(funcCodec(nil))), "no struct type"},
		{"several", reflectWith[point](CodecOf(timesCodec{}), UnionOf[shape]()), "has no members"},
	} {
		var e *TypeError
		if (tc.err == nil) != (tc.want == "") || tc.err != nil && (!strings.Contains(tc.err.Error(), tc.want) || !errors.As(tc.err, &e)) {
			t.Errorf("%s: %v, want %q", tc.name, tc.err, tc.want)
		}
	}
}

func reflectWith[T any](opts ...ReflectOption) error {
	_, err := Reflect[T](opts...)
	return err
}

type (
	holder      any
	holders     []holder
	unencodable struct{ C chan int }
	getter      struct{}
)

func (getter) Get() int { return 0 }

// FuzzUnion reads arbitrary bytes as unions and codecs. Nothing may panic; what is accepted stays the same when it is written and read again.
func FuzzUnion(f *testing.F) {
	opts := []ReflectOption{shapes(), CodecOf(priceCodec{})}
	type record struct {
		A []shape
		B map[version]shape
		C *price
		D string    `rw:"utf8,max=5"`
		E time.Time `rw:"unixnano"`
		F []byte    `rw:"view"`
	}
	s, err := Reflect[record](opts...)
	if err != nil {
		f.Fatal(err)
	}
	for _, v := range []record{
		{},
		{A: []shape{nil, circle{2}, &square{3}, &group{[]shape{kelvin(4), version{5, 6}}}}, C: &price{7}, D: "é", E: time.Unix(8, 9).UTC(), F: []byte{}},
		{B: map[version]shape{{1, 2}: scalars{3, 4}, {5, 6}: &chained{"x", &chained{}}}, C: &price{-1}, F: []byte("x")},
	} {
		data, err := s.Append(nil, &v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	limits := Limits{MaxAllocBytes: 1 << 20, MaxDepth: 50}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v, back record
		n, err := s.ConsumeLimits(data, &v, limits)
		if err != nil {
			var e *wire.Error
			if n != 0 || !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(data) {
				t.Fatalf("%d, %v", n, err)
			}
			return
		}
		again, err := s.Append(nil, &v)
		if err != nil || len(again) != n || s.Size(&v) != n || len(v.B) < 2 && !bytes.Equal(again, data[:n]) {
			t.Fatalf("%x becomes %x, %v", data[:n], again, err)
		}
		if m, err := s.Consume(again, &back); err != nil || m != n || !same(&v, &back) {
			t.Fatalf("%+v comes back as %+v, %v", v, back, err)
		}
	})
}
