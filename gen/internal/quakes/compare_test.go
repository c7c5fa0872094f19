package quakes

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/rwgen/rwgen/gen/frontend/schema"
	"github.com/rwgen/rwgen/runtime/record"
)

// compile returns the descriptor of a message.
func compile(t *testing.T, name protoreflect.Name) protoreflect.MessageDescriptor {
	t.Helper()
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{})}
	files, err := c.Compile(context.Background(), "quake.proto", "place.proto")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if m := f.Messages().ByName(name); m != nil {
			return m
		}
	}
	t.Fatal(name)
	return nil
}

// unions has the types of the fields in a oneof.
var unions = map[protoreflect.FullName]reflect.Type{
	"org.usgs.Quake.station": reflect.TypeFor[QuakeSourceStation](), "org.usgs.Quake.number": reflect.TypeFor[QuakeSourceNumber](),
	"org.usgs.Quake.other_place": reflect.TypeFor[*QuakeSourceOtherPlace](), "org.usgs.Quake.since": reflect.TypeFor[*QuakeSourceSince](),
	"org.usgs.Quake.known": reflect.TypeFor[*QuakeSourceKnown](), "org.usgs.Quake.raw_source": reflect.TypeFor[QuakeSourceRawSource](),
}

// toGo sets a struct to what a message says.
func toGo(v reflect.Value, m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, x protoreflect.Value) bool {
		if o := f.ContainingOneof(); o != nil && !o.IsSynthetic() {
			member := reflect.New(unions[f.FullName()]).Elem()
			inner := member
			if member.Kind() == reflect.Pointer {
				member.Set(reflect.New(member.Type().Elem()))
				inner = member.Elem().Field(0)
			}
			value(inner, f, x)
			v.FieldByName(schema.GoName(string(o.Name()))).Set(member)
			return true
		}
		field := v.FieldByName(schema.GoName(string(f.Name())))
		switch {
		case f.IsMap():
			field.Set(reflect.MakeMap(field.Type()))
			x.Map().Range(func(k protoreflect.MapKey, x protoreflect.Value) bool {
				key, elem := reflect.New(field.Type().Key()).Elem(), reflect.New(field.Type().Elem()).Elem()
				value(key, f.MapKey(), k.Value())
				value(elem, f.MapValue(), x)
				field.SetMapIndex(key, elem)
				return true
			})
		case f.IsList():
			field.Set(reflect.MakeSlice(field.Type(), x.List().Len(), x.List().Len()))
			for i := range x.List().Len() {
				value(field.Index(i), f, x.List().Get(i))
			}
		default:
			value(field, f, x)
		}
		return true
	})
}

// value sets a value, or what a pointer shall point to.
func value(v reflect.Value, f protoreflect.FieldDescriptor, x protoreflect.Value) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if f.Message() == nil {
		scalar(v, x)
		return
	}
	m := x.Message()
	first := func() protoreflect.Value { return m.Get(m.Descriptor().Fields().ByNumber(1)) }
	second := func() int64 { return m.Get(m.Descriptor().Fields().ByNumber(2)).Int() }
	switch name := string(f.Message().FullName()); {
	case name == "google.protobuf.Timestamp":
		v.Set(reflect.ValueOf(time.Unix(first().Int(), second()).UTC()))
	case name == "google.protobuf.Duration":
		v.SetInt(first().Int()*int64(time.Second) + second())
	case strings.HasSuffix(name, "Value"):
		scalar(v, first())
	default:
		toGo(v, m)
	}
}

func scalar(v reflect.Value, x protoreflect.Value) {
	switch x := x.Interface().(type) {
	case protoreflect.EnumNumber:
		v.SetInt(int64(x))
	case []byte:
		v.SetBytes(append([]byte{}, x...))
	default:
		v.Set(reflect.ValueOf(x).Convert(v.Type()))
	}
}

// filler makes random messages.
type filler struct{ *rand.Rand }

func (r filler) message(m protoreflect.Message, depth int) {
	switch m.Descriptor().FullName() {
	case "google.protobuf.Timestamp", "google.protobuf.Duration":
		m.Set(m.Descriptor().Fields().ByNumber(1), protoreflect.ValueOfInt64(r.Int64N(1e9)))
		m.Set(m.Descriptor().Fields().ByNumber(2), protoreflect.ValueOfInt32(r.Int32N(1e9)))
		return
	}
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.Cardinality() != protoreflect.Required && r.IntN(3) == 0 || f.Message() != nil && depth == 0 {
			continue
		}
		switch {
		case f.IsMap():
			for range r.IntN(3) {
				m.Mutable(f).Map().Set(r.value(f.MapKey(), m.NewField(f).Map().NewValue, depth).MapKey(), r.value(f.MapValue(), m.NewField(f).Map().NewValue, depth))
			}
		case f.IsList():
			for range r.IntN(3) {
				m.Mutable(f).List().Append(r.value(f, m.NewField(f).List().NewElement, depth))
			}
		default:
			m.Set(f, r.value(f, func() protoreflect.Value { return m.NewField(f) }, depth))
		}
	}
}

func (r filler) value(f protoreflect.FieldDescriptor, empty func() protoreflect.Value, depth int) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		v := empty()
		r.message(v.Message(), depth-1)
		return v
	case protoreflect.EnumKind:
		if f.Enum().IsClosed() {
			return protoreflect.ValueOfEnum(f.Enum().Values().Get(r.IntN(f.Enum().Values().Len())).Number())
		}
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(r.IntN(5) - 1))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(strings.Repeat("é", r.IntN(3)))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(make([]byte, r.IntN(3)))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(r.IntN(2) == 0)
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(r.Float32())
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(r.Float64())
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(r.Int32() - math.MaxInt32/2)
	}
	return protoreflect.ValueOfInt64(r.Int64())
}

