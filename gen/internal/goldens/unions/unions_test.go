package unions

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/gen/internal/goldens/unions/geo"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

var unions = []check.Option{
	check.Union[Shape](Circle{}, (*Square)(nil), Nothing{}, geo.Point{}, (*geo.Path)(nil), Labelled{}, Degrees(0), (*Pair)(nil)),
	check.Union[Value](Text(""), (*Text2)(nil), Numbers(nil), Index(nil)),
	check.Union[Any](false, "", int64(0), 0.0, Nothing{}, (*Drawing)(nil)),
	check.Union[Empties](Nothing{}, None{}),
	check.Union[Flat]((*Circle64)(nil), Small(0)),
}

func TestDrawing(t *testing.T)  { check.Record(t, DrawingSerializer{}, unions...) }
func TestCircle64(t *testing.T) { check.Record(t, Circle64Serializer{}) }
func TestLeaf(t *testing.T)     { check.Record(t, LeafSerializer{}, unions...) }
func TestWays(t *testing.T) {
	check.Ways(t, 3, check.Random[Drawing](60, unions...), NewDrawingByNameWriter, NewDrawingReader, unions...)
}

func FuzzLeaf(f *testing.F) { check.Fuzz(f, LeafSerializer{}, unions...) }

// A member that takes no bytes still has its tag, and the size counts it (case 38).
func TestEmptyMember(t *testing.T) {
	var s DrawingSerializer
	empty, err := s.Append(nil, &Drawing{})
	if err != nil {
		t.Fatal(err)
	}
	v := &Drawing{Shape: Nothing{}, Empties: None{}}
	b, err := s.Append(nil, v)
	if err != nil || len(b) != len(empty) || s.Size(v) != len(b) || bytes.Equal(b, empty) {
		t.Fatalf("%x, %v; without members %x", b, err, empty)
	}
	var back Drawing
	if _, err := s.Consume(b, &back); err != nil || back.Shape != (Nothing{}) || back.Empties != (None{}) {
		t.Errorf("%+v, %v", back, err)
	}
}

// stranger is no member of anything.
type stranger struct{}

func (*stranger) Area() float64 { return 0 }

// What a union has not is refused with the path to it, and dst is left as it was (case 37).
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    Drawing
		want error
		text string
	}{
		{"nil pointer", Drawing{Shape: (*Square)(nil)}, wire.ErrNil, "Shape: offset"},
		{"nil pointer in place", Drawing{Shape: (*Pair)(nil)}, wire.ErrNil, "Shape: offset"},
		{"stranger", Drawing{Shapes: []Shape{nil, (*stranger)(nil)}}, wire.ErrMember, "Shapes[1]: offset"},
		{"pointer to a member", Drawing{Nested: struct {
			On    bool
			Shape Shape
		}{Shape: &Circle{}}}, nil, ""},
		{"deep", Drawing{Shape: &Square{Next: Labelled{Sub: []Labelled{{}, {Shapes: map[string]Shape{"a": &stranger{}}}}}}}, wire.ErrMember,
			"Shape.Next.Sub[1].Shapes: offset"},
		{"any", Drawing{Any: 7}, wire.ErrMember, "Any: offset"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == nil {
				// *Circle has the methods of Circle, but is no member.
				tt.want, tt.text = wire.ErrMember, "Nested.Shape: offset"
			}
			var s DrawingSerializer
			s.Size(&tt.v) // does not panic
			dst := []byte("dst")
			b, err := s.Append(dst, &tt.v)
			if !errors.Is(err, tt.want) || string(b) != "dst" {
				t.Fatalf("%q, %v, want %v", b, err, tt.want)
			}
			if !strings.HasPrefix(err.Error(), tt.text) {
				t.Errorf("%q does not start with %q", err, tt.text)
			}
		})
	}
}

