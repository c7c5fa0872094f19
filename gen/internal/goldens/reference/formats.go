package reference

import (
	"encoding/binary"
	"errors"

	"github.com/rwgen/rwgen/gen/internal/goldens/messages/pb"
)

// Quake is a message of protoc-gen-go, and travels as plain Protobuf.
//
//rwgen:record format=protobuf
//rwgen:writer ByCountry key=Place.Country eventtime=Time
type Quake = pb.Quake

// Point has methods for its bytes.
//
//rwgen:record format=binary
//rwgen:writer ByName key=Name
type Point struct {
	Name string
	pos  [2]int32
}

// AppendBinary appends the coordinates and the name.
func (p *Point) AppendBinary(dst []byte) ([]byte, error) {
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.pos[0]))
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.pos[1]))
	return append(dst, p.Name...), nil
}

// UnmarshalBinary is the inverse of AppendBinary.
func (p *Point) UnmarshalBinary(src []byte) error {
	if len(src) < 8 {
		return errors.New("a point without coordinates")
	}
	p.pos = [2]int32{int32(binary.BigEndian.Uint32(src)), int32(binary.BigEndian.Uint32(src[4:]))}
	p.Name = string(src[8:])
	return nil
}
