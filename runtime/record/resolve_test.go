package record_test

import (
	"errors"
	"math"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

func serializer[T any](t testing.TB, opts ...record.ReflectOption) record.Serializer[T] {
	t.Helper()
	s, err := record.Reflect[T](opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// older says that W had the name of V before, if it has another one now.
func older[V, W any]() []record.ReflectOption {
	was, is := reflect.TypeFor[V]().Name(), reflect.TypeFor[W]().Name()
	if was == "" || is == "" || was == is {
		return nil
	}
	return []record.ReflectOption{record.Alias(was)}
}

// reads writes v as a V and reads it as a W, which must be want.
func reads[V, W any](v V, want W, opts ...record.ReflectOption) func(t *testing.T) {
	return func(t *testing.T) {
		got, err := readAs[W](t, serializer[V](t, opts...), v, opts...)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
}

func readAs[W, V any](t *testing.T, from record.Serializer[V], v V, opts ...record.ReflectOption) (got W, err error) {
	t.Helper()
	to := serializer[W](t, slices.Concat(opts, older[V, W]())...)
	translation, err := record.Resolve(from.Schema(), to.Schema())
	if err != nil {
		return got, err
	}
	p, err := from.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	if translation != nil {
		n := 0
		if p, n, err = translation.Append(nil, p, record.Limits{}); err != nil {
			return got, err
		}
		if size := from.Size(&v); n != size {
			t.Errorf("%d of %d bytes", n, size)
		}
	}
	n, err := to.Consume(p, &got)
	if err == nil && n != len(p) {
		t.Errorf("%d of %d bytes are read", n, len(p))
	}
	return got, err
}

type (
	figure interface{ area() float64 }
	Disc   struct{ R float64 }
	Square struct{ A float32 }
	Dot    struct{}
)

func (Disc) area() float64   { return 0 }
func (Square) area() float64 { return 0 }
func (Dot) area() float64    { return 0 }

// TestRules reads values of one version as those of another, one rule at a time.
func TestRules(t *testing.T) {
	one, word, at := 1, "w", time.Unix(1700000000, 5).UTC()
	for name, check := range map[string]func(*testing.T){
		"added": reads(struct{ A int32 }{7}, struct {
			Z string
			A int32
			B *int
			C []int
			D map[string]int
			E time.Time
			F [2]time.Time
			G time.Time `rw:"unixnano"`
			H struct {
				T bool
				N [3]int16
			}
			I figure
		}{A: 7}, record.UnionOf[figure](Disc{})),
		"defaults": reads(struct{ A int32 }{7}, struct {
			B bool    `rw:"default=true"`
			S string  `rw:"default='a, b; \"c\"'"`
			I int16   `rw:"default=-5"`
			V int64   `rw:"varint,default=-300"`
			U uint64  `rw:"varint,default=300"`
			F float32 `rw:"default=1.5"`
			G float64 `rw:"default=-2.5"`
			A int32
		}{true, `a, b; "c"`, -5, -300, 300, 1.5, -2.5, 7}),
		"a default is not for a value that is there": reads(struct{ A, B int32 }{}, struct {
			A int32 `rw:"default=9"`
			C int32 `rw:"alias=B,default=9"`
		}{}),
		"removed": reads(struct {
			A int32
			B string
			C *string
			D map[string][]int
			E bool
			F []*figureHolder
			G int8
		}{1, "b", &word, map[string][]int{"x": {1}}, true, []*figureHolder{nil, {F: Disc{1}}}, 2}, struct {
			A int32
			G int8
		}{1, 2}, record.UnionOf[figure](Disc{})),
		"reordered": reads(struct {
			A string
			B int32
			C *string
			D bool
			E []string
			F uint8
		}{"a", 2, &word, true, []string{"e"}, 6}, struct {
			F uint8
			E []string
			A string
			D bool
			C *string
			B int32
		}{6, []string{"e"}, "a", true, &word, 2}),
		"renamed": reads(struct{ A, B int32 }{1, 2}, struct {
			X int32 `rw:"alias=Q|A"`
			B int32
		}{1, 2}),
		"an alias is not for a name that is taken": reads(struct{ B, A int32 }{1, 2}, struct {
			B int32
			X int32 `rw:"alias=C"`
		}{1, 0}),
		"widened": reads(struct {
			A int8
			B int16 `rw:"varint"`
			C uint32
			D uint8
			E float32
			F string
			G []byte
			H []byte
			I time.Time
			J time.Time `rw:"unixnano"`
			K int
			L uint16 `rw:"varint"`
			M int64
			N []uint8
			O []int8
			P map[uint8]float32
		}{-1, -2, 1 << 31, 200, 1.5, "f", []byte("g"), nil, at, at, -3, 60000, math.MinInt64, []byte{1}, []int8{-1, 1}, map[uint8]float32{3: 0.5}}, struct {
			A int64 `rw:"varint"`
			B int32
			C int64
			D uint64 `rw:"varint"`
			E float64
			F []byte
			G string
			H string
			I time.Time `rw:"unixnano"`
			J time.Time
			K int64
			L int32 `rw:"varint"`
			M int64 `rw:"varint"`
			N []uint8
			O []int64
			P map[uint16]float64
		}{-1, -2, 1 << 31, 200, 1.5, []byte("f"), "g", "", at, at, -3, 60000, math.MinInt64, []byte{1}, []int64{-1, 1}, map[uint16]float64{3: 0.5}}),
		"made optional": reads(struct {
			A int
			B bool
			C string
			D []int8
			E bool
			F int32 `rw:"varint"`
		}{1, true, "w", []int8{1, 1}, false, 1}, struct {
			A *int
			B *bool
			C **string
			D []*int
			E **bool
			F *int
		}{&one, ref(true), ref(&word), []*int{&one, &one}, ref(ref(false)), &one}),
		"optional stays optional": reads(struct{ A, B *int32 }{A: new(int32)}, struct{ A, B *int64 }{A: new(int64)}),
		"members added and in another order": reads(figureHolder{[]figure{Disc{1}, nil, Square{2}}, Disc{3}}, struct {
			L []figureV2
			F figureV2
		}{[]figureV2{Disc{1}, nil, Square{2}}, Disc{3}}, record.UnionOf[figure](Disc{}, Square{}), record.UnionOf[figureV2](Dot{}, Square{}, Disc{})),
		"nested and recursive": reads(node{"a", []*node{{"b", nil, nil, 1}, nil}, map[string]node{"c": {N: 3}}, 2}, nodeV2{2, "a", []*nodeV2{{1, "b", nil, nil, "new"}, nil}, map[string]nodeV2{"c": {3, "", nil, nil, "new"}}, "new"}),
		"nothing":              reads(struct{}{}, struct{ A int }{}),
	} {
		t.Run(name, check)
	}
}

func ref[T any](v T) *T { return &v }

type (
	figureHolder struct {
		L []figure
		F figure
	}
	figureV2 interface{ area() float64 }
	node     struct {
		S string
		C []*node
		M map[string]node
		N int32
	}
	nodeV2 struct {
		N int64
		S string
		C []*nodeV2
		M map[string]nodeV2
		X string `rw:"default=new"`
	}
)

// TestRefused: what Compare refuses is refused with its findings, each on a line.
func TestRefused(t *testing.T) {
	type V1 struct {
		A int64
		B *string
		C [3]int8
		D string
		E netip.Addr
		F struct{ X uint8 }
		G int8
	}
	type V2 struct {
		A int32
		B string
		C [4]int8
		D float64
		E time.Time
		F struct{ X int8 }
		G int8
		H netip.Addr
		I *netip.Addr
		J [2]struct{ A netip.Addr }
	}
	_, err := record.Resolve(serializer[V1](t).Schema(), serializer[V2](t, record.Alias("V1")).Schema())
	var refused *record.ResolveError
	if !errors.As(err, &refused) || refused.Writer != "V1" || refused.Reader != "V2" {
		t.Fatalf("%v", err)
	}
	var paths []string
	for _, f := range refused.Findings {
		paths = append(paths, f.Path)
		if !strings.Contains(err.Error(), "\n\t"+f.String()) {
			t.Errorf("%v does not have %v", err, f)
		}
	}
	if want := []string{"V2.A", "V2.B", "V2.C", "V2.D", "V2.E", "V2.F.X", "V2.H", "V2.J"}; !reflect.DeepEqual(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
	type other = struct{ Q int }
	if _, err := record.Resolve(serializer[other](t).Schema(), serializer[V2](t).Schema()); !errors.As(err, &refused) || !strings.Contains(err.Error(), "another record") {
		t.Errorf("a record without any field of it: %v", err)
	}
}

// TestRefuseUnknown: fields and members that the reader lacks are refused, all of them, if the reader says so.
func TestRefuseUnknown(t *testing.T) {
	type V2 struct{ F figureV2 }
	w, r := serializer[figureHolder](t, record.UnionOf[figure](Disc{}, Square{})), serializer[V2](t, record.UnionOf[figureV2](Square{}), record.Alias("figureHolder"))
	if translation, err := record.Resolve(w.Schema(), r.Schema()); translation == nil || err != nil {
		t.Errorf("without the option: %v", err)
	}
	_, err := record.Resolve(w.Schema(), r.Schema(), record.RefuseUnknown(), nil)
	var refused *record.ResolveError
	if !errors.As(err, &refused) || len(refused.Findings) != 2 || refused.Findings[0].Path != "V2.F" || refused.Findings[1].Path != "V2.L" {
		t.Errorf("%v", err)
	}
	// Without the option, a record that has a value of the member is an error that names it.
	if _, err := readAs[V2](t, w, figureHolder{F: Disc{}}, record.UnionOf[figureV2](Square{})); !errors.Is(err, record.ErrUnknownMember) || !strings.Contains(err.Error(), "F: offset 1: member Disc") {
		t.Errorf("%v", err)
	}
	if got, err := readAs[V2](t, w, figureHolder{F: Square{2}}, record.UnionOf[figureV2](Square{})); err != nil || got.F != (Square{2}) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestNoTranslation: schemas whose bytes are the same need none.
func TestNoTranslation(t *testing.T) {
	type V1 struct {
		A int64
		B int16 `rw:"varint"`
		F figure
	}
	type V2 struct {
		X int   `rw:"alias=A"`
		B int64 `rw:"varint"`
		F figureV2
	}
	w, r := serializer[V1](t, record.UnionOf[figure](Disc{}, Dot{})), serializer[V2](t, record.UnionOf[figureV2](Disc{}, Dot{}, Square{}), record.Alias("V1"))
	if translation, err := record.Resolve(w.Schema(), r.Schema()); translation != nil || err != nil {
		t.Errorf("%v, %v", translation, err)
	}
	if translation, err := record.Resolve(r.Schema(), r.Schema(), record.RefuseUnknown()); translation != nil || err != nil {
		t.Errorf("a schema and itself: %v, %v", translation, err)
	}
}

// TestBadSchemas: schemas that are none are errors, of whose side is said.
func TestBadSchemas(t *testing.T) {
	good := record.Schema{Text: "rwgen/1 R{A i8}", Fingerprint: 1}
	for _, c := range []struct {
		writer, reader record.Schema
		want           string
	}{
		{record.Schema{Text: "rwgen/1 R{A i9}"}, good, "the writer's schema: record: schema at byte 12"},
		{good, record.Schema{Text: "rwgen/2"}, "the reader's schema"},
		{record.Schema{Text: "rwgen/1 R{A @R}"}, good, "a value of R contains itself"},
		{record.Schema{Text: "rwgen/1 R{A *S{B [2]@S}}"}, good, "a value of R contains itself"},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R.B"}, "at byte 0: a field expected"},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R.B alias="}, "an alias expected"},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R.B default=x"}, "a default in quotes expected"},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R.B default=\"500\""}, `default "500" is no value`},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R.C alias=A"}, `a field "R.C"`},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R.B alias=B"}, "taken by field B"},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R.B alias=A;R.B alias=C"}, "another field expected"},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R.B alias=A R.C"}, "; or the end expected"},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R default=\"1\""}, "a default of the record"},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R alias=A|A"}, "alias A twice"},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R alias=4"}, `alias "4" is no name`},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "S alias=A"}, `a field "S"`},
		{good, record.Schema{Text: "rwgen/1 {B i8}", Reading: "R alias=A"}, `a field "R"`},
		{good, record.Schema{Text: "rwgen/1 R{B i8}", Reading: "R.B what=A"}, "alias= or default= expected"},
	} {
		if translation, err := record.Resolve(c.writer, c.reader); translation != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\n%v\n%v, want %q", c.writer, c.reader, err, c.want)
		}
	}
}

