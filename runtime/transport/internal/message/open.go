package message

import (
	"encoding/binary"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
)

// Open asks for a channel, or says that it goes on.
type Open struct {
	Partition      string // id, 1 to [MaxName] bytes
	Subpartition   uint32
	Producer       uint32 // index of the producer
	Producers      uint32
	Consumers      uint32
	MaxParallelism uint32
	Selection      string          // what the writer must select by; empty: anything
	Reader         string          // what the client's list calls the process that reads, itself; empty: it has none
	EventRoom      uint32          // weight of events that the client has room for
	PatienceMillis uint32          // how long to wait for a partition that is not there, in milliseconds
	Received       credit.Position // up to which the client has the stream
	Limit          credit.Position // up to which the client has memory for it
	Resume         bool            // the channel goes on: flag 1
	Incarnation    Incarnation     // of the partition; not sent unless Resume is set
	Reattach       bool            // flag 2
}

// Type returns [TypeOpen].
func (Open) Type() Type { return TypeOpen }

// flags returns the flags of the header.
func (m Open) flags() uint8 {
	var flags uint8
	if m.Resume {
		flags |= FlagResume
	}
	if m.Reattach {
		flags |= FlagReattach
	}
	return flags
}

// Append appends the message. A partition, selection or reader that is too long is cut, see [Open.Check].
func (m Open) Append(dst []byte, channel uint32) []byte {
	start := len(dst)
	dst = begin(dst, TypeOpen, m.flags(), channel)
	dst = appendText(dst, m.Partition)
	dst = binary.BigEndian.AppendUint32(dst, m.Subpartition)
	dst = binary.BigEndian.AppendUint32(dst, m.Producer)
	dst = binary.BigEndian.AppendUint32(dst, m.Producers)
	dst = binary.BigEndian.AppendUint32(dst, m.Consumers)
	dst = binary.BigEndian.AppendUint32(dst, m.MaxParallelism)
	dst = appendText(dst, m.Selection)
	dst = appendText(dst, m.Reader)
	dst = binary.BigEndian.AppendUint32(dst, m.EventRoom)
	dst = binary.BigEndian.AppendUint32(dst, m.PatienceMillis)
	dst = appendPosition(dst, m.Received)
	dst = appendPosition(dst, m.Limit)
	if m.Resume {
		dst = append(dst, m.Incarnation[:]...)
	}
	return end(dst, start)
}

// Check returns the [*Error] for which a server would refuse the message, nil if there is none.
func (m Open) Check() error {
	c := checker{t: TypeOpen}
	c.name("partition", m.Partition)
	c.skip(5 * 4)
	c.text("selection", m.Selection)
	c.text("reader", m.Reader)
	c.skip(4 + 4 + 2*positionBytes)
	if m.Resume {
		c.skip(len(m.Incarnation))
	}
	return c.done()
}

// ParseOpen reads the body of an OPEN whose header has these flags. That the numbers make sense is not checked.
func ParseOpen(flags uint8, body []byte) (Open, error) {
	f := fields{t: TypeOpen, body: body}
	m := Open{Resume: flags&FlagResume != 0, Reattach: flags&FlagReattach != 0}
	m.Partition = f.name("partition")
	m.Subpartition = f.u32("subpartition")
	m.Producer = f.u32("producer")
	m.Producers = f.u32("producers")
	m.Consumers = f.u32("consumers")
	m.MaxParallelism = f.u32("max parallelism")
	m.Selection = f.text("selection")
	m.Reader = f.text("reader")
	m.EventRoom = f.u32("event room")
	m.PatienceMillis = f.u32("patience")
	m.Received = f.position("received")
	m.Limit = f.position("limit")
	if m.Resume {
		m.Incarnation = f.incarnation("incarnation")
	}
	if err := f.done(); err != nil {
		return Open{}, err
	}
	return m, nil
}

// Opened says that a channel is open.
type Opened struct {
	Incarnation Incarnation     // of the partition
	From        credit.Position // where the stream goes on
}

// openedBytes is the body of an OPENED.
const openedBytes = len(Incarnation{}) + positionBytes

// Type returns [TypeOpened].
func (Opened) Type() Type { return TypeOpened }

// Append appends the message.
func (m Opened) Append(dst []byte, channel uint32) []byte {
	dst = Header{Length: uint32(openedBytes), Type: TypeOpened, Channel: channel}.Append(dst)
	dst = append(dst, m.Incarnation[:]...)
	return appendPosition(dst, m.From)
}

// ParseOpened reads the body of an OPENED.
func ParseOpened(body []byte) (Opened, error) {
	if err := exactly(TypeOpened, body, openedBytes); err != nil {
		return Opened{}, err
	}
	return Opened{Incarnation: Incarnation(body), From: position(body[len(Incarnation{}):])}, nil
}

// Denied says that a channel is not opened; its number is free.
type Denied struct{ Fault Fault }

// Type returns [TypeDenied].
func (Denied) Type() Type { return TypeDenied }

// Append appends the message.
func (m Denied) Append(dst []byte, channel uint32) []byte {
	start := len(dst)
	return end(m.Fault.append(begin(dst, TypeDenied, 0, channel)), start)
}

// ParseDenied reads the body of a DENIED.
func ParseDenied(body []byte) (Denied, error) {
	fault, err := parseFault(TypeDenied, body)
	return Denied{fault}, err
}
