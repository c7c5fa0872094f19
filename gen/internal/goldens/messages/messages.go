// Package messages has records whose bytes methods of their types make: Protobuf messages, and types with a binary form of their own.
package messages

import (
	"encoding/binary"
	"errors"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/rwgen/rwgen/gen/internal/goldens/messages/opaque"
	"github.com/rwgen/rwgen/gen/internal/goldens/messages/pb"
)

//go:generate go tool rwgen

// Quake is a message of protoc-gen-go. Keys and event times are read by getters: a timestamp, a field of a message, and one of a oneof.
//
//rwgen:record format=protobuf
//rwgen:writer ByID key=Id
//rwgen:writer ByCountry key=Place.Country,Kind eventtime=Time watermark=bounded:5s
//rwgen:writer ByStation key=Station hash=kafka
//rwgen:writer ByNet key=Net hash=flink eventtime=UpdatedMs:ms
//rwgen:writer ByRaw key=Raw choices=2
//rwgen:writer ByTime key=Time
//rwgen:writer Where custom=Where
//rwgen:writer All broadcast
type Quake = pb.Quake

// Where sends strong ones to the last channel.
func Where(v *Quake, channels int) int {
	if v.GetMagnitude() >= 5 {
		return channels - 1
	}
	return 0
}

// Tree can contain itself, so that its depth is limited.
//
//rwgen:record format=protobuf
type Tree = pb.Tree

// Either can contain itself through a oneof.
//
//rwgen:record format=protobuf
type Either = pb.Either

// Depth is a nested message.
//
//rwgen:record format=protobuf
type Depth = pb.Quake_Depth

// Must has a field that has to be there.
//
//rwgen:record format=protobuf
//rwgen:writer ByCount key=Count
type Must = pb.Must

// Sample has no exported fields.
//
//rwgen:record format=protobuf
//rwgen:writer ByStation key=Station
//rwgen:writer ByBefore key=Before.Station,Before.Value
type Sample = opaque.Sample

// Fast has the methods of vtprotobuf.
//
//rwgen:record format=protobuf
//rwgen:writer ByName key=Name
type Fast = pb.Fast

// FastTree has them, too, but can contain itself.
//
//rwgen:record format=protobuf
type FastTree = pb.FastTree

// Point has a binary form of its own, which it appends.
//
//rwgen:record format=binary
//rwgen:writer ByName key=Name
//rwgen:writer ByPlace key=At,Name
type Point struct {
	Name string
	At   [2]int32
	note chan struct{}
	mu   sync.Mutex
}

// Note returns what has no binary form.
func (p *Point) Note() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.note
}

// ErrPoint is the error of a point that has no binary form.
var ErrPoint = errors.New("messages: no point")

// AppendBinary appends two numbers and the name.
func (p *Point) AppendBinary(dst []byte) ([]byte, error) {
	switch p.Name {
	case "bad":
		return dst, ErrPoint
	case "panic":
		panic("the point panics")
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.At[0]))
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.At[1]))
	return append(dst, p.Name...), nil
}

// UnmarshalBinary sets what AppendBinary has appended, and leaves the rest.
func (p *Point) UnmarshalBinary(src []byte) error {
	if len(src) < 8 {
		return ErrPoint
	}
	p.At[0], p.At[1] = int32(binary.BigEndian.Uint32(src)), int32(binary.BigEndian.Uint32(src[4:]))
	p.Name = string(src[8:])
	return nil
}

// Blob has no AppendBinary, and may be empty.
//
//rwgen:record format=binary
type Blob struct{ text string }

// MarshalBinary returns the text.
func (b Blob) MarshalBinary() ([]byte, error) { return []byte(b.text), nil }

// UnmarshalBinary sets the text.
func (b *Blob) UnmarshalBinary(src []byte) error {
	b.text = string(src)
	return nil
}

// check that the runtime of Protobuf knows the messages.
var (
	_ proto.Message = (*Quake)(nil)
	_ proto.Message = (*Sample)(nil)
)
