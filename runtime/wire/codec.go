package wire

import (
	"errors"
	"fmt"
)

// What writing values of unions can fail with.
var (
	// ErrMember says that the dynamic type of an interface value is no member of its union.
	ErrMember = errors.New("wire: no member of the union")
	// ErrNil says that an interface value is a nil pointer, which no union can hold. A nil interface is something else.
	ErrNil = errors.New("wire: nil pointer as member of a union")
)

// SizedLen returns how many bytes n bytes take on the wire with their length, as [PutSized] writes them.
func SizedLen(n int) int { return UvarintLen(uint64(n)) + n }

// PutSized writes b with its length to the start of dst and returns how many bytes it took, or 0 if it does not fit into
// len(dst). b may be part of dst. If it is what was appended to dst[1:1], as the codec of a value does, and has less than 128 bytes, nothing is moved.
// [Span] reads it.
func PutSized(dst, b []byte) int {
	n := UvarintLen(uint64(len(b)))
	if len(b) > len(dst)-n {
		return 0
	}
	if n == 1 && len(b) > 0 && &dst[1] == &b[0] {
		dst[0] = byte(len(b))
		return 1 + len(b)
	}
	copy(dst[n:], b) // before the length, which may lie where b begins
	return PutUvarint(dst, uint64(len(b))) + len(b)
}

// CodecError returns the error of a codec, which is code of users, as an error of the value at offset 0. What err wraps stays in reach of
// [errors.Is], but neither does its path become part of ours nor is it taken for our own [ErrShort]. It returns nil if err is nil.
func CodecError(err error) error {
	if err == nil {
		return nil
	}
	return &Error{Err: err}
}

// MemberError returns the error, which is [ErrMember], for a value v of a type that is no member of its union.
func MemberError(v any) error { return fmt.Errorf("%T: %w", v, ErrMember) }

// TagError returns the error, which is [ErrCorrupt], for a tag above the number of members of a union.
func TagError(tag uint64, members int) error {
	return fmt.Errorf("tag %d in a union of %d members: %w", tag, members, ErrCorrupt)
}
