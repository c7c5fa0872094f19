package record

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestParseTag(t *testing.T) {
	for _, tc := range []struct {
		tag  string
		want Tag
		err  string // part of the error
	}{
		{``, Tag{}, ""},
		{`rw:"-"`, Tag{Skip: true}, ""},
		{`rw:"varint"`, Tag{Varint: true}, ""},
		{`json:"a,omitempty" rw:"varint" xml:"b"`, Tag{Varint: true}, ""},
		{`  json:"a"   rw:"-"  `, Tag{Skip: true}, ""},
		{`json:"a"rw:"-"`, Tag{Skip: true}, ""},
		{`json:"\"rw:\\" rw:"-"`, Tag{Skip: true}, ""},
		{`json:"rw"`, Tag{}, ""},
		{`draw:"x"`, Tag{}, ""},
		{`rwx:"-"`, Tag{}, ""},
		{`forward_rw`, Tag{}, ""},
		{`just words`, Tag{}, ""},
		{`json:a`, Tag{}, ""},
		{`rw:"\x2d"`, Tag{Skip: true}, ""},

		{`rw:"name=delay"`, Tag{Name: "delay"}, ""},
		{`rw:"name=Größe_2"`, Tag{Name: "Größe_2"}, ""},
		{`rw:"alias=a|B|_c"`, Tag{Aliases: []string{"a", "B", "_c"}}, ""},
		{`rw:"default=5"`, Tag{Default: "5", HasDefault: true}, ""},
		{`rw:"default="`, Tag{HasDefault: true}, ""},
		{`rw:"default=''"`, Tag{HasDefault: true}, ""},
		{`rw:"default='a,b=c'"`, Tag{Default: "a,b=c", HasDefault: true}, ""},
		{`rw:"default='it''s',max=9"`, Tag{Default: "it's", HasDefault: true, Max: 9}, ""},
		{`rw:"default=''''"`, Tag{Default: "'", HasDefault: true}, ""},
		{`rw:"default=a=b"`, Tag{Default: "a=b", HasDefault: true}, ""},
		{`rw:"default=\"\\n"`, Tag{Default: "\"\\n", HasDefault: true}, ""},
		{`rw:"fixed"`, Tag{Fixed: true}, ""},
		{`rw:"max=1"`, Tag{Max: 1}, ""},
		{`rw:"max=2147483647"`, Tag{Max: 1<<31 - 1}, ""},
		{`rw:"utf8,intern,max=3"`, Tag{UTF8: true, Intern: true, Max: 3}, ""},
		{`rw:"max=3,intern,utf8"`, Tag{UTF8: true, Intern: true, Max: 3}, ""},
		{`rw:"sorted"`, Tag{Sorted: true}, ""},
		{`rw:"unixnano"`, Tag{UnixNano: true}, ""},
		{`rw:"view"`, Tag{View: true}, ""},

		{`rw:""`, Tag{}, `empty tag rw:""`},
		{`rw:"Varint"`, Tag{}, `unknown option "Varint" in the rw tag: did you mean varint?`},
		{`rw:"varnit"`, Tag{}, `did you mean varint?`},
		{`rw:"unixnanos"`, Tag{}, `did you mean unixnano?`},
		{`rw:"maximum=3"`, Tag{}, `unknown option "maximum=3" in the rw tag: known are - alone, and name, alias, default, varint, fixed, max, utf8, sorted, unixnano, intern, view`},
		{`rw:"sort"`, Tag{}, `did you mean sorted?`},
		{`rw:"omitempty"`, Tag{}, `rw:"-" leaves the field out`},
		{`rw:"varint, max=3"`, Tag{}, `unknown option " max=3" in the rw tag: write max without spaces`},
		{`rw:"varint,"`, Tag{}, `empty option`},
		{`rw:",varint"`, Tag{}, `empty option`},
		{`rw:"=3"`, Tag{}, `empty option`},
		{`rw:" -"`, Tag{}, `without spaces`},
		{`rw:"-,varint"`, Tag{}, `stands alone`},
		{`rw:"varint,-"`, Tag{}, `stands alone`},
		{`rw:"varint,varint"`, Tag{}, `option varint twice`},
		{`rw:"max=1,max=2"`, Tag{}, `option max twice`},
		{`rw:"varint=true"`, Tag{}, `takes no value: write varint`},
		{`rw:"varint="`, Tag{}, `takes no value`},
		{`rw:"max"`, Tag{}, `needs a value: write max=N`},
		{`rw:"name"`, Tag{}, `needs a value: write name=x`},
		{`rw:"varint,fixed"`, Tag{}, `exclude each other`},
		{`rw:"fixed,varint"`, Tag{}, `exclude each other`},
		{`rw:"intern,view"`, Tag{}, `exclude each other`},
		{`rw:"name="`, Tag{}, `no Go identifier`},
		{`rw:"name=a-b"`, Tag{}, `no Go identifier`},
		{`rw:"name=2a"`, Tag{}, `no Go identifier`},
		{`rw:"name=_"`, Tag{}, `no Go identifier`},
		{`rw:"name=a b"`, Tag{}, `no Go identifier`},
		{`rw:"alias="`, Tag{}, `no Go identifier`},
		{`rw:"alias=a||b"`, Tag{}, `no Go identifier`},
		{`rw:"alias=a|a"`, Tag{}, `alias a twice`},
		{`rw:"name=a,alias=b|a"`, Tag{}, `alias a is the name`},
		{`rw:"max=0"`, Tag{}, `max "0"`},
		{`rw:"max=-1"`, Tag{}, `max "-1"`},
		{`rw:"max=01"`, Tag{}, `max "01"`},
		{`rw:"max=+1"`, Tag{}, `max "+1"`},
		{`rw:"max=1k"`, Tag{}, `max "1k"`},
		{`rw:"max=2147483648"`, Tag{}, `max "2147483648"`},
		{`rw:"default='a"`, Tag{}, `no closing quote`},
		{`rw:"default='it''s','max=3"`, Tag{}, `no closing quote`},
		{`rw:"default='a'b"`, Tag{}, `misplaced quote`},
		{`rw:"default='a'b'c'"`, Tag{}, `misplaced quote`},
		{`rw:"default=a'b'"`, Tag{}, `misplaced quote`},
		{`rw:"default='''"`, Tag{}, `no closing quote`},
		{`rw:"default='a''"`, Tag{}, `no closing quote`},
		{`rw:"-" rw:"-"`, Tag{}, "twice"},
		{`rw:"-" json:"a" rw:"varint"`, Tag{}, "twice"},
		{`rw:-`, Tag{}, "malformed struct tag `rw:-`"},
		{`rw`, Tag{}, "malformed"},
		{`rw:"-`, Tag{}, "malformed"},
		{`rw:'-'`, Tag{}, "malformed"},
		{`rw: "-"`, Tag{}, "malformed"},
		{`rw :"-"`, Tag{}, "malformed"},
		{`rw:"\q"`, Tag{}, "malformed"},
		{`json:a rw:"-"`, Tag{}, "malformed"},
		{"json:\"a\"\trw:\"-\"", Tag{}, "malformed"},
		{`json:"a", rw:"-"`, Tag{}, "malformed"},
		{`json:"a",rw:"-"`, Tag{}, "malformed"},
		{`json:"a";rw:"varint"`, Tag{}, "malformed"},
		{`:"rw"`, Tag{}, "malformed"},
	} {
		got, err := ParseTag(tc.tag)
		if !reflect.DeepEqual(got, tc.want) || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("ParseTag(%s) = %+v, %v, want %+v, %q", tc.tag, got, err, tc.want, tc.err)
		}
		if e := (*TagError)(nil); err != nil && (!errors.As(err, &e) || e.Reason == "") {
			t.Errorf("ParseTag(%s): %#v is no TagError", tc.tag, err)
		}
	}
}

