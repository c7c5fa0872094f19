package message

import "encoding/binary"

// Ping asks for a [Pong] with the same number.
type Ping struct{ Number uint64 }

// Type returns [TypePing].
func (Ping) Type() Type { return TypePing }

// Append appends the message; its channel is always 0.
func (m Ping) Append(dst []byte, _ uint32) []byte { return appendNumber(dst, TypePing, m.Number) }

// ParsePing reads the body of a PING.
func ParsePing(body []byte) (Ping, error) {
	n, err := parseNumber(TypePing, body)
	return Ping{n}, err
}

// Pong answers a [Ping].
type Pong struct{ Number uint64 }

// Type returns [TypePong].
func (Pong) Type() Type { return TypePong }

// Append appends the message; its channel is always 0.
func (m Pong) Append(dst []byte, _ uint32) []byte { return appendNumber(dst, TypePong, m.Number) }

// ParsePong reads the body of a PONG.
func ParsePong(body []byte) (Pong, error) {
	n, err := parseNumber(TypePong, body)
	return Pong{n}, err
}

// Goodbye is the last message of a side that leaves on purpose.
type Goodbye struct{}

// Type returns [TypeGoodbye].
func (Goodbye) Type() Type { return TypeGoodbye }

// Append appends the message; its channel is always 0.
func (Goodbye) Append(dst []byte, _ uint32) []byte { return Header{Type: TypeGoodbye}.Append(dst) }

// ParseGoodbye reads the body of a GOODBYE, which is empty.
func ParseGoodbye(body []byte) (Goodbye, error) { return Goodbye{}, exactly(TypeGoodbye, body, 0) }

func appendNumber(dst []byte, t Type, n uint64) []byte {
	dst = Header{Length: pingBytes, Type: t}.Append(dst)
	return binary.BigEndian.AppendUint64(dst, n)
}

func parseNumber(t Type, body []byte) (uint64, error) {
	if err := exactly(t, body, pingBytes); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(body), nil
}
