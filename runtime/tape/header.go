package tape

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
)

const (
	magic      = "\x89RWTAPE\n"
	version    = 1
	prefix     = 16      // bytes of the header before its body
	maxHeader  = 1 << 20 // bytes of its body
	fixedBody  = 40      // bytes of the body before its strings
	maxLanes   = 1 << 17
	sumBytes   = 4
	leastBytes = prefix + sumBytes
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Header says what a tape holds.
type Header struct {
	// Topology is where the producer stood.
	Topology selector.Topology
	// Lanes is 1 for a broadcast writer, whose channels share one lane; else the number of consumers.
	Lanes int
	// Record is the Go name of the record type, Schema its schema.
	Record string
	Schema record.Schema
	// Selection, Key and Hash say how the writer selected channels.
	Selection selector.Kind
	Key       string
	Hash      selector.Hash

	id uint64
}

func newHeader(t selector.Topology, c partition.Claim, id uint64) Header {
	lanes := t.Consumers
	if c.Selection == selector.KindBroadcast {
		lanes = 1
	}
	return Header{
		Topology: t, Lanes: lanes, Record: c.Record, Schema: c.Schema, Selection: c.Selection, Key: c.Key, Hash: c.Hash, id: id,
	}
}

// check says whether the format can express h.
func (h *Header) check() error {
	lanes := h.Topology.Consumers
	if h.Selection == selector.KindBroadcast {
		lanes = 1
	}
	switch {
	case h.Topology.Validate() != nil:
		return h.Topology.Validate()
	case h.Topology.Producers > math.MaxInt32 || h.Topology.Consumers > math.MaxInt32:
		return fmt.Errorf("%d producers and %d consumers: %w", h.Topology.Producers, h.Topology.Consumers, selector.ErrTopology)
	case h.Lanes != lanes || lanes > maxLanes:
		return fmt.Errorf("%d lanes for %d consumers, at most %d are possible", h.Lanes, h.Topology.Consumers, maxLanes)
	case h.Selection < 0 || h.Selection > math.MaxUint8 || h.Hash < 0 || h.Hash > math.MaxUint8:
		return fmt.Errorf("selection %v with hash %v", h.Selection, h.Hash)
	case fixedBody+3*4+len(h.Record)+len(h.Schema.Text)+len(h.Key) > maxHeader:
		return fmt.Errorf("the schema takes %d bytes, at most %d are possible", len(h.Schema.Text), maxHeader)
	}
	return nil
}

// encode returns the header. REQUIRES: check.
func (h *Header) encode() []byte {
	b := append([]byte(magic), make([]byte, prefix-len(magic))...)
	b = binary.LittleEndian.AppendUint64(b, h.id)
	for _, n := range []int{h.Topology.Producers, h.Topology.Consumers, h.Topology.Producer, h.Topology.MaxParallelism, h.Lanes} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, byte(h.Selection), byte(h.Hash), 0, 0)
	b = binary.LittleEndian.AppendUint64(b, h.Schema.Fingerprint)
	for _, s := range []string{h.Record, h.Schema.Text, h.Key} {
		b = appendText(b, s)
	}
	binary.LittleEndian.PutUint32(b[8:], version)
	binary.LittleEndian.PutUint32(b[12:], uint32(len(b)-prefix))
	return binary.LittleEndian.AppendUint32(b, sum(b))
}

// bodyBytes returns the length of the body that a prefix promises.
func bodyBytes(b []byte) (int, error) {
	if string(b[:len(magic)]) != magic {
		return 0, fmt.Errorf("%w: it begins with % x", ErrFormat, b[:len(magic)])
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v != version {
		return 0, fmt.Errorf("%w of version %d: it has version %d", ErrFormat, version, v)
	}
	n := binary.LittleEndian.Uint32(b[12:])
	if n > maxHeader {
		return 0, &CorruptError{Offset: 0, Cause: fmt.Errorf("a header of %d bytes, the limit is %d", n, maxHeader)}
	}
	return int(n), nil
}

// parseHeader reads a whole header, checksum included.
func parseHeader(b []byte) (Header, error) {
	bad := func(cause error) (Header, error) { return Header{}, &CorruptError{Cause: cause} }
	end := len(b) - sumBytes
	if sum(b[:end]) != binary.LittleEndian.Uint32(b[end:]) {
		return bad(errHeader)
	}
	p := parser{b: b[prefix:end]}
	h := Header{id: p.u64()}
	h.Topology = selector.Topology{Producers: p.int(), Consumers: p.int(), Producer: p.int(), MaxParallelism: p.int()}
	h.Lanes = p.int()
	h.Selection, h.Hash = selector.Kind(p.u8()), selector.Hash(p.u8())
	p.zero(2)
	h.Schema.Fingerprint = p.u64()
	h.Record, h.Schema.Text, h.Key = p.text(), p.text(), p.text()
	if !p.done() {
		return bad(errFields)
	}
	if err := h.check(); err != nil {
		return bad(err)
	}
	return h, nil
}
