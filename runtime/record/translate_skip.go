package record

import (
	"fmt"

	"github.com/rwgen/rwgen/runtime/wire"
)

// skip is a rule by which a value of the writer is passed over.
type skip struct {
	op    skipOp
	name  string     // path of the field from the struct that the rule is part of
	n     int        // skipFixed: bytes, maxSize for more than any record has; skipIf: number of the bit
	runs  []named    // skipFixed: the fields it consists of, if there are several
	count int64      // skipArray: elements
	min   int        // skipSlice: least size of an element
	fixed bool       // skipSlice: and the size of every one
	elem  []skip     // of the element, or the value that may be there
	union [][]skip   // skipUnion: of the members
	block *skipBlock // skipStruct
}

// named is a field of so many bytes.
type named struct {
	name string
	n    int
}

type skipOp uint8

const (
	skipFixed   skipOp = iota // n bytes
	skipVarint                // one
	skipString                // a length and so many bytes
	skipBytes                 // a length plus one and so many bytes
	skipPointer               // a byte, and elem if that is 1
	skipSlice                 // a length plus one and so many elements
	skipArray                 // count elements
	skipUnion                 // a tag and that member
	skipStruct                // a struct with presence bits, or one that can contain itself, or a long one
	skipIf                    // elem if a presence bit is set
)

// skipBlock are the rules of a struct. It is filled in after others refer to it, because structs are recursive.
type skipBlock struct {
	bits      int // presence bits
	presence  int // bytes of them
	recursive bool
	rules     []skip
}

// frame is where a struct that is being read is.
type frame struct {
	bits int // index of its presence bits in the source
	base int // of its offsets in mover.offsets
}

func (m *mover) skipAll(rules []skip, i int, at frame) (int, error) {
	for k := range rules {
		s := &rules[k]
		if s.op == skipFixed && s.n <= len(m.src)-i && s.n < maxSize {
			i += s.n
			continue
		}
		j, err := m.skip(s, i, at)
		if err != nil {
			if s.op == skipFixed && len(s.runs) > 0 {
				return m.shortRun(s.runs, i, err)
			}
			return j, inField(s.name, j, err)
		}
		i = j
	}
	return i, nil
}

// shortRun returns the error for the field of a run at which the source ends.
func (m *mover) shortRun(runs []named, i int, err error) (int, error) {
	for _, f := range runs[:len(runs)-1] {
		if f.n > len(m.src)-i {
			return i, inField(f.name, i, err)
		}
		i += f.n
	}
	return i, inField(runs[len(runs)-1].name, i, err)
}

// inField adds the name of a field, empty for none, to an error at index i.
func inField(name string, i int, err error) error {
	if name == "" || err == wire.ErrShort {
		return err
	}
	return wire.FieldError(name, offsetOf(i, err), err)
}

// skip passes over one value. After an error it returns the index of what failed.
func (m *mover) skip(s *skip, i int, at frame) (int, error) {
	switch s.op {
	case skipVarint:
		_, j, err := getUvarint(m.src, i)
		return j, err
	case skipString, skipBytes:
		n, j, err := getUvarint(m.src, i)
		if err != nil || n == 0 {
			return j, err
		}
		if s.op == skipBytes {
			n--
		}
		if n > uint64(len(m.src)-j) {
			return i, wire.ErrTruncated
		}
		return j + int(n), nil
	case skipPointer:
		set, err := m.pointer(i)
		if err != nil {
			return i, err
		}
		if !set {
			return i + 1, nil
		}
		return m.skipAll(s.elem, i+1, at)
	case skipSlice:
		return m.skipElems(s, i, at)
	case skipArray:
		for k := range s.count {
			j, err := m.skipAll(s.elem, i, at)
			if err != nil {
				return j, indexError(int(k), j, err)
			}
			i = j
		}
		return i, nil
	case skipUnion:
		tag, j, err := getUvarint(m.src, i)
		if err != nil || tag == 0 {
			return j, err
		}
		if tag > uint64(len(s.union)) {
			return i, wire.TagError(tag, len(s.union))
		}
		return m.skipAll(s.union[tag-1], j, at)
	case skipStruct:
		return m.skipStruct(s.block, i)
	case skipIf:
		if !m.bit(at.bits, s.n) {
			return i, nil
		}
		return m.skipAll(s.elem, i, at)
	}
	return i, wire.ErrTruncated // skipFixed
}

func (m *mover) skipElems(s *skip, i int, at frame) (int, error) {
	n1, j, err := getUvarint(m.src, i)
	if err != nil {
		return i, err
	}
	n, err := wire.Count(n1, s.min, len(m.src)-j)
	if err != nil {
		return i, err
	}
	if s.fixed {
		return j + n*s.min, nil
	}
	for k := range n {
		next, err := m.skipAll(s.elem, j, at)
		if err != nil {
			return next, indexError(k, next, err)
		}
		j = next
	}
	return j, nil
}

func (m *mover) skipStruct(b *skipBlock, i int) (int, error) {
	if b.recursive {
		if err := m.budget.Enter(); err != nil {
			return i, err
		}
	}
	if err := m.presence(i, b.bits); err != nil {
		return i, err
	}
	j, err := m.skipAll(b.rules, i+b.presence, frame{bits: i})
	if b.recursive {
		m.budget.Leave()
	}
	return j, err
}

// pointer reads the byte of a pointer outside a struct field.
func (m *mover) pointer(i int) (set bool, err error) {
	switch {
	case i >= len(m.src):
		return false, wire.ErrTruncated
	case m.src[i] > 1:
		return false, fmt.Errorf("%#02x where 0 or 1 says whether a pointer is nil: %w", m.src[i], wire.ErrCorrupt)
	}
	return m.src[i] == 1, nil
}

// presence checks that the presence bits of n fields are at i.
func (m *mover) presence(i, n int) error {
	bytes := (n + 7) / 8
	if len(m.src)-i < bytes {
		return wire.ErrTruncated
	}
	if k := n % 8; k != 0 && m.src[i+bytes-1]>>k != 0 {
		return fmt.Errorf("presence bits %#02x for %d fields: %w", m.src[i+bytes-1], k, wire.ErrCorrupt)
	}
	return nil
}

// bit returns presence bit k of those that begin at i.
func (m *mover) bit(i, k int) bool { return m.src[i+k/8]>>(k%8)&1 == 1 }
