package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"
)

type (
	promoted        struct{ version }
	promotedPointer struct{ *version }
	promotedTwice   struct{ promoted }
	promotedTime    struct{ time.Time }
	overriding      struct{ version }
	overridingHalf  struct{ version }
	overridingTime  struct{ time.Time }
	ofBoth          struct {
		version
		otherOne
	}
	otherOne            struct{ N int8 }
	ownGeneric[T any]   struct{ V T }
	ownEmbedding[T any] struct {
		version
		V T
	}
	promotedGeneric[T any] struct {
		ownGeneric[T]
		N int8
	}
	onlyMarshal   struct{ N int8 }
	onlyUnmarshal struct{ N int8 }
	wrongMarshal  struct{ N int8 }
	ownSlice      []int8
	ownMap        map[int8]int8
	renamed       version
	aliased       = version
	tiny          struct{ time.Time }
)

func (o overriding) MarshalBinary() ([]byte, error) { return o.version.AppendBinary(nil) }
func (o overriding) AppendBinary(b []byte) ([]byte, error) {
	return o.version.AppendBinary(b)
}
func (o *overriding) UnmarshalBinary(b []byte) error     { return o.version.UnmarshalBinary(b) }
func (o *overridingHalf) UnmarshalBinary(b []byte) error { return o.version.UnmarshalBinary(b) }
func (o *overridingTime) MarshalBinary() ([]byte, error) { return o.Time.MarshalBinary() }
func (o *overridingTime) UnmarshalBinary(b []byte) error { return o.Time.UnmarshalBinary(b) }
func (o otherOne) AppendBinary(b []byte) ([]byte, error) { return b, nil }
func (o *otherOne) UnmarshalBinary([]byte) error         { return nil }
func (g ownGeneric[T]) AppendBinary(b []byte) ([]byte, error) {
	return binary.Append(b, binary.LittleEndian, g.V)
}
func (g *ownGeneric[T]) UnmarshalBinary(b []byte) error {
	_, err := binary.Decode(b, binary.LittleEndian, &g.V)
	return err
}
func (g ownEmbedding[T]) AppendBinary(b []byte) ([]byte, error) { return b, nil }
func (g *ownEmbedding[T]) UnmarshalBinary([]byte) error         { return nil }
func (onlyMarshal) MarshalBinary() ([]byte, error)              { return nil, nil }
func (*onlyUnmarshal) UnmarshalBinary([]byte) error             { return nil }
func (wrongMarshal) MarshalBinary() []byte                      { return nil }
func (*wrongMarshal) UnmarshalBinary([]byte) error              { return nil }
func (s ownSlice) MarshalBinary() ([]byte, error)               { return nil, nil }
func (s *ownSlice) UnmarshalBinary([]byte) error                { return nil }
func (m ownMap) MarshalBinary() ([]byte, error)                 { return nil, nil }
func (m ownMap) UnmarshalBinary([]byte) error                   { return nil }
func (tiny) MarshalBinary() ([]byte, error)                     { return nil, nil }
func (*tiny) UnmarshalBinary([]byte) error                      { return errors.ErrUnsupported }

// TestOwnMethods checks which methods count: those that a type declares itself.
func TestOwnMethods(t *testing.T) {
	for _, tc := range []struct {
		rt   reflect.Type
		want string // in the schema, "" for the structure
	}{
		{reflect.TypeFor[version](), "bin(version)"},
		{reflect.TypeFor[aliased](), "bin(version)"},
		{reflect.TypeFor[blob](), "bin(blob)"},
		{reflect.TypeFor[renamed](), ""},
		{reflect.TypeFor[promoted](), ""},
		{reflect.TypeFor[promotedPointer](), ""},
		{reflect.TypeFor[promotedTwice](), ""},
		{reflect.TypeFor[promotedTime](), ""},
		{reflect.TypeFor[overriding](), "bin(overriding)"},
		{reflect.TypeFor[overridingHalf](), ""},
		{reflect.TypeFor[overridingTime](), "bin(overridingTime)"},
		{reflect.TypeFor[tiny](), "bin(tiny)"},
		{reflect.TypeFor[ofBoth](), ""},
		{reflect.TypeFor[ownGeneric[int64]](), "bin(ownGeneric[i64])"},
		{reflect.TypeFor[ownGeneric[version]](), "bin(ownGeneric[version])"},
		{reflect.TypeFor[ownEmbedding[string]](), "bin(ownEmbedding[string])"},
		{reflect.TypeFor[promotedGeneric[int64]](), ""},
		{reflect.TypeFor[onlyMarshal](), ""},
		{reflect.TypeFor[onlyUnmarshal](), ""},
		{reflect.TypeFor[wrongMarshal](), ""},
		{reflect.TypeFor[ownSlice](), "bin(ownSlice)"},
		{reflect.TypeFor[ownMap](), "bin(ownMap)"},
		{reflect.TypeFor[generatedMethods](), ""},
	} {
		got := ""
		if c := binaryMethods(tc.rt); c != nil {
			got = c.name
		}
		if got != tc.want {
			t.Errorf("%v: %q, want %q", tc.rt, got, tc.want)
		}
	}
}

