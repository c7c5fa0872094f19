package record

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/rwgen/rwgen/runtime/wire"
)

// run does steps for the value at i of the source and returns the index after it. After an error it returns the index of what failed.
func (m *mover) run(steps []step, i int, at frame) (int, error) {
	for k := range steps {
		s := &steps[k]
		if s.op == stepCopy {
			j, err := m.skipAll(s.skips, i, at)
			if err != nil {
				return j, err
			}
			if j-i > len(m.dst)-m.at {
				return i, wire.ErrShort
			}
			m.at += copy(m.dst[m.at:], m.src[i:j])
			i = j
			continue
		}
		j, err := m.step(s, i, at)
		if err != nil {
			return j, inField(s.name, j, err)
		}
		i = j
	}
	return i, nil
}

// step does everything but to copy.
func (m *mover) step(s *step, i int, at frame) (int, error) {
	switch s.op {
	case stepDrop:
		return m.skipAll(s.skips, i, at)
	case stepWrite:
		return i, m.write(s.lit)
	case stepBit:
		bit := byte(0)
		if m.bit(at.bits, s.n) {
			bit = 1
		}
		return i, m.writeByte(bit)
	case stepIf:
		if !m.bit(at.bits, s.n) {
			return i, nil
		}
		if err := m.budget.Charge(1, s.memory); err != nil {
			return i, err
		}
		return m.run(s.steps, i, at)
	case stepPointer:
		set, err := m.pointer(i)
		if err != nil {
			return i, err
		}
		if !set {
			return i + 1, m.writeByte(0)
		}
		if err := m.budget.Charge(1, s.memory); err != nil {
			return i, err
		}
		if err := m.writeByte(1); err != nil {
			return i, err
		}
		return m.run(s.steps, i+1, at)
	case stepSlice:
		return m.slice(s, i, at)
	case stepArray:
		for k := range s.count {
			j, err := m.run(s.steps, i, at)
			if err != nil {
				return j, indexError(int(k), j, err)
			}
			i = j
		}
		return i, nil
	case stepUnion:
		return m.union(s, i, at)
	case stepStruct:
		return m.structure(s.block, i)
	case stepSeek:
		return m.offsets[at.base+s.n], nil
	case stepNumber:
		return m.number(s, i)
	case stepStringBytes, stepBytesString:
		return m.text(s.op, i)
	}
	return m.time(s.op, i)
}

func (m *mover) write(p []byte) error {
	if len(p) > len(m.dst)-m.at {
		return wire.ErrShort
	}
	m.at += copy(m.dst[m.at:], p)
	return nil
}

func (m *mover) writeByte(b byte) error {
	if m.at == len(m.dst) {
		return wire.ErrShort
	}
	m.dst[m.at] = b
	m.at++
	return nil
}

func (m *mover) writeUvarint(v uint64) error {
	n := wire.PutUvarint(m.dst[m.at:], v)
	if n == 0 {
		return wire.ErrShort
	}
	m.at += n
	return nil
}

func (m *mover) slice(s *step, i int, at frame) (int, error) {
	n1, j, err := getUvarint(m.src, i)
	if err != nil {
		return i, err
	}
	n, err := wire.Count(n1, s.min, len(m.src)-j)
	if err != nil {
		return i, err
	}
	if err := m.budget.Charge(uint64(n), s.memory); err != nil {
		return i, err
	}
	if err := m.writeUvarint(n1); err != nil {
		return i, err
	}
	if len(s.steps) == 0 {
		return j, nil
	}
	for k := range n {
		next, err := m.run(s.steps, j, at)
		if err != nil {
			return next, indexError(k, next, err)
		}
		j = next
	}
	return j, nil
}

func (m *mover) union(s *step, i int, at frame) (int, error) {
	tag, j, err := getUvarint(m.src, i)
	if err != nil {
		return i, err
	}
	if tag == 0 {
		return j, m.writeByte(0)
	}
	if tag > uint64(len(s.members)) {
		return i, wire.TagError(tag, len(s.members))
	}
	to := &s.members[tag-1]
	if to.tag == 0 {
		return i, fmt.Errorf("member %s: %w", to.name, ErrUnknownMember)
	}
	if err := m.budget.Charge(1, to.memory); err != nil {
		return j, err
	}
	if err := m.writeUvarint(to.tag); err != nil {
		return i, err
	}
	return m.run(to.steps, j, at)
}

func (m *mover) structure(b *moveBlock, i int) (int, error) {
	if b.recursive {
		if err := m.budget.Enter(); err != nil {
			return i, err
		}
	}
	if err := m.presence(i, b.bits); err != nil {
		return i, err
	}
	if err := m.putPresence(b, i); err != nil {
		return i, err
	}
	at, j := frame{bits: i, base: len(m.offsets)}, i+b.presence
	for k, rules := range b.scan {
		next, err := m.skipAll(rules, j, at)
		if err != nil {
			return next, err
		}
		if j = next; k < len(b.scan)-1 {
			m.offsets = append(m.offsets, j)
		}
	}
	end := j
	j, err := m.run(b.steps, i+b.presence, at)
	if err != nil {
		return j, err
	}
	if b.scan != nil {
		m.offsets = m.offsets[:at.base]
		j = end
	}
	if b.recursive {
		m.budget.Leave() // after an error the budget is not used again
	}
	return j, nil
}