// through writes a value and reads it back.
func through[T any](t *testing.T, ser record.Serializer[T], v *T) *T {
	t.Helper()
	b, err := ser.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	var back T
	if n, err := ser.Consume(b, &back); n != len(b) || err != nil {
		t.Fatal(n, err)
	}
	return &back
}

// Go values hold what messages hold: different messages give different values, equal ones equal values, and the native format keeps them.
func compare[T any](t *testing.T, name protoreflect.Name, ser interface {
	record.Serializer[T]
	Equal(a, b *T) bool
}) {
	desc := compile(t, name)
	var last *dynamicpb.Message
	var lastGo T
	for seed := range uint64(300) {
		m := dynamicpb.NewMessage(desc)
		filler{rand.New(rand.NewPCG(seed, 1))}.message(m, 3)
		var v T
		toGo(reflect.ValueOf(&v).Elem(), m)
		back := through(t, ser, &v)
		if !ser.Equal(&v, back) {
			t.Fatalf("seed %d: read back\n%+v\nwant\n%+v", seed, back, &v)
		}
		// The message after a round trip of its own is the same value in Go.
		b, err := proto.Marshal(m)
		again := dynamicpb.NewMessage(desc)
		if err == nil {
			err = proto.Unmarshal(b, again)
		}
		var w T
		toGo(reflect.ValueOf(&w).Elem(), again)
		if err != nil || !ser.Equal(&v, &w) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if last != nil && proto.Equal(last, m) != ser.Equal(&lastGo, &v) {
			t.Fatalf("seed %d: messages are equal, values not, or the other way round:\n%v\n%v", seed, last, m)
		}
		// One field less is another message, and another value.
		m.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
			less := proto.Clone(m).(*dynamicpb.Message)
			less.Clear(f)
			var l T
			toGo(reflect.ValueOf(&l).Elem(), less)
			if f.Cardinality() != protoreflect.Required && ser.Equal(&l, &v) {
				t.Errorf("seed %d: the field %s is lost", seed, f.Name())
			}
			return true
		})
		last, lastGo = m, v
	}
}

func TestAgainstMessages(t *testing.T) {
	t.Run("Quake", func(t *testing.T) { compare(t, "Quake", QuakeSerializer{}) })
	t.Run("Network", func(t *testing.T) { compare(t, "Network", NetworkSerializer{}) })
	t.Run("Place", func(t *testing.T) { compare(t, "Place", PlaceSerializer{}) })
}

func ptr[T any](v T) *T { return &v }

// A message that was written by hand is what people would write in Go.
func TestByHand(t *testing.T) {
	m := dynamicpb.NewMessage(compile(t, "Quake"))
	err := prototext.Unmarshal([]byte(`
		id: "us7000" magnitude: 6.5
		place { name: "Kyushu" country: "" Where { lat: 32 side: SOUTH } }
		felt_by: "" time { seconds: 1000 nanos: 5 } length { seconds: 2 nanos: 500000000 }
		other_place { name: "Oita" }
		places { key: "a" value { name: "A" } } times { key: -1 value { seconds: 7 } }
		depths { km: 10 how: HOW_3D } depths {} waits { nanos: 3 }
		kind: KIND_BLAST raw: "\x00\x01" maybe_raw: "" note { value: "" } blob { value: "b" }
		after { id: "before" } net: "us" kinds: [KIND_TREMOR, 9]`), m)
	if err != nil {
		t.Fatal(err)
	}
	want := Quake{
		ID: "us7000", Magnitude: 6.5,
		Place:  &Place{Name: "Kyushu", Country: ptr(""), Where: &PlaceWhere{Lat: ptr(32.0), Side: ptr(PlaceSideSouth)}},
		FeltBy: ptr(""), Time: ptr(time.Unix(1000, 5).UTC()), Length: ptr(2500 * time.Millisecond),
		Source: &QuakeSourceOtherPlace{Value: Place{Name: "Oita"}},
		Places: map[string]Place{"a": {Name: "A"}}, Times: map[int32]time.Time{-1: time.Unix(7, 0).UTC()},
		Depths: []QuakeDepth{{Km: 10, How: QuakeDepthHow3D}, {}}, Waits: []time.Duration{3},
		Kind: KindBlast, Raw: []byte{0, 1}, MaybeRaw: []byte{}, Note: ptr(""), Blob: []byte("b"),
		After: &Quake{ID: "before"}, Net: "us", Kinds: []Kind{KindTremor, 9},
	}
	var got Quake
	toGo(reflect.ValueOf(&got).Elem(), m)
	if !(QuakeSerializer{}).Equal(&want, &got) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if back := through(t, QuakeSerializer{}, &want); !(QuakeSerializer{}).Equal(&want, back) {
		t.Errorf("read back\n%+v\nwant\n%+v", back, want)
	}
	// What is absent is nil; empty is something else.
	if empty := through(t, QuakeSerializer{}, &Quake{}); empty.Place != nil || empty.FeltBy != nil || empty.Source != nil || empty.MaybeRaw != nil || empty.Note != nil {
		t.Errorf("an empty quake is %+v", empty)
	}
}
