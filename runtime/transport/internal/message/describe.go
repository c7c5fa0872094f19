package message

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
)

// String returns type, channel and length, as "DATA of channel 7, 1036 bytes".
func (h Header) String() string {
	s := h.Type.String()
	if h.Type.Own() || h.Channel != 0 {
		s += " of channel " + strconv.FormatUint(uint64(h.Channel), 10)
	}
	if h.Flags != 0 {
		s += fmt.Sprintf(", flags %#02x", h.Flags)
	}
	return s + ", " + strconv.FormatUint(uint64(h.Length), 10) + " bytes"
}

// Describe returns header and fields of a message on one line, for people and logs, as "CREDIT of channel 7, 32 bytes: acknowledged (1000, 192), limit (33768, 1048768)". Of a body that is malformed it says why.
// A token is not shown, nor are records, only how long they are; long texts are cut.
func Describe(h Header, body []byte) string {
	m, err := Parse(h, body)
	if err != nil {
		return h.String() + ": " + err.Error()
	}
	if fields := describe(m); fields != "" {
		return h.String() + ": " + fields
	}
	return h.String()
}

// Dump writes a line for each message that r has from the sender, with its offset, and returns nil at the end of r. It fails with an [*Error] at a header that is malformed, behind which nothing can be told, and with [io.ErrUnexpectedEOF]
// where r ends within a message. A body that is malformed is only described. It holds one body at a time.
func Dump(w io.Writer, r io.Reader, from Role, max Limits) error {
	var (
		offset int64
		header [HeaderBytes]byte
		body   bytes.Buffer
	)
	for {
		if _, err := io.ReadFull(r, header[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("message at offset %d: %w", offset, err)
		}
		h, err := ParseHeader(header[:], from, max)
		if err != nil {
			return fmt.Errorf("message at offset %d: %w", offset, err)
		}
		body.Reset()
		if _, err := io.CopyN(&body, r, int64(h.Length)); errors.Is(err, io.EOF) {
			return fmt.Errorf("message at offset %d: %v: %w", offset, h, io.ErrUnexpectedEOF)
		} else if err != nil {
			return fmt.Errorf("message at offset %d: %v: %w", offset, h, err)
		}
		if _, err := fmt.Fprintf(w, "%d %s\n", offset, Describe(h, body.Bytes())); err != nil {
			return err
		}
		offset += HeaderBytes + int64(h.Length)
	}
}

// describe returns the fields of a message.
func describe(m Message) string {
	switch m := m.(type) {
	case Hello:
		return fmt.Sprintf("versions %d to %d, name %s, incarnation %v, token of %d bytes, at most %d bytes of records, keep-alive %v",
			m.Lowest, m.Highest, quote(m.Name), m.Incarnation, len(m.Token), m.DataMax, millis(m.KeepAliveMillis))
	case Welcome:
		return fmt.Sprintf("version %d, name %s, incarnation %v, at most %d bytes of records, keep-alive %v",
			m.Version, quote(m.Name), m.Incarnation, m.DataMax, millis(m.KeepAliveMillis))
	case Refused:
		return fault(m.Fault)
	case Open:
		s := fmt.Sprintf("partition %s, subpartition %d of %d, producer %d of %d, max parallelism %d, selection %s, reader %s, room for %d of events, patience %v, received %s, limit %s",
			quote(m.Partition), m.Subpartition, m.Consumers, m.Producer, m.Producers, m.MaxParallelism, quote(m.Selection), quote(m.Reader), m.EventRoom, millis(m.PatienceMillis), at(m.Received), at(m.Limit))
		if m.Resume {
			s += fmt.Sprintf(", resume incarnation %v", m.Incarnation)
		}
		if m.Reattach {
			s += ", reattach"
		}
		return s
	case Opened:
		return fmt.Sprintf("incarnation %v, from %s", m.Incarnation, at(m.From))
	case Denied:
		return fault(m.Fault)
	case Schema:
		return fmt.Sprintf("number %d, record %s, canonical text %s, aliases and defaults %s", m.Number, quote(m.Record), quote(m.Canonical), quote(m.Extras))
	case Writer:
		return fmt.Sprintf("schema %d, name %s, selection %s", m.Schema, quote(m.Name), quote(m.Selection))
	case Data:
		return fmt.Sprintf("%d bytes of records at %d, backlog %d KiB", len(m.Bytes), m.At, m.BacklogKiB)
	case Event:
		return fmt.Sprintf("%v before %s%s", m.Kind, at(m.Before), describeEvent(m))
	case Mark:
		if m.Idle {
			return "watermark " + micros(m.WatermarkMicros) + ", idle"
		}
		return "watermark " + micros(m.WatermarkMicros)
	case End:
		return fmt.Sprintf("before %s, %s", at(m.Before), fault(m.Fault))
	case Credit:
		return fmt.Sprintf("acknowledged %s, limit %s", at(m.Acknowledged), at(m.Limit))
	case Cancel:
		return fault(m.Fault)
	case Ping:
		return strconv.FormatUint(m.Number, 10)
	case Pong:
		return strconv.FormatUint(m.Number, 10)
	}
	return ""
}

// describeEvent returns what an event has beside its kind and position.
func describeEvent(m Event) string {
	switch {
	case m.Kind == EndOfData && m.Drained:
		return ", drained"
	case m.Kind == UserEvent:
		return fmt.Sprintf(", %d bytes of schema %d", len(m.Record), m.Schema)
	case m.Kind == LatencyMarker:
		return ", sent " + micros(m.SentMicros)
	}
	return ""
}

func fault(f Fault) string {
	f.Text = cut(f.Text, mostQuoted)
	return strconv.Quote(f.String())
}

// mostQuoted is how many bytes of a text are shown.
const mostQuoted = 200

func quote(s string) string {
	if len(s) <= mostQuoted {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%q… of %d bytes", cut(s, mostQuoted), len(s))
}

func at(p credit.Position) string { return fmt.Sprintf("(%d, %d)", p.Data, p.Events) }

func millis(n uint32) time.Duration { return time.Duration(n) * time.Millisecond }

// micros returns microseconds since the epoch as a number: a watermark may be one that no calendar has.
func micros(n int64) string { return strconv.FormatInt(n, 10) + " µs" }
