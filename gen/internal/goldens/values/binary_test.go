package values

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

// The methods of records are those of package encoding.
var (
	_ encoding.BinaryAppender    = (*Flight)(nil)
	_ encoding.BinaryMarshaler   = (*Flight)(nil)
	_ encoding.BinaryUnmarshaler = (*Flight)(nil)
)

func TestBinary(t *testing.T) {
	v := &Viewed{Name: "name", Raw: []byte("raw"), List: []Line{{"line"}}, Keys: map[Line]int8{{"key"}: 1}}
	b, err := v.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	want, err := ViewedSerializer{}.Append(nil, v)
	if err != nil || !bytes.Equal(b, want) {
		t.Fatalf("%x, want %x, %v", b, want, err)
	}
	if got, err := v.AppendBinary([]byte("head")); err != nil || string(got) != "head"+string(want) {
		t.Errorf("appended: %q, %v", got, err)
	}
	var read Viewed
	if err := read.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	clear(b)
	if !(ViewedSerializer{}).Equal(v, &read) {
		t.Error("what was read lies in the bytes that it was read from")
	}
	if err := read.UnmarshalBinary(append(want, 0)); !errors.Is(err, wire.ErrCorrupt) {
		t.Errorf("a byte too many: %v", err)
	}
	if err := read.UnmarshalBinary(want[:len(want)-1]); !errors.Is(err, wire.ErrTruncated) {
		t.Errorf("a byte too few: %v", err)
	}
}

// Records go through packages that look for the methods.
func TestGob(t *testing.T) {
	type letter struct {
		Flights []*Sample
		Tree    Tree
	}
	in := letter{[]*Sample{{1, 2}, {3, 4}}, Tree{Name: "a", Left: &Tree{Name: "b"}}}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(&in); err != nil {
		t.Fatal(err)
	}
	var out letter
	if err := gob.NewDecoder(&b).Decode(&out); err != nil {
		t.Fatal(err)
	}
	if len(out.Flights) != 2 || *out.Flights[1] != *in.Flights[1] || !(TreeSerializer{}).Equal(&in.Tree, &out.Tree) {
		t.Errorf("%v", out)
	}
}
