package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"image"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type (
	pairOf[A, B any] struct {
		First  A
		Second B
	}
	tree[T any] struct {
		Value    T
		Children []tree[T]
	}
	phantom[T any] struct{ N int8 }
	list           []string
	money          int64
	wrapper        struct{ In inner }
	inner          struct{ Out *wrapper }
	point          struct{ X, Y int32 }
	opaque         interface{ Opaque() }
)

// errorCode is a member of a union of a predeclared interface.
type errorCode struct{ Code int32 }

func (errorCode) Error() string { return "" }

func schemaOf[T any](t *testing.T) Schema {
	t.Helper()
	return schemaWith[T](t)
}

func schemaWith[T any](t *testing.T, opts ...ReflectOption) Schema {
	t.Helper()
	s, err := Reflect[T](opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s.Schema()
}

// TestSchemaGolden compares the texts and fingerprints of many types with testdata/schema.txtar. The golden lines are fixed for all
// time: streams carry the fingerprints.
func TestSchemaGolden(t *testing.T) {
	type sameName struct{ A bool }
	type outerName = sameName
	other := func() Schema {
		type sameName struct{ B outerName }
		type sameNames struct {
			A sameName
			C *sameName
		}
		return schemaOf[sameNames](t)
	}
	third := func() Schema {
		type Point struct{ Z float32 }
		type mixed struct {
			A image.Point
			B *Point
		}
		return schemaOf[struct {
			M mixed
			P Point
			Q image.Point
		}](t)
	}
	var out txtar.Archive
	for _, tc := range []struct {
		name   string
		schema Schema
	}{
		{"empty", schemaOf[struct{}](t)},
		{"integers", schemaOf[struct {
			A int8
			B int16
			C int32
			D int64
			E int
			F uint8
			G uint16
			H uint32
			I uint64
			J uint
			K uintptr
			L byte
			M rune
		}](t)},
		{"varints", schemaOf[struct {
			B int16   `rw:"varint"`
			C int32   `rw:"varint"`
			D int64   `rw:"varint"`
			E int     `rw:"varint"`
			G uint16  `rw:"varint"`
			H uint32  `rw:"varint"`
			I uint64  `rw:"varint"`
			J uint    `rw:"varint"`
			K uintptr `rw:"varint"`
		}](t)},
		{"others", schemaOf[struct {
			A bool
			B float32
			C float64
			D complex64
			E complex128
			F string
			G []byte
			H time.Time
			I time.Duration
			J struct{}
		}](t)},
		{"composed", schemaOf[struct {
			A *int8
			B []string
			C [3]bool
			D map[string][]byte
			E map[[2]int8]*[]map[bool]**float64
			F [][]byte
			G [0]string
			H [4]byte
		}](t)},
		{"named", schemaOf[struct {
			A myBool
			B myBytes
			C []myByte
			D list
			E money `rw:"varint"`
			F myPointer
			G [2]myByte
		}](t)},
		{"structs", schemaOf[struct {
			A point
			B struct{ X, Y int32 }
			C []point
			D map[point]*point
		}](t)},
		{"embedded", schemaOf[struct {
			Base
			*point
			pairOf[int8, string]
		}](t)},
		{"left out", schemaOf[struct {
			A int8
			_ int8
			B chan int `rw:"-"`
			C int8
		}](t)},
		{"recursive", schemaOf[node](t)},
		{"mutually recursive", schemaOf[wrapper](t)},
		{"recursive below", schemaOf[struct {
			A []node
			B *node
		}](t)},
		{"same name", other()},
		{"same name of other packages", third()},
		{"generic", schemaOf[pairOf[string, int64]](t)},
		{"generic of generic", schemaOf[pairOf[pairOf[int8, bool], *pairOf[[]byte, [3]money]]](t)},
		{"generic by named types", schemaOf[pairOf[myString, []pairOf[point, time.Time]]](t)},
		{"generic recursive", schemaOf[tree[float64]](t)},
		{"instances that share a name", schemaOf[struct {
			A phantom[struct{ X int8 }]
			B phantom[struct{ Y int8 }]
			C phantom[func(int) error]
			D phantom[opaque]
			E phantom[time.Duration]
			F phantom[sameName]
			G phantom[map[string]chan int]
			H phantom[[]myByte]
		}](t)},
		{"union", schemaWith[struct {
			A shape
			B map[string]shape
			C *chained
		}](t, shapes())},
		{"unions that share a name", schemaWith[struct {
			A pairOf[shape, error]
			B error
		}](t, shapes(), UnionOf[error](failure(0), errorCode{}))},
		{"own encodings", schemaWith[struct {
			A version
			B []secret
			C map[version]price
			D ownGeneric[int64]
			E phantom[version]
			F label
		}](t, CodecOf(priceCodec{}))},
		{"tags", schemaOf[struct {
			A time.Time       `rw:"unixnano,name=at"`
			B string          `rw:"max=3,utf8,intern,alias=X|Y,default=z"`
			C []byte          `rw:"view"`
			D int32           `rw:"fixed"`
			E map[string]int8 `rw:"sorted"`
		}](t)},
	} {
		text := tc.schema.Text + "\n" + tc.schema.Hex() + "\n"
		out.Files = append(out.Files, txtar.File{Name: tc.name, Data: []byte(text)})
	}
	const golden = "testdata/schema.txtar"
	got := txtar.Format(&out)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{}
	for _, f := range txtar.Parse(data).Files {
		want[f.Name] = f.Data
	}
	for _, f := range out.Files {
		if !bytes.Equal(f.Data, want[f.Name]) {
			t.Errorf("%s:\n%swant\n%s", f.Name, f.Data, want[f.Name])
		}
		delete(want, f.Name)
	}
	for name := range want {
		t.Errorf("%s is in %s only", name, golden)
	}
}

func TestFingerprint(t *testing.T) {
	s := schemaOf[point](t)
	if want := "rwgen/1 point{X i32,Y i32}"; s.Text != want {
		t.Fatalf("text %q, want %q", s.Text, want)
	}
	sum := sha256.Sum256([]byte(s.Text))
	if want := hex.EncodeToString(sum[:8]); s.Hex() != want {
		t.Errorf("Hex() = %s, want %s", s.Hex(), want)
	}
	if s := (Schema{Fingerprint: 0x12}); s.Hex() != "0000000000000012" {
		t.Errorf("Hex() = %s: leading zeros are missing", s.Hex())
	}
}

// TestNewSchema checks the model as the generator uses it: not made by reflection.
func TestNewSchema(t *testing.T) {
	i64 := &Type{Kind: KindInt64, Name: "Duration"} // a name is of no account outside arguments
	box := func(arg *Type) *Type {
		return &Type{Kind: KindStruct, Name: "Box", Args: []*Type{arg}, Fields: []Field{{Name: "V", Type: i64}}}
	}
	self := &Type{Kind: KindStruct, Name: "Self"}
	pointer := &Type{Kind: KindPointer, Elem: self} // one *Type on both sides of the struct
	self.Fields = []Field{{Name: "Next", Type: pointer}}
	root := &Type{Kind: KindStruct, Name: "ignored", Fields: []Field{
		{Name: "A", Type: i64, Varint: true},
		{Name: "B", Type: box(i64)},
		{Name: "C", Type: box(&Type{Kind: KindInt64})},
		{Name: "D", Type: box(nil)},
		{Name: "E", Type: box(&Type{Kind: KindInvalid})},
		{Name: "F", Type: box(&Type{Kind: KindBytes, Elem: &Type{Kind: KindUint8}})},
		{Name: "G", Type: box(&Type{Kind: KindTime, Name: "Time"})},
		{Name: "H", Type: box(&Type{Kind: KindMap, Key: &Type{Kind: KindString}, Elem: &Type{Kind: KindArray, Len: 2, Elem: self}})},
		{Name: "I", Type: pointer},
		{Name: "J", Type: pointer},
	}}
	root.Fields = append(root.Fields, Field{Name: "K", Type: &Type{Kind: KindSlice, Elem: root}})
	want := "rwgen/1 Order{A vi64,B Box[Duration]{V i64},C Box[i64]{V i64},D Box[?]{V i64},E Box[?]~2{V i64},F Box[bytes]{V i64}," +
		"G Box[time]{V i64},H Box[map[string][2]Self]{V i64},I *Self{Next *@Self},J *@Self,K []@Order}"
	if got := NewSchema("Order", root); got.Text != want {
		t.Errorf("text\n%s, want\n%s", got.Text, want)
	}
}

func TestNewSchemaPanics(t *testing.T) {
	endless := &Type{Kind: KindSlice}
	endless.Elem = endless
	unnamed := &Type{Kind: KindStruct}
	unnamed.Fields = []Field{{Name: "F", Type: &Type{Kind: KindPointer, Elem: unnamed}}}
	for want, typ := range map[string]*Type{
		"a record is a struct": {Kind: KindInt},
		"field A: a slice type contains itself other than through a named struct":           {Kind: KindStruct, Fields: []Field{{Name: "A", Type: endless}}},
		"field B: field F: a struct type contains itself other than through a named struct": {Kind: KindStruct, Fields: []Field{{Name: "B", Type: unnamed}}},
		"field C: a type is missing":                {Kind: KindStruct, Fields: []Field{{Name: "C", Type: &Type{Kind: KindPointer}}}},
		"field D: a type of kind 0 has no encoding": {Kind: KindStruct, Fields: []Field{{Name: "D", Type: &Type{}}}},
		"field F is no time":                        {Kind: KindStruct, Fields: []Field{{Name: "F", Type: &Type{Kind: KindInt64}, UnixNano: true}}},
		"field G: a codec has no name":              {Kind: KindStruct, Fields: []Field{{Name: "G", Type: &Type{Kind: KindCodec}}}},
		"field H: a union without a name":           {Kind: KindStruct, Fields: []Field{{Name: "H", Type: &Type{Kind: KindUnion, Members: []*Type{{Kind: KindInt}}}}}},
		"field I: a union without a name":           {Kind: KindStruct, Fields: []Field{{Name: "I", Type: &Type{Kind: KindUnion, Name: "U"}}}},
		"field J: member 2: a type is mis":          {Kind: KindStruct, Fields: []Field{{Name: "J", Type: &Type{Kind: KindUnion, Name: "U", Members: []*Type{{Kind: KindInt}, nil}}}}},
		"field E is no integer":                     {Kind: KindStruct, Fields: []Field{{Name: "E", Type: &Type{Kind: KindInt8}, Varint: true}}},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, want) {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			NewSchema("X", typ)
		}()
	}
	if _, err := newSchema("X", nil); err == nil {
		t.Error("nil type has a schema")
	}
}

func TestKindString(t *testing.T) {
	if got := Kind(77).String(); got != "Kind(77)" {
		t.Errorf("unknown kind is %q", got)
	}
	seen := map[string]bool{}
	for k := KindInvalid; k <= KindCodec; k++ {
		if s := k.String(); seen[s] || strings.HasPrefix(s, "Kind(") {
			t.Errorf("kind %d is %q", k, s)
		} else {
			seen[s] = true
		}
	}
}