func TestTagCheck(t *testing.T) {
	key := func(k Kind) *Type { return &Type{Kind: KindMap, Key: &Type{Kind: k}, Elem: &Type{Kind: KindInt}} }
	of := func(k Kind) *Type { return &Type{Kind: k} }
	for _, tc := range []struct {
		options string
		field   *Type
		err     string // part of the error
	}{
		{"varint", of(KindInt16), ""},
		{"varint", of(KindUintptr), ""},
		{"fixed", of(KindUint64), ""},
		{"varint", of(KindInt8), `rw:"varint" is for integers of 16 bits or more: remove it`},
		{"fixed", of(KindUint8), `rw:"fixed" is for integers of 16 bits or more`},
		{"varint", of(KindPointer), "options hold for the field itself"},
		{"max=1", of(KindString), ""},
		{"max=1", of(KindBytes), ""},
		{"max=1", of(KindSlice), ""},
		{"max=1", key(KindFloat64), ""},
		{"max=1", of(KindArray), `rw:"max" is for strings, slices and maps`},
		{"max=1", of(KindInt), "max"},
		{"utf8", of(KindString), ""},
		{"utf8", of(KindBytes), "strings"},
		{"sorted", key(KindInt8), ""},
		{"sorted", key(KindUintptr), ""},
		{"sorted", key(KindString), ""},
		{"sorted", key(KindBool), ""},
		{"sorted", key(KindFloat64), "maps with keys"},
		{"sorted", key(KindStruct), "maps with keys"},
		{"sorted", of(KindMap), "maps with keys"},
		{"sorted", of(KindSlice), "maps with keys"},
		{"unixnano", of(KindTime), ""},
		{"unixnano", of(KindInt64), "time.Time"},
		{"intern", of(KindString), ""},
		{"intern", of(KindBytes), "strings"},
		{"view", of(KindString), ""},
		{"view", of(KindBytes), ""},
		{"view", of(KindSlice), "strings and []byte"},
		{"name=a,alias=b", of(KindStruct), ""},
		{"default=true", of(KindBool), ""},
		{"default=True", of(KindBool), "write true or false"},
		{"default=1", of(KindBool), "write true or false"},
		{"default=-128", of(KindInt8), ""},
		{"default=128", of(KindInt8), "within its range"},
		{"default=65536", of(KindUint16), "within its range"},
		{"default=-1", of(KindUint), "within its range"},
		{"default=9223372036854775807", of(KindInt), ""},
		{"default=18446744073709551615", of(KindUintptr), ""},
		{"default=18446744073709551616", of(KindUintptr), "within its range"},
		{"default=0x10", of(KindInt), "decimal"},
		{"default=", of(KindInt), "decimal"},
		{"default=1_000", of(KindInt), "decimal"},
		{"default=-1.5e3", of(KindFloat32), ""},
		{"default=1e39", of(KindFloat32), "within its range"},
		{"default=1e39", of(KindFloat64), ""},
		{"default=inf", of(KindFloat64), "within its range"},
		{"default=NaN", of(KindFloat64), "within its range"},
		{"default=anything", of(KindString), ""},
		{"default=", of(KindString), ""},
		{"default=abc,max=3", of(KindString), ""},
		{"default=abcd,max=3", of(KindString), "max=3"},
		{`default=\xff`, of(KindString), ""},
		{`default=\xff,utf8`, of(KindString), "UTF-8"},
		{"default=0", of(KindTime), "default is for bools"},
		{"default=0", of(KindPointer), "default is for bools"},
		{"default=0", of(KindCodec), "default is for bools"},
	} {
		tag, err := ParseTag(`rw:"` + tc.options + `"`)
		if err != nil {
			t.Errorf("%s: %v", tc.options, err)
			continue
		}
		err = tag.Check(tc.field)
		if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%s at a %v: %v, want %q", tc.options, tc.field.Kind, err, tc.err)
		}
		if e := (*TagError)(nil); err != nil && (!errors.As(err, &e) || !strings.Contains(tc.options, e.Option)) {
			t.Errorf("%s at a %v: %#v", tc.options, tc.field.Kind, err)
		}
	}
}

