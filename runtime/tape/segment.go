package tape

import (
	"encoding/binary"
	"math"
)

const (
	mark         = "\xf1RWSEG\r\n"
	segmentBytes = 64 // of a segment's header
	summedBytes  = 60 // of it that its checksum covers
	all          = -1 // as a lane: all of them
)

// Kinds of segments.
const (
	kindRecords = 1 + iota
	kindState
	kindEvent
	kindEnd
	kindIndex
)

// Flags of segments.
const (
	flagWatermark = 1 << iota
	flagIdle
)

// noWatermark is a watermark that is not set.
const noWatermark = math.MinInt64

// segment is the header of a segment.
type segment struct {
	offset    int64  // in the file
	number    uint64 // of the segments of the file
	kind      byte
	idle      bool
	lane      int // or all
	first     uint64
	watermark int64 // or noWatermark
	records   int
	bytes     int // of the data
	sum       uint32
}

// end returns the offset behind the segment.
func (s *segment) end() int64 { return s.offset + segmentBytes + int64(s.bytes) }

// put encodes the header into dst, of segmentBytes.
func (s *segment) put(dst []byte, id uint64) {
	le := binary.LittleEndian
	copy(dst, mark)
	le.PutUint64(dst[8:], id)
	dst[16], dst[17], dst[18], dst[19] = s.kind, 0, 0, 0
	le.PutUint32(dst[20:], uint32(s.lane))
	le.PutUint64(dst[24:], s.first)
	le.PutUint64(dst[32:], 0)
	if s.watermark != noWatermark {
		dst[17] |= flagWatermark
		le.PutUint64(dst[32:], uint64(s.watermark))
	}
	if s.idle {
		dst[17] |= flagIdle
	}
	le.PutUint32(dst[40:], uint32(s.records))
	le.PutUint32(dst[44:], uint32(s.bytes))
	le.PutUint64(dst[48:], s.number)
	le.PutUint32(dst[56:], s.sum)
	le.PutUint32(dst[summedBytes:], sum(dst[:summedBytes]))
}

// parseSegment reads a header of segmentBytes at an offset of a tape. The error is a cause for a CorruptError.
func parseSegment(b []byte, offset int64, h *Header) (segment, error) {
	le := binary.LittleEndian
	s := segment{offset: offset, watermark: noWatermark}
	if string(b[:len(mark)]) != mark || le.Uint64(b[8:]) != h.id {
		return s, errMark
	}
	if sum(b[:summedBytes]) != le.Uint32(b[summedBytes:]) {
		return s, errHeader
	}
	s.kind, s.first = b[16], le.Uint64(b[24:])
	s.idle = b[17]&flagIdle != 0
	lane := le.Uint32(b[20:])
	s.lane = all
	if lane != math.MaxUint32 {
		s.lane = int(lane & math.MaxInt32)
	}
	w, hasWatermark := int64(le.Uint64(b[32:])), b[17]&flagWatermark != 0
	if hasWatermark {
		s.watermark = w
	}
	records, bytes := le.Uint32(b[40:]), le.Uint32(b[44:])
	s.records, s.bytes = int(records&math.MaxInt32), int(bytes&math.MaxInt32)
	s.number, s.sum = le.Uint64(b[48:]), le.Uint32(b[56:])
	ok := s.number <= math.MaxInt64 && b[17]&^(flagWatermark|flagIdle) == 0 && b[18] == 0 && b[19] == 0 && records <= math.MaxInt32 && bytes <= math.MaxInt32 &&
		(lane == math.MaxUint32 || lane < uint32(h.Lanes)) && (hasWatermark && w != noWatermark || w == 0) &&
		(s.lane != all || s.first == 0) && (!s.idle || s.kind == kindState || s.kind == kindRecords)
	switch s.kind {
	case kindRecords:
		ok = ok && s.records > 0 && uint64(s.bytes) >= uint64(s.table(h))+4*uint64(s.records) && s.first+uint64(s.records) > s.first
	case kindEvent:
		ok = ok && s.records == 0 && !hasWatermark && s.bytes >= s.table(h)
	case kindState:
		ok = ok && s.records == 0 && s.lane == all && s.bytes == 0
	case kindEnd, kindIndex:
		ok = ok && s.records == 0 && s.lane == all && !hasWatermark
	default:
		ok = false
	}
	if !ok {
		return s, errFields
	}
	return s, nil
}

// table returns how many bytes of the data are a table of numbers.
func (s *segment) table(h *Header) int {
	if s.lane == all && (s.kind == kindRecords || s.kind == kindEvent) {
		return 8 * h.Lanes
	}
	return 0
}
