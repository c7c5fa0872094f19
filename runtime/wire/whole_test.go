package wire

import (
	"errors"
	"testing"
)

func TestPutWhole(t *testing.T) {
	own := errors.New("own")
	in := make([]byte, 4)
	tests := []struct {
		name   string
		b      []byte
		err    error
		n      int
		fails  error
		result string
	}{
		{name: "in place", b: append(in[:0], "abc"...), n: 3, result: "abc"},
		{name: "elsewhere", b: []byte("xyz"), n: 3, result: "xyz"},
		{name: "nothing", n: 0, result: ""},
		{name: "as much as there is room", b: []byte("1234"), n: 4, result: "1234"},
		{name: "too long", b: []byte("12345"), fails: ErrShort},
		{name: "an error", b: []byte("1"), err: own, fails: own},
		{name: "one of ours", err: ErrShort, fails: ErrShort},
	}
	for _, tt := range tests {
		dst := in
		if tt.name != "in place" {
			dst = make([]byte, 4)
		}
		n, err := PutWhole(dst, tt.b, tt.err)
		if n != tt.n || !errors.Is(err, tt.fails) || err == nil && string(dst[:n]) != tt.result {
			t.Errorf("%s: %d bytes %q and %v, want %d bytes %q and %v", tt.name, n, dst[:n], err, tt.n, tt.result, tt.fails)
		}
		if tt.err != nil && err == ErrShort {
			t.Errorf("%s: the error of a method is taken for a lack of room", tt.name)
		}
	}
}

func TestPutBackwards(t *testing.T) {
	own := errors.New("own")
	for _, tt := range []struct {
		name   string
		n      int
		err    error
		fails  error
		result string
	}{
		{"all of it", 4, nil, nil, "abcd"},
		{"less", 2, nil, nil, "cd"},
		{"nothing", 0, nil, nil, ""},
		{"more than there is", 5, nil, ErrShort, ""},
		{"a negative number", -1, nil, ErrShort, ""},
		{"an error", 4, own, own, ""},
	} {
		dst := []byte("abcd")
		n, err := PutBackwards(dst, tt.n, tt.err)
		if !errors.Is(err, tt.fails) || string(dst[:n]) != tt.result {
			t.Errorf("%s: %q and %v, want %q and %v", tt.name, dst[:n], err, tt.result, tt.fails)
		}
	}
}