// TestReading: the text of aliases and defaults, of every kind of place.
func TestReading(t *testing.T) {
	type inner struct {
		X int `rw:"default=1"`
	}
	type R struct {
		A int `rw:"alias=B|C"`
		D []map[string]struct {
			E string `rw:"default='q; \"'"`
		}
		F *inner
		G map[inner]inner
		H int8 `rw:"alias=I,default=-3"`
	}
	got := serializer[R](t, record.Alias("Q"), record.Alias("P[string,[3]i8]", "O")).Schema()
	if want := `R alias=Q|P[string,[3]i8]|O;R.A alias=B|C;R.D[][].E default="q; \"";inner.X default="1";R.H alias=I default="-3"`; got.Reading != want {
		t.Errorf("%s, want %s", got.Reading, want)
	}
	type plain struct{ A int }
	if s := serializer[plain](t).Schema(); s.Reading != "" {
		t.Errorf("%q", s.Reading)
	}
}

// TestTranslationErrors: limits hold and errors say where.
func TestTranslationErrors(t *testing.T) {
	type item struct{ S string }
	type V1 struct {
		A int32
		L []item
	}
	type itemV2 struct {
		S string
		D string `rw:"default=0123456789"`
	}
	type V2 struct {
		A int64
		L []itemV2
	}
	w, r := serializer[V1](t), serializer[V2](t, record.Alias("V1"))
	translation, err := record.Resolve(w.Schema(), r.Schema())
	if err != nil {
		t.Fatal(err)
	}
	src, err := w.Append(nil, &V1{1, []item{{"a"}, {"bc"}, {}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		src    []byte
		limits record.Limits
		is     error
		text   string
	}{
		"whole":           {src, record.Limits{}, nil, ""},
		"too large":       {src, record.Limits{MaxRecordBytes: 47}, wire.ErrLimit, "limit of 47"},
		"just right":      {src, record.Limits{MaxRecordBytes: 48}, nil, ""},
		"too much memory": {src, record.Limits{MaxAllocBytes: 95}, wire.ErrLimit, "L: offset 4: 3 elements of 32 bytes"},
		"enough memory":   {src, record.Limits{MaxAllocBytes: 96}, nil, ""},
		"cut":             {src[:7], record.Limits{}, wire.ErrTruncated, "L: offset 4: 3 elements"},
		"a bad length":    {append(src[:7:7], 0x80, 0), record.Limits{}, wire.ErrCorrupt, "L[1].S: offset 7"},
	} {
		got, n, err := translation.Append(nil, c.src, c.limits)
		if !errors.Is(err, c.is) || c.is != nil && (!strings.Contains(err.Error(), c.text) || got != nil || n != 0) || c.is == nil && n != len(src) {
			t.Errorf("%s: %v, %d, want %q", name, err, n, c.text)
		}
	}
	if n, consumed, err := translation.Put(make([]byte, 47), src, record.Limits{}); err != wire.ErrShort || n != 0 || consumed != 0 {
		t.Errorf("too little room: %d, %d, %v", n, consumed, err)
	}
	if n, consumed, err := translation.Put(make([]byte, 48), src, record.Limits{}); err != nil || n != 48 || consumed != len(src) {
		t.Errorf("just enough room: %d, %d, %v", n, consumed, err)
	}
}

// TestTranslatedDepth: recursive data counts as many levels as when it is read as it is.
func TestTranslatedDepth(t *testing.T) {
	type V1 = node
	w, r := serializer[V1](t), serializer[nodeV2](t, record.Alias("node"))
	translation, err := record.Resolve(w.Schema(), r.Schema())
	if err != nil {
		t.Fatal(err)
	}
	v := &node{}
	for range 9 {
		v = &node{C: []*node{v}}
	}
	src, err := w.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := translation.Append(nil, src, record.Limits{MaxDepth: 9}); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("10 levels of 9: %v", err)
	}
	if _, _, err := translation.Append(nil, src, record.Limits{MaxDepth: 10}); err != nil {
		t.Error(err)
	}
}

// TestTranslatedTimes: a time that unixnano cannot express is an error of its record.
func TestTranslatedTimes(t *testing.T) {
	type V1 struct{ T time.Time }
	type V2 struct {
		T time.Time `rw:"unixnano"`
	}
	if _, err := readAs[V2](t, serializer[V1](t), V1{time.Unix(1<<40, 0)}); !errors.Is(err, wire.ErrRange) || !strings.Contains(err.Error(), "T: offset 0") {
		t.Errorf("%v", err)
	}
}