func TestCheckNames(t *testing.T) {
	for _, tc := range []struct {
		fields []Field
		at     int
		err    string
	}{
		{nil, -1, ""},
		{[]Field{{Name: "A", Aliases: []string{"C"}}, {Name: "B", Aliases: []string{"D", "E"}}}, -1, ""},
		{[]Field{{Name: "A"}, {Name: "B"}, {Name: "A"}}, 2, "name A is taken by field A"},
		{[]Field{{Name: "A", Aliases: []string{"C", "B"}}, {Name: "B"}}, 0, "alias B is taken by field B"},
		{[]Field{{Name: "A", Aliases: []string{"C"}}, {Name: "B", Aliases: []string{"C"}}}, 1, "alias C is taken by an alias of field A"},
	} {
		at, err := CheckNames(tc.fields)
		if at != tc.at || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%+v: %d, %v, want %d, %q", tc.fields, at, err, tc.at, tc.err)
		}
	}
}

// FuzzParseTag parses arbitrary tags. What is accepted is also what reflect sees, and a default comes back once it is quoted.
func FuzzParseTag(f *testing.F) {
	for _, s := range []string{`rw:"-"`, `rw:"max=3,default='a,b'"`, `json:"a" rw:"name=x,alias=a|b"`, `rw:"varint,fixed"`, `rw:"default=''''"`, "rw:\"a\t", `rw:"'"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		got, err := ParseTag(tag)
		if err != nil {
			if e := (*TagError)(nil); !errors.As(err, &e) || err.Error() == "" {
				t.Fatalf("%q: %#v", tag, err)
			}
			return
		}
		value, ok := reflect.StructTag(tag).Lookup("rw")
		if !ok {
			if !reflect.DeepEqual(got, Tag{}) {
				t.Fatalf("%q has no rw, but is %+v", tag, got)
			}
			return
		}
		again, err := ParseTag("rw:" + strconv.Quote(value))
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("%q is %+v, by itself %+v, %v", tag, got, again, err)
		}
		if got.HasDefault {
			quoted := strconv.Quote("default='" + strings.ReplaceAll(got.Default, "'", "''") + "'")
			if again, err := ParseTag("rw:" + quoted); err != nil || again.Default != got.Default {
				t.Fatalf("default %q becomes %q, %v", got.Default, again.Default, err)
			}
		}
	})
}
