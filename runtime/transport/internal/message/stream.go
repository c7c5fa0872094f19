package message

import (
	"encoding/binary"
	"fmt"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
)

// The bodies that always have the same length.
const (
	markBytes   = 9
	creditBytes = 2 * positionBytes
	pingBytes   = 8
)

// Mark is the newest that is known of a channel's event time.
type Mark struct {
	WatermarkMicros int64 // microseconds since the Unix epoch
	Idle            bool
}

// Type returns [TypeMark].
func (Mark) Type() Type { return TypeMark }

// Append appends the message.
func (m Mark) Append(dst []byte, channel uint32) []byte {
	dst = Header{Length: markBytes, Type: TypeMark, Channel: channel}.Append(dst)
	dst = binary.BigEndian.AppendUint64(dst, uint64(m.WatermarkMicros))
	return append(dst, boolByte(m.Idle))
}

// ParseMark reads the body of a MARK.
func ParseMark(body []byte) (Mark, error) {
	if err := exactly(TypeMark, body, markBytes); err != nil {
		return Mark{}, err
	}
	idle := body[8]
	if idle > 1 {
		return Mark{}, &Error{Type: TypeMark, Offset: HeaderBytes + 8, Field: "idle", Reason: fmt.Sprintf("is %d, may be 0 or 1", idle)}
	}
	return Mark{WatermarkMicros: int64(binary.BigEndian.Uint64(body)), Idle: idle == 1}, nil
}

// End is the end of a channel's stream.
type End struct {
	Before credit.Position // of the end
	Fault  Fault           // of the producer; CodeNone: the partition has ended
}

// Type returns [TypeEnd].
func (End) Type() Type { return TypeEnd }

// Append appends the message.
func (m End) Append(dst []byte, channel uint32) []byte {
	start := len(dst)
	dst = begin(dst, TypeEnd, 0, channel)
	dst = appendPosition(dst, m.Before)
	return end(m.Fault.append(dst), start)
}

// ParseEnd reads the body of an END.
func ParseEnd(body []byte) (End, error) {
	f := fields{t: TypeEnd, body: body}
	before := f.position("position")
	m := End{Before: before, Fault: f.fault()}
	if err := f.done(); err != nil {
		return End{}, err
	}
	return m, nil
}

// Credit says how much of a channel's stream has arrived, and for how much there is memory.
type Credit struct {
	Acknowledged credit.Position // everything before it is in the client's memory
	Limit        credit.Position // up to which the server may send
}

// Type returns [TypeCredit].
func (Credit) Type() Type { return TypeCredit }

// Append appends the message.
func (m Credit) Append(dst []byte, channel uint32) []byte {
	dst = Header{Length: creditBytes, Type: TypeCredit, Channel: channel}.Append(dst)
	dst = appendPosition(dst, m.Acknowledged)
	return appendPosition(dst, m.Limit)
}

// ParseCredit reads the body of a CREDIT.
func ParseCredit(body []byte) (Credit, error) {
	if err := exactly(TypeCredit, body, creditBytes); err != nil {
		return Credit{}, err
	}
	return Credit{Acknowledged: position(body), Limit: position(body[positionBytes:])}, nil
}

// Cancel says that the client reads a channel no more.
type Cancel struct {
	Fault Fault // why; CodeNone: the reader was closed without a cause
}

// Type returns [TypeCancel].
func (Cancel) Type() Type { return TypeCancel }

// Append appends the message.
func (m Cancel) Append(dst []byte, channel uint32) []byte {
	start := len(dst)
	return end(m.Fault.append(begin(dst, TypeCancel, 0, channel)), start)
}

// ParseCancel reads the body of a CANCEL.
func ParseCancel(body []byte) (Cancel, error) {
	fault, err := parseFault(TypeCancel, body)
	return Cancel{fault}, err
}

// Closed says that the server has closed a channel; its number is free.
type Closed struct{}

// Type returns [TypeClosed].
func (Closed) Type() Type { return TypeClosed }

// Append appends the message.
func (Closed) Append(dst []byte, channel uint32) []byte {
	return Header{Type: TypeClosed, Channel: channel}.Append(dst)
}

// ParseClosed reads the body of a CLOSED, which is empty.
func ParseClosed(body []byte) (Closed, error) { return Closed{}, exactly(TypeClosed, body, 0) }
