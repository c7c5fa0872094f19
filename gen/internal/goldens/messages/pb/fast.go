// Package pb has messages of protoc-gen-go.
package pb

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// ErrFast is the error of a message that is refused.
var ErrFast = errors.New("pb: a bad name")

// SizeVT counts.
func (m *Fast) SizeVT() int { return proto.Size(m) }

// MarshalToSizedBufferVT writes to the end of dst. Of a message with the name "changed" it writes less than it takes, as if it had become shorter meanwhile.
func (m *Fast) MarshalToSizedBufferVT(dst []byte) (int, error) {
	switch m.Name {
	case "bad":
		return 0, ErrFast
	case "changed":
		m = &Fast{Name: "other"}
	}
	b, err := proto.Marshal(m)
	copy(dst[len(dst)-len(b):], b)
	return len(b), err
}

// UnmarshalVT merges, as that of vtprotobuf does.
func (m *Fast) UnmarshalVT(src []byte) error {
	return proto.UnmarshalOptions{Merge: true}.Unmarshal(src, m)
}

// SizeVT counts.
func (m *FastTree) SizeVT() int { return proto.Size(m) }

// MarshalToSizedBufferVT writes to the end of dst.
func (m *FastTree) MarshalToSizedBufferVT(dst []byte) (int, error) {
	b, err := proto.Marshal(m)
	return copy(dst[len(dst)-len(b):], b), err
}

// UnmarshalVT goes down as deep as src says: nobody may call it.
func (m *FastTree) UnmarshalVT(src []byte) error {
	_, _, n := protowire.ConsumeTag(src)
	panic(n)
}
