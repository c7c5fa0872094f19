package wire_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/wire"
)

func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + 1)
	}
	return b
}

func TestPutSized(t *testing.T) {
	for _, size := range []int{0, 1, 2, 126, 127, 128, 129, 300, 16383, 16384, 20000} {
		want := append(wire.AppendUvarint(nil, uint64(size)), pattern(size)...)
		if n := wire.SizedLen(size); n != len(want) {
			t.Errorf("SizedLen(%d) = %d, want %d", size, n, len(want))
		}
		const slack = 8
		for _, tc := range []struct {
			name string
			at   int // where in dst the bytes are, -1 for elsewhere
		}{{"elsewhere", -1}, {"appended", 1}, {"at the start", 0}, {"further on", 2}, {"at the end", slack}} {
			dst := bytes.Repeat([]byte{0xee}, len(want)+slack)
			b := pattern(size)
			if tc.at >= 0 {
				b = append(dst[tc.at:tc.at], b...)
			}
			n := wire.PutSized(dst[:len(want)], b)
			if n != len(want) || !bytes.Equal(dst[:n], want) {
				t.Errorf("%d bytes, %s: %d", size, tc.name, n)
			}
			// Nothing behind the length given is written to.
			if behind := dst[max(len(want), tc.at+size):]; !bytes.Equal(behind, bytes.Repeat([]byte{0xee}, len(behind))) {
				t.Errorf("%d bytes, %s: writes beyond its destination", size, tc.name)
			}
		}
		for _, room := range []int{0, len(want) - 1} {
			dst := bytes.Repeat([]byte{0xee}, len(want))
			if n := wire.PutSized(dst[:room], pattern(size)); n != 0 || dst[len(want)-1] != 0xee {
				t.Errorf("%d bytes into %d: %d", size, room, n)
			}
		}
		if p, n := wire.Span(append(want, 1)); n != len(want) || !bytes.Equal(p, pattern(size)) {
			t.Errorf("Span of %d bytes: %d", size, n)
		}
	}
	// The bytes may reach beyond len(dst) before they are moved, into its capacity.
	dst := make([]byte, 200)
	b := append(dst[1:1], pattern(150)...)
	if n := wire.PutSized(dst[:151], b); n != 0 {
		t.Errorf("150 bytes and their length in 151: %d", n)
	}
}

func TestUnionErrors(t *testing.T) {
	err := wire.MemberError(new(bytes.Buffer))
	if !errors.Is(err, wire.ErrMember) || !strings.Contains(err.Error(), "*bytes.Buffer") {
		t.Error(err)
	}
	if err := wire.MemberError(nil); !errors.Is(err, wire.ErrMember) {
		t.Error(err)
	}
	err = wire.TagError(300, 2)
	if !errors.Is(err, wire.ErrCorrupt) || !strings.Contains(err.Error(), "300") || !strings.Contains(err.Error(), " 2 ") {
		t.Error(err)
	}
}

// TestCodecError checks that errors of user code cannot pass for our own.
func TestCodecError(t *testing.T) {
	if err := wire.CodecError(nil); err != nil {
		t.Errorf("of nil: %v", err)
	}
	theirs := wire.FieldError("Theirs", 3, wire.ErrShort)
	err := wire.FieldError("Ours", 10, wire.CodecError(theirs))
	var e *wire.Error
	if !errors.As(err, &e) || e.Path != "Ours" || e.Offset != 10 || !errors.Is(err, wire.ErrShort) || e.Error() != "Ours: offset 10: Theirs: offset 3: "+wire.ErrShort.Error() {
		t.Errorf("%#v", err)
	}
	if err := wire.CodecError(wire.ErrShort); err == wire.ErrShort {
		t.Error("ErrShort of user code passes for ours")
	}
}

func FuzzSized(f *testing.F) {
	for _, s := range []string{"", "00", "0161", "8000", "ff01", "ffffffffffffffffff01"} {
		b, err := hex.DecodeString(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, uint8(1))
	}
	f.Fuzz(func(t *testing.T, src []byte, at uint8) {
		if p, n := wire.Span(src); n > 0 {
			dst := make([]byte, n)
			if m := wire.PutSized(dst, p); m != n || !bytes.Equal(dst, src[:n]) {
				t.Fatalf("%x becomes %x", src[:n], dst[:m])
			}
		}
		// src as a value that lies anywhere in the destination.
		room := make([]byte, int(at)+wire.SizedLen(len(src))+len(src))
		b := append(room[at:at], src...)
		want := append(wire.AppendUvarint(nil, uint64(len(src))), src...)
		if n := wire.PutSized(room, b); !bytes.Equal(room[:n], want) {
			t.Fatalf("%x at %d becomes %x", src, at, room[:n])
		}
	})
}
