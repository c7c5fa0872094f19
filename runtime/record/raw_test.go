package record_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

func TestRaw(t *testing.T) {
	schema := record.Schema{Text: "rwgen/1 T {}", Fingerprint: 7}
	ser := record.Raw(schema)
	if ser.Schema() != schema {
		t.Errorf("schema %v, want %v", ser.Schema(), schema)
	}
	for _, v := range [][]byte{nil, {}, {1}, {1, 2, 3}} {
		if n := ser.Size(&v); n != len(v) {
			t.Errorf("size of %v: %d", v, n)
		}
		b, err := ser.Append([]byte{9}, &v)
		if err != nil || !bytes.Equal(b, append([]byte{9}, v...)) {
			t.Errorf("Append of %v: %v, %v", v, b, err)
		}
		dst := make([]byte, 5)
		if n, err := ser.Put(dst, &v); err != nil || n != len(v) || !bytes.Equal(dst[:n], v) {
			t.Errorf("Put of %v: %d bytes of %v, %v", v, n, dst, err)
		}
		got := []byte{5, 5}
		if n, err := ser.Consume(v, &got); err != nil || n != len(v) || !bytes.Equal(got, v) {
			t.Errorf("Consume of %v: %v, %d bytes, %v", v, got, n, err)
		}
	}
}

func TestRawShort(t *testing.T) {
	ser, v := record.Raw(record.Schema{}), []byte{1, 2}
	if n, err := ser.Put(make([]byte, 1), &v); n != 0 || !errors.Is(err, wire.ErrShort) {
		t.Errorf("2 bytes put into 1: %d, %v", n, err)
	}
}

// TestRawOwns checks that what was read is the reader's own, in the room that it had.
func TestRawOwns(t *testing.T) {
	ser, src := record.Raw(record.Schema{}), []byte{1, 2}
	got := make([]byte, 0, 8)
	room := got[:1]
	if _, err := ser.Consume(src, &got); err != nil {
		t.Fatal(err)
	}
	src[0] = 7
	if got[0] != 1 || room[0] != 1 {
		t.Errorf("read %v, in place %v; want both to begin with 1", got, room)
	}
}

func TestRawLimit(t *testing.T) {
	var got []byte
	if _, err := record.Raw(record.Schema{}).ConsumeLimits([]byte{1, 2}, &got, record.Limits{MaxRecordBytes: 1}); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("2 bytes, the limit being 1: %v", err)
	}
}

// TestRawAllocs checks that forwarding costs no allocation.
func TestRawAllocs(t *testing.T) {
	ser, src := record.Raw(record.Schema{}), make([]byte, 100)
	dst, got := make([]byte, 100), make([]byte, 0, 100)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := ser.Put(dst, &src); err != nil {
			t.Fatal(err)
		}
		if _, err := ser.Consume(src, &got); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
