package tape

import (
	"bytes"
	"encoding/binary"

	"github.com/rwgen/rwgen/runtime/partition"
)

// appendEvent appends the data of an event.
func appendEvent(b []byte, e partition.Event) []byte {
	drained := byte(0)
	if e.Drained {
		drained = 1
	}
	b = append(b, byte(e.Kind), drained, 0, 0, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(e.SentMicros))
	b = binary.LittleEndian.AppendUint64(b, e.Schema.Fingerprint)
	b = appendText(b, e.Record)
	b = appendText(b, e.Schema.Text)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(e.Data)))
	return append(b, e.Data...)
}

// parseEvent reads the data of an event, of which it keeps nothing. The error is a cause for a CorruptError.
func parseEvent(b []byte) (*partition.Event, error) {
	p := parser{b: b}
	e := &partition.Event{Kind: partition.EventKind(p.u8())}
	drained := p.u8()
	e.Drained = drained == 1
	p.zero(6)
	e.SentMicros = int64(p.u64())
	e.Schema.Fingerprint = p.u64()
	e.Record, e.Schema.Text = p.text(), p.text()
	e.Data = bytes.Clone(p.take(p.int()))
	known := e.Kind == partition.EndOfData || e.Kind == partition.UserEvent || e.Kind == partition.LatencyMarker
	if !p.done() || !known || drained > 1 || len(e.Data) > partition.MaxEventData {
		return nil, errEvent
	}
	return e, nil
}
