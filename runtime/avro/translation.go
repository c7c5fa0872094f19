package avro

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// Translation turns the bytes of a writer's schema into those of a reader's. [Rules] make it; it is a [record.Translator], for one goroutine at a time.
type Translation struct {
	root   *translation
	header []byte // of the reader's records; nil for none
	want   uint64 // the fingerprint in the header of the writer's
	wanted bool   // if they have one
	mover  mover
}

// mover is the state of one translation.
type mover struct {
	src, dst []byte
	i, at    int // in src and in dst
	depth    int // levels that are left
	offsets  []int
	none     wire.Budget
}

// Put implements [record.Translator].
func (t *Translation) Put(dst, src []byte, limits record.Limits) (n, consumed int, err error) {
	limits = limits.WithDefaults()
	m := &t.mover
	most := dst[:min(len(dst), limits.MaxRecordBytes)]
	m.src, m.dst, m.i, m.at = src[:min(len(src), math.MaxInt32)], most, 0, 0
	m.depth, m.offsets = limits.MaxDepth, m.offsets[:0]
	err = m.record(t)
	consumed, n = m.i, m.at
	m.src, m.dst = nil, nil
	switch {
	case err == nil:
		return n, consumed, nil
	case err == wire.ErrShort && len(most) < limits.MaxRecordBytes:
		return 0, 0, err
	case err == wire.ErrShort:
		err = &wire.Error{Offset: consumed, Err: fmt.Errorf("record of more bytes than the limit of %d in the reader's schema: %w", limits.MaxRecordBytes, wire.ErrLimit)}
	}
	return 0, 0, err
}

func (m *mover) record(t *Translation) error {
	if t.wanted {
		if err := CheckHeader(m.src, t.want); err != nil {
			return m.fail(err)
		}
		m.i = HeaderLen
	}
	if err := m.put(t.header); err != nil {
		return err
	}
	return m.run(t.root)
}

// fail returns an error of the source at the position.
func (m *mover) fail(err error) error { return &wire.Error{Offset: m.i, Err: err} }

// put writes bytes.
func (m *mover) put(p []byte) error {
	if len(p) > len(m.dst)-m.at {
		return wire.ErrShort
	}
	m.at += copy(m.dst[m.at:], p)
	return nil
}

func (m *mover) putLong(v int64) error {
	n := PutLong(m.dst[m.at:], v)
	if n == 0 {
		return wire.ErrShort
	}
	m.at += n
	return nil
}

func (m *mover) putDouble(x float64) error {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
	return m.put(b[:])
}

func (m *mover) putFloat(x float32) error {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], math.Float32bits(x))
	return m.put(b[:])
}

// number reads an int or a long.
func (m *mover) number(isInt bool) (int64, error) {
	v, n := int64(0), 0
	if isInt {
		var x int32
		x, n = Int(m.src[m.i:])
		v = int64(x)
	} else {
		v, n = Long(m.src[m.i:])
	}
	if n <= 0 {
		return 0, m.fail(NumberError(n))
	}
	m.i += n
	return v, nil
}

// next reads n bytes.
func (m *mover) next(n int) ([]byte, error) {
	if n > len(m.src)-m.i {
		return nil, m.fail(wire.ErrTruncated)
	}
	m.i += n
	return m.src[m.i-n : m.i], nil
}

// run translates a value.
func (m *mover) run(t *translation) error {
	if t.recursive {
		if m.depth == 0 {
			return m.fail(wire.ErrDepth)
		}
		m.depth--
		defer func() { m.depth++ }()
	}
	switch t.action {
	case doNothing:
		return nil
	case doBytes, doBoolean:
		return m.fixed(t)
	case doInt, doLong, doIntToFloat, doIntToDouble, doLongToFloat, doLongToDouble, doFloatToDouble:
		return m.scalar(t)
	case doText:
		return m.text(t.skip)
	case doEnum:
		return m.symbol(t)
	case doRecord:
		return m.parts(t)
	case doReorder:
		return m.reorder(t)
	case doArray, doMap:
		return m.blocks(t)
	case doUnion:
		return m.union(t)
	case doBranch:
		if err := m.put(t.branch); err != nil {
			return err
		}
		return m.run(t.elem)
	}
	return m.fail(fmt.Errorf("%s: %w", t.name, record.ErrUnknownMember))
}

func (m *mover) fixed(t *translation) error {
	size := t.size
	if t.action == doBoolean {
		size = 1
	}
	p, err := m.next(size)
	if err != nil {
		return err
	}
	if t.action == doBoolean && p[0] > 1 {
		m.i--
		return m.fail(wire.ErrCorrupt)
	}
	if t.skip {
		return nil
	}
	return m.put(p)
}