// putPresence writes the presence bits of the reader's struct, from those of the writer's at i.
func (m *mover) putPresence(b *moveBlock, i int) error {
	if len(b.consts) == 0 {
		return nil
	}
	start := m.at
	if err := m.write(b.consts); err != nil {
		return err
	}
	bits := m.dst[start:m.at]
	if b.straight {
		for k := range b.presence {
			bits[k] |= m.src[i+k]
		}
		return nil
	}
	for _, to := range b.from {
		if m.bit(i, to.writer) {
			bits[to.reader/8] |= 1 << (to.reader % 8)
		}
	}
	return nil
}

// text turns a string into bytes, whose length is written plus one, and back.
func (m *mover) text(op stepOp, i int) (int, error) {
	n, j, err := getUvarint(m.src, i)
	if err != nil {
		return i, err
	}
	size, written := n, n+1
	if op == stepBytesString {
		size = max(n, 1) - 1 // nil becomes the empty string
		written = size
	}
	if size > uint64(len(m.src)-j) {
		return i, wire.ErrTruncated
	}
	if err := m.writeUvarint(written); err != nil {
		return i, err
	}
	end := j + int(size)
	return end, m.write(m.src[j:end])
}

// time turns a time into nanoseconds and back.
func (m *mover) time(op stepOp, i int) (int, error) {
	if op == stepNanoTime {
		switch {
		case len(m.src)-i < wire.UnixNanoLen:
			return i, wire.ErrTruncated
		case len(m.dst)-m.at < wire.TimeLen:
			return i, wire.ErrShort
		}
		wire.PutTime(m.dst[m.at:], wire.UnixNano(m.src[i:]))
		m.at += wire.TimeLen
		return i + wire.UnixNanoLen, nil
	}
	t, err := wire.Time(m.src[i:])
	if err != nil {
		return i, err
	}
	if len(m.dst)-m.at < wire.UnixNanoLen {
		return i, wire.ErrShort
	}
	if err := wire.PutUnixNano(m.dst[m.at:], t); err != nil {
		return i, err
	}
	m.at += wire.UnixNanoLen
	return i + wire.TimeLen, nil
}

// number turns one form of a number into another that is at least as wide.
func (m *mover) number(s *step, i int) (int, error) {
	if s.from.kind == KindFloat32 {
		if len(m.src)-i < 4 {
			return i, wire.ErrTruncated
		}
		f := math.Float32frombits(binary.LittleEndian.Uint32(m.src[i:]))
		return i + 4, m.writeFixed(math.Float64bits(float64(f)), 8)
	}
	v, j, err := m.integer(&s.from, i)
	if err != nil {
		return i, err
	}
	switch {
	case s.to.bytes > 0:
		return j, m.writeFixed(v, s.to.bytes)
	case s.to.signed:
		v = wire.Zigzag(int64(v))
	}
	return j, m.writeUvarint(v)
}

// integer reads an integer. One with a sign is extended to 64 bits.
func (m *mover) integer(from *number, i int) (v uint64, j int, err error) {
	if from.bytes == 0 {
		v, j, err := getUvarint(m.src, i)
		if err != nil {
			return 0, i, err
		}
		spare := 64 - from.bits
		fits := v<<spare>>spare == v
		if from.signed {
			n := wire.Unzigzag(v)
			v, fits = uint64(n), n<<spare>>spare == n
		}
		if !fits {
			return 0, i, fmt.Errorf("a number beyond %v: %w", from.kind, wire.ErrCorrupt)
		}
		return v, j, nil
	}
	src := m.src[i:]
	if len(src) < from.bytes {
		return 0, i, wire.ErrTruncated
	}
	switch from.bytes {
	case 1:
		v = uint64(src[0])
	case 2:
		v = uint64(binary.LittleEndian.Uint16(src))
	case 4:
		v = uint64(binary.LittleEndian.Uint32(src))
	default:
		v = binary.LittleEndian.Uint64(src)
	}
	if from.signed {
		spare := 64 - from.bits
		v = uint64(int64(v<<spare) >> spare)
	}
	return v, i + from.bytes, nil
}

// writeFixed writes the lower bytes of v.
func (m *mover) writeFixed(v uint64, bytes int) error {
	dst := m.dst[m.at:]
	if len(dst) < bytes {
		return wire.ErrShort
	}
	switch bytes {
	case 1:
		dst[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(dst, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(dst, uint32(v))
	default:
		binary.LittleEndian.PutUint64(dst, v)
	}
	m.at += bytes
	return nil
}
