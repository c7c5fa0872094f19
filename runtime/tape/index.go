package tape

import (
	"encoding/binary"
	"slices"
	"sort"
)

const (
	trailerMark  = "\xf1RWEND\r\n"
	trailerBytes = 32
	maxEntries   = 1 << 16
)

// entry says that the segment at an offset begins with a record of the lane.
type entry struct {
	first  uint64
	offset int64
}

// index lists for each lane where some of its segments begin. It is bounded: with too many entries it keeps every second one of each lane, and goes on with half as many.
type index struct {
	lanes  [][]entry
	since  []int // by lane: segments since the last one that was listed
	stride int
	total  int
}

func newIndex(lanes int) index {
	return index{lanes: make([][]entry, lanes), since: make([]int, lanes), stride: 1}
}

// add lists a segment, or passes it over. REQUIRES: later segments of a lane come later.
func (x *index) add(lane int, first uint64, offset int64) {
	l := x.lanes[lane]
	if x.since[lane]++; len(l) > 0 && x.since[lane] < x.stride {
		return
	}
	x.since[lane] = 0
	x.lanes[lane] = append(l, entry{first, offset})
	if x.total++; x.total > max(maxEntries, 4*len(x.lanes)) {
		x.thin()
	}
}

func (x *index) thin() {
	x.total, x.stride = 0, 2*x.stride
	for lane, l := range x.lanes {
		kept := 0
		for i := 0; i < len(l); i += 2 {
			l[kept] = l[i]
			kept++
		}
		x.lanes[lane] = l[:kept]
		x.total += kept
	}
}

// find returns the last entry before a record, and whether there is one. One at the record would be behind the events that stand before it.
func (x *index) find(lane int, record uint64) (entry, bool) {
	l := x.lanes[lane]
	i := sort.Search(len(l), func(i int) bool { return l[i].first >= record })
	if i == 0 {
		return entry{}, false
	}
	return l[i-1], true
}

// encode returns the data of the index segment.
func (x *index) encode() []byte {
	b := make([]byte, 0, 4*len(x.lanes)+16*x.total)
	for _, l := range x.lanes {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(l)))
		for _, e := range l {
			b = binary.LittleEndian.AppendUint64(b, e.first)
			b = binary.LittleEndian.AppendUint64(b, uint64(e.offset))
		}
	}
	return b
}

// parseIndex reads the data of an index segment. All offsets lie from low up to high, not included.
func parseIndex(b []byte, lanes int, low, high int64) (*index, error) {
	p := parser{b: b}
	x := &index{lanes: make([][]entry, lanes)}
	for lane := range x.lanes {
		n := p.int()
		if p.bad || n > len(p.b)/16 {
			return nil, errIndex
		}
		l := make([]entry, n)
		for i := range l {
			l[i] = entry{p.u64(), int64(p.u64())}
			if l[i].offset < low || l[i].offset >= high || i > 0 && (l[i].first <= l[i-1].first || l[i].offset <= l[i-1].offset) {
				return nil, errIndex
			}
		}
		x.lanes[lane] = slices.Clip(l)
	}
	if !p.done() {
		return nil, errIndex
	}
	return x, nil
}

// encodeTrailer returns the last bytes of a tape.
func encodeTrailer(id uint64, index int64) []byte {
	b := binary.LittleEndian.AppendUint64([]byte(trailerMark), id)
	b = binary.LittleEndian.AppendUint64(b, uint64(index))
	b = append(b, 0, 0, 0, 0)
	return binary.LittleEndian.AppendUint32(b, sum(b))
}

// parseTrailer returns the offset of the index. The error is a cause for a CorruptError. The file has so many bytes before the trailer.
func parseTrailer(b []byte, id uint64, before int64) (int64, error) {
	if string(b[:len(trailerMark)]) != trailerMark {
		return 0, ErrTruncated
	}
	p := parser{b: b[len(trailerMark):]}
	got, at := p.u64(), p.u64()
	p.zero(4)
	check := p.u32()
	if got != id || check != sum(b[:trailerBytes-sumBytes]) || !p.done() || at > uint64(before) {
		return 0, errTrailer
	}
	return int64(at), nil
}