type (
	// textAround has text, and a structure that needs the text of its part.
	textAround struct{ S secret }
	// textFallback falls back to text for a part without encoding, through a cycle.
	textFallback struct {
		Next *fallbackPart
		bad  chan int
	}
	fallbackPart struct{ Up *textFallback }
	badTag       struct {
		N int8 `rw:"nothing"`
		c chan int
	}
)

func (textAround) MarshalText() ([]byte, error) { return nil, nil }
func (*textAround) UnmarshalText([]byte) error  { return nil }
func (f textFallback) AppendText(b []byte) ([]byte, error) {
	return fmt.Appendf(b, "%d", len(f.bad)), nil
}
func (*textFallback) UnmarshalText([]byte) error { return nil }
func (b badTag) MarshalText() ([]byte, error)    { return fmt.Append(nil, len(b.c)), nil }
func (*badTag) UnmarshalText([]byte) error       { return nil }

// selfCodec is a record with an encoding of its own for its values elsewhere, also in itself.
type selfCodec struct {
	N    int8
	Self []selfCodec
}

func (selfCodec) MarshalBinary() ([]byte, error) { return nil, nil }
func (*selfCodec) UnmarshalBinary([]byte) error  { return nil }

func TestWhichEncoding(t *testing.T) {
	for _, tc := range []struct {
		name string
		got  func() (string, error)
		want string
	}{
		{"text inside a structure", textOf[one[textAround]], "rwgen/1 one[textAround]{V textAround{S text(secret)}}"},
		{"text in place of a structure", textOf[one[textFallback]], "rwgen/1 one[textFallback]{V text(textFallback)}"},
		{"again from a part", textOf[struct {
			A textFallback
			B fallbackPart
		}], "rwgen/1 {A text(textFallback),B fallbackPart{Up *text(textFallback)}}"},
		{"from the part first", textOf[fallbackPart], "rwgen/1 fallbackPart{Up *text(textFallback)}"},
		{"registered before methods", textOf[one[version]], "rwgen/1 one[version]{V codec(versionCodec)}"},
		{"a record is its structure", textOf[selfCodec], "rwgen/1 selfCodec{N i8,Self []bin(selfCodec)}"},
		{"elsewhere it is not", textOf[one[selfCodec]], "rwgen/1 one[selfCodec]{V bin(selfCodec)}"},
	} {
		got, err := tc.got()
		if err != nil || got != tc.want {
			t.Errorf("%s: %s, %v, want %s", tc.name, got, err, tc.want)
		}
	}
	if _, err := Reflect[one[badTag]](); err == nil {
		t.Error("text hides a bad tag")
	}
	s, err := Reflect[selfCodec]()
	if err != nil {
		t.Fatal(err)
	}
	data, err := s.Append(nil, &selfCodec{1, make([]selfCodec, 2)})
	if err != nil || string(data) != "\x01\x03\x00\x00" {
		t.Errorf("%x, %v", data, err)
	}
}

type versionCodec struct{}

func (versionCodec) Append(dst []byte, v *version) ([]byte, error) { return dst, nil }
func (versionCodec) Consume([]byte, *version) error                { return nil }

func textOf[T any]() (string, error) {
	var opts []ReflectOption
	if reflect.TypeFor[T]() == reflect.TypeFor[one[version]]() {
		opts = append(opts, CodecOf(versionCodec{}))
	}
	s, err := Reflect[T](opts...)
	if err != nil {
		return "", err
	}
	return s.Schema().Text, nil
}

// generatedMethods has methods in a file that is named like those of the generator: for the compiler, this is one.
type generatedMethods struct{ N int8 }

//line generated_rw.go:1
func (generatedMethods) MarshalBinary() ([]byte, error) { return nil, nil }
func (*generatedMethods) UnmarshalBinary([]byte) error  { return nil }