// Hostile tags, and lengths behind them.
func TestHostile(t *testing.T) {
	for name, src := range map[string][]byte{
		"next tag":     {3},
		"large tag":    {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
		"padded tag":   {0x81, 0x00},
		"endless tag":  bytes.Repeat([]byte{0x80}, 11),
		"no member":    {1},
		"half a value": {1, 0, 0, 0},
	} {
		var v Leaf
		if n, err := (LeafSerializer{}).Consume(src, &v); err == nil {
			t.Errorf("%s: %d bytes are a record", name, n)
		} else if !strings.HasPrefix(err.Error(), "Flat: offset") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What a member takes in memory counts.
	b, err := (LeafSerializer{}).Append(nil, &Leaf{Flat: &Circle64{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (LeafSerializer{}).ConsumeLimits(b, new(Leaf), record.Limits{MaxAllocBytes: 23}); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("24 bytes of 23: %v", err)
	}
	if _, err := (LeafSerializer{}).ConsumeLimits(b, new(Leaf), record.Limits{MaxAllocBytes: 24}); err != nil {
		t.Errorf("24 bytes of 24: %v", err)
	}
}

// Depth counts through unions, when writing and when reading.
func TestDepth(t *testing.T) {
	nest := func(levels int) *Drawing {
		var inner Shape
		for range levels {
			inner = &Square{Next: inner}
		}
		return &Drawing{Shape: inner}
	}
	var s DrawingSerializer
	b, err := s.Append(nil, nest(record.DefaultMaxDepth-1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Consume(b, new(Drawing)); err != nil {
		t.Error(err)
	}
	if _, err := s.Append(nil, nest(record.DefaultMaxDepth)); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("too deep: %v", err)
	}
	cycle := &Square{}
	cycle.Next = cycle
	if _, err := s.Append(nil, &Drawing{Shape: cycle}); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("a cycle: %v", err)
	}
	if _, err := s.ConsumeLimits(b, new(Drawing), record.Limits{MaxDepth: 10}); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("too deep for the limits: %v", err)
	}
}

// wide has all members of Many.
var wide = check.Union[Many](
	M0(0), M1(0), M2(0), M3(0), M4(0), M5(0), M6(0), M7(0), M8(0), M9(0), M10(0), M11(0), M12(0), M13(0), M14(0), M15(0), M16(0), M17(0), M18(0), M19(0),
	M20(0), M21(0), M22(0), M23(0), M24(0), M25(0), M26(0), M27(0), M28(0), M29(0), M30(0), M31(0), M32(0), M33(0), M34(0), M35(0), M36(0), M37(0),
	M38(0), M39(0), M40(0), M41(0), M42(0), M43(0), M44(0), M45(0), M46(0), M47(0), M48(0), M49(0), M50(0), M51(0), M52(0), M53(0), M54(0), M55(0),
	M56(0), M57(0), M58(0), M59(0), M60(0), M61(0), M62(0), M63(0), M64(0), M65(0), M66(0), M67(0), M68(0), M69(0), M70(0), M71(0), M72(0), M73(0),
	M74(0), M75(0), M76(0), M77(0), M78(0), M79(0), M80(0), M81(0), M82(0), M83(0), M84(0), M85(0), M86(0), M87(0), M88(0), M89(0), M90(0), M91(0),
	M92(0), M93(0), M94(0), M95(0), M96(0), M97(0), M98(0), M99(0), M100(0), M101(0), M102(0), M103(0), M104(0), M105(0), M106(0), M107(0), M108(0),
	M109(0), M110(0), M111(0), M112(0), M113(0), M114(0), M115(0), M116(0), M117(0), M118(0), M119(0), M120(0), M121(0), M122(0), M123(0), M124(0),
	M125(0), M126(0), M127(0), M128(0), M129(""),
)

// Tags from 128 on take two bytes.
func TestWide(t *testing.T) {
	var s WideSerializer
	for _, tt := range []struct {
		m    Many
		want string
	}{
		{nil, "\x00"}, {M0(5), "\x01\x05\x00\x00\x00"}, {M126(1), "\x7f\x01\x00\x00\x00"},
		{M127(2), "\x80\x01\x02\x00\x00\x00"}, {M129("x"), "\x82\x01\x01x"},
	} {
		b, err := s.Append(nil, &Wide{tt.m})
		if err != nil || string(b) != tt.want || s.Size(&Wide{tt.m}) != len(b) {
			t.Errorf("%T: %x, %v, want %x", tt.m, b, err, tt.want)
		}
		var back Wide
		if n, err := s.Consume(b, &back); err != nil || n != len(b) || back.M != tt.m {
			t.Errorf("%T came back as %T, %v", tt.m, back.M, err)
		}
		for n := range b {
			if _, err := s.Put(make([]byte, n), &Wide{tt.m}); err != wire.ErrShort {
				t.Errorf("%T into %d bytes: %v", tt.m, n, err)
			}
			if _, err := s.Consume(b[:n], &back); !errors.Is(err, wire.ErrTruncated) {
				t.Errorf("%T from %d bytes: %v", tt.m, n, err)
			}
		}
	}
}

// Writing allocates nothing; reading only the member.
func TestAllocs(t *testing.T) {
	check.Allocs(t, LeafSerializer{}, &Leaf{Flat: &Circle64{1, 2, 3}}, 1)
	check.Allocs(t, LeafSerializer{}, &Leaf{}, 0)
	check.Allocs(t, DrawingSerializer{}, &Drawing{Shape: Circle{1}, Shapes: []Shape{&Pair{1, 2}, nil}}, 2)
}

// The offset of a refused value counts the tags of the unions that it is in, one byte or two for each, and what comes before it in members without a function of their own.
func TestRefusedPlaces(t *testing.T) {
	deep := Shape(&stranger{})
	for range 5 {
		deep = &Square{Name: "x", Next: deep}
	}
	for _, v := range []Drawing{
		{Name: "some", Shape: deep},
		{Name: "some", Shape: &Square{Next: (*Square)(nil)}},
		{Values: []Value{Text("t"), Index{"key": &Square{Next: &stranger{}}}}},
		{Values: []Value{Index{"key": &stranger{}}}},
		{Any: &Drawing{Name: "inner", Any: &Drawing{Any: 1.5, Anys: []Any{true, "text", 7}}}},
		{Shape: Labelled{Label: "l", Sub: []Labelled{{Text: "t"}, {Shapes: map[string]Shape{"key": &stranger{}}}}}},
	} {
		var want error = wire.ErrMember
		if s, ok := v.Shape.(*Square); ok && s.Next == Shape((*Square)(nil)) {
			want = wire.ErrNil
		}
		check.Refused(t, DrawingSerializer{}, &v, want, unions...)
	}
}
