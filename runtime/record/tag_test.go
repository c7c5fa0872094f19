package record

import (
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

		{`rw:""`, Tag{}, `unknown tag rw:""`},
		{`rw:"Varint"`, Tag{}, `unknown tag rw:"Varint"`},
		{`rw:"varint,sorted"`, Tag{}, `unknown tag rw:"varint,sorted"`},
		{`rw:" -"`, Tag{}, `unknown tag rw:" -"`},
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
		if got != tc.want || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("ParseTag(%s) = %+v, %v, want %+v, %q", tc.tag, got, err, tc.want, tc.err)
		}
	}
}