func (m *mover) scalar(t *translation) error {
	if t.action == doFloatToDouble {
		p, err := m.next(4)
		if err != nil {
			return err
		}
		return m.putDouble(float64(math.Float32frombits(binary.LittleEndian.Uint32(p))))
	}
	v, err := m.number(t.action == doInt || t.action == doIntToFloat || t.action == doIntToDouble)
	if err != nil || t.skip {
		return err
	}
	switch t.action {
	case doIntToFloat, doLongToFloat:
		return m.putFloat(float32(v))
	case doIntToDouble, doLongToDouble:
		return m.putDouble(float64(v))
	}
	return m.putLong(v)
}

func (m *mover) text(skip bool) error {
	p, n := Span(m.src[m.i:])
	if n <= 0 {
		return m.fail(LengthError(n))
	}
	m.i += n
	if skip {
		return nil
	}
	if err := m.putLong(int64(len(p))); err != nil {
		return err
	}
	return m.put(p)
}

// unknownSymbolError is the [record.ErrUnknownMember] of an enum.
type unknownSymbolError struct{ symbol, enum string }

func (e *unknownSymbolError) Error() string {
	return fmt.Sprintf("symbol %q of the writer is none of the reader's %s, which has no default", e.symbol, e.enum)
}

func (e *unknownSymbolError) Unwrap() error { return record.ErrUnknownMember }

func (m *mover) symbol(t *translation) error {
	start := m.i
	v, err := m.number(true)
	if err != nil {
		return err
	}
	if v < 0 || v >= int64(len(t.symbols)) {
		m.i = start
		return m.fail(SymbolError(int32(v), len(t.symbols)))
	}
	if t.skip {
		return nil
	}
	if t.symbols[v] < 0 {
		m.i = start
		return m.fail(&unknownSymbolError{t.unknown[v], t.name})
	}
	return m.putLong(int64(t.symbols[v]))
}

func (m *mover) parts(t *translation) error {
	for i := range t.parts {
		p := &t.parts[i]
		if p.t == nil {
			if err := m.put(p.literal); err != nil {
				return err
			}
			continue
		}
		if err := m.run(p.t); err != nil {
			return within(p.name, err)
		}
	}
	return nil
}

// within adds the name of a field to an error on its way out.
func within(name string, err error) error {
	if err == wire.ErrShort {
		return err
	}
	return wire.FieldError(name, 0, err)
}

// reorder finds where the writer's fields begin, and then takes them in the order of the reader's.
func (m *mover) reorder(t *translation) error {
	first := len(m.offsets)
	for _, f := range t.fields {
		m.offsets = append(m.offsets, m.i)
		if err := m.run(f); err != nil {
			return err
		}
	}
	end := m.i
	for i := range t.parts {
		p := &t.parts[i]
		if p.t == nil {
			if err := m.put(p.literal); err != nil {
				return err
			}
			continue
		}
		m.i = m.offsets[first+p.from]
		if err := m.run(p.t); err != nil {
			return within(p.name, err)
		}
	}
	m.i, m.offsets = end, m.offsets[:first]
	return nil
}

// blocks translates an array or a map, block by block. The sizes of blocks in bytes are left out.
func (m *mover) blocks(t *translation) error {
	least := 1
	if t.action == doArray && t.elem.empty {
		least = 0
	}
	for read := 0; ; {
		count, n, err := block(m.src[m.i:], read, least, 0, &m.none)
		if err != nil {
			return m.fail(err)
		}
		m.i += n
		if !t.skip {
			if err := m.putLong(int64(count)); err != nil {
				return err
			}
		}
		if count == 0 {
			return nil
		}
		for j := range count {
			i, at := m.i, m.at
			if t.action == doMap {
				if err := m.text(t.skip); err != nil {
					return m.index(read+j, err)
				}
			}
			if err := m.run(t.elem); err != nil {
				return m.index(read+j, err)
			}
			if m.i == i && m.at == at {
				break // neither will the others be any bytes
			}
		}
		read += count
	}
}

// index adds the index of an element to an error on its way out.
func (m *mover) index(j int, err error) error {
	if err == wire.ErrShort {
		return err
	}
	return wire.IndexError(j, 0, err)
}

func (m *mover) union(t *translation) error {
	start := m.i
	v, err := m.number(false)
	if err != nil {
		return err
	}
	if v < 0 || v >= int64(len(t.branches)) {
		m.i = start
		return m.fail(BranchError(v, len(t.branches)))
	}
	return m.run(t.branches[v])
}
