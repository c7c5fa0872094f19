package record

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/rwgen/rwgen/runtime/wire"
)

// What is done in place rather than in a block, and put together rather than written in two steps, is bounded: types refer to types that refer to others twice.
const (
	maxInPlace = 8
	maxLiteral = 4 << 10 // bytes
	maxZero    = 4 << 10 // steps for a value that only the reader has
)

// translate compiles what becomes of the records of w, which Compare has found to fit r. It is nil if there is nothing to be done.
func translate(w, r *Type) (*Translation, error) {
	c := translator{
		same: newSameness(w, r), writer: newWidths(), reader: newWidths(), recursive: recursiveStructs(w), grows: recursiveStructs(r),
		skips: map[*Type]*skipBlock{}, blocks: map[typePair]*moveBlock{}, zeros: map[*Type][]step{},
	}
	if c.same.forms(form{Type: w}, form{Type: r}) {
		return nil, nil
	}
	steps := c.structs(w, r)
	if c.err != nil {
		return nil, c.err
	}
	return &Translation{steps: steps}, nil
}

// translator makes the steps from the types of a writer to those of a reader.
type translator struct {
	same           *sameness
	writer, reader *widths
	recursive      map[*Type]bool // of the writer's structs: those that can contain themselves
	grows          map[*Type]bool // of the reader's
	skips          map[*Type]*skipBlock
	blocks         map[typePair]*moveBlock
	zeros          map[*Type][]step
	err            error
}

// value returns the steps from a value of the writer to one of the reader.
func (c *translator) value(w, r form) []step {
	if c.same.forms(w, r) {
		return copied(c.skip(w))
	}
	if r.Kind == KindPointer && w.Kind != KindPointer {
		return then([]step{write(1)}, c.value(w, form{Type: r.Elem})...)
	}
	if bits, _ := integer(w.Kind); bits > 0 {
		return []step{{op: stepNumber, from: numberOf(w), to: numberOf(r)}}
	}
	switch w.Kind {
	case KindFloat32:
		return []step{{op: stepNumber, from: number{kind: KindFloat32}}}
	case KindString:
		return []step{{op: stepStringBytes}}
	case KindBytes:
		return []step{{op: stepBytesString}}
	case KindTime:
		if r.nano {
			return []step{{op: stepTimeNano}}
		}
		return []step{{op: stepNanoTime}}
	case KindPointer:
		return []step{{op: stepPointer, memory: c.reader.bytes(r.Elem), steps: c.value(form{Type: w.Elem}, form{Type: r.Elem})}}
	case KindSlice:
		return c.slice(c.writer.of(form{Type: w.Elem}).min, c.reader.bytes(r.Elem), c.value(form{Type: w.Elem}, form{Type: r.Elem}))
	case KindMap:
		least := plus(c.writer.of(form{Type: w.Key}).min, c.writer.of(form{Type: w.Elem}).min)
		memory := 2 * (c.reader.bytes(r.Key) + c.reader.bytes(r.Elem))
		return c.slice(least, memory, then(c.value(form{Type: w.Key}, form{Type: r.Key}), c.value(form{Type: w.Elem}, form{Type: r.Elem})...))
	case KindArray:
		return arrayOf(w.Len, c.value(form{Type: w.Elem}, form{Type: r.Elem}))
	case KindUnion:
		return c.union(w.Type, r.Type)
	}
	return c.structs(w.Type, r.Type)
}

func (c *translator) slice(least int, memory int64, elem []step) []step {
	return []step{{op: stepSlice, min: least, memory: memory, steps: elem}}
}

func arrayOf(n int64, elem []step) []step {
	switch {
	case n == 0 || len(elem) == 0:
		return nil
	case len(elem) == 1 && elem[0].op == stepWrite && n <= int64(maxLiteral/len(elem[0].lit)): // which is not empty, see then
		var lit []byte
		for range n {
			lit = append(lit, elem[0].lit...)
		}
		return []step{{op: stepWrite, lit: lit}}
	}
	return []step{{op: stepArray, count: n, steps: elem}}
}

func (c *translator) union(w, r *Type) []step {
	s := step{op: stepUnion}
	for i, to := range memberTags(w, r) {
		m := moved{name: memberName(w.Members[i])}
		if to >= 0 {
			m.tag, m.memory = uint64(to)+1, c.reader.bytes(r.Members[to])
			m.steps = c.value(form{Type: w.Members[i]}, form{Type: r.Members[to]})
		}
		s.members = append(s.members, m)
	}
	return []step{s}
}

// structs returns the steps of a struct: those of its fields if there are few and no bits to look at, else that of a block.
func (c *translator) structs(w, r *Type) []step {
	pair := typePair{w, r}
	b, ok := c.blocks[pair]
	if !ok {
		b = &moveBlock{}
		c.blocks[pair] = b
		c.fill(b, w, r)
	}
	if b.bits == 0 && !c.recursive[w] && !c.grows[r] && b.scan == nil && len(b.steps) <= maxInPlace {
		return then([]step{}, append([]step{write(b.consts...)}, cloneSteps(b.steps)...)...)
	}
	return []step{{op: stepStruct, block: b}}
}

func (c *translator) fill(b *moveBlock, w, r *Type) {
	b.recursive = c.recursive[w] || c.grows[r]
	bits := bitsOf(w)
	b.bits = countBits(w)
	b.presence = (b.bits + 7) / 8
	from := sources(w, r)
	place := c.order(b, w, r, from, bits)

	next := 0 // field of the writer that the source is at
	bit := 0
	b.consts = make([]byte, (countBits(r)+7)/8)
	for i := range r.Fields {
		f := &r.Fields[i]
		steps, known, set := c.field(w, f, from[i], bits)
		if f.Type.Kind == KindBool || f.Type.Kind == KindPointer {
			if known >= 0 {
				b.from = append(b.from, bitTo{known, bit})
			} else if set {
				b.consts[bit/8] |= 1 << (bit % 8)
			}
			bit++
		}
		if from[i] >= 0 && hasBody(w, from[i]) {
			if at, sought := place[from[i]]; sought {
				b.steps = append(b.steps, step{op: stepSeek, n: at})
			} else if b.scan == nil {
				b.steps = then(b.steps, dropped(c.body(w, next, from[i], bits))...)
			}
			next = from[i] + 1
		}
		b.steps = then(b.steps, inSteps(f.Name, steps)...)
	}
	if b.scan == nil {
		b.steps = then(b.steps, dropped(c.body(w, next, len(w.Fields), bits))...)
	}
	b.straight = len(b.from) == b.bits
	for k, to := range b.from {
		b.straight = b.straight && to == bitTo{k, k}
	}
}

// order finds out whether the reader has fields in another order than the writer. If so it sets b.scan, and returns the numbers of the offsets at which fields are sought that do not follow the one before.
func (c *translator) order(b *moveBlock, w, r *Type, from, bits []int) map[int]int {
	var used []int // fields of the writer in the order of the reader
	inOrder := true
	for i := range r.Fields {
		if k := from[i]; k >= 0 && hasBody(w, k) {
			inOrder = inOrder && (len(used) == 0 || used[len(used)-1] < k)
			used = append(used, k)
		}
	}
	if inOrder {
		return nil
	}
	sought := make([]bool, len(w.Fields))
	for i, k := range used {
		sought[k] = i == 0 || used[i-1] != k-1
	}
	place := map[int]int{}
	b.scan = [][]skip{}
	start := 0
	for k, is := range sought {
		if is {
			place[k] = len(b.scan)
			b.scan = append(b.scan, c.body(w, start, k, bits))
			start = k
		}
	}
	b.scan = append(b.scan, c.body(w, start, len(w.Fields), bits))
	return place
}

// field returns the steps for a field of the reader that comes from field k of the writer, −1 for none. If the field has a presence bit, that is the writer's bit known, or set if known is −1.
func (c *translator) field(w *Type, f *Field, k int, bits []int) (steps []step, known int, set bool) {
	r := formOf(f)
	if k < 0 {
		if r.Kind == KindBool {
			return nil, -1, f.HasDefault && f.Default == "true"
		}
		return c.added(f), -1, false
	}
	source := &w.Fields[k]
	switch {
	case source.Type.Kind == KindBool:
		if r.Kind == KindBool {
			return nil, bits[k], false
		}
		for t := r.Elem; t.Kind == KindPointer; t = t.Elem {
			steps = then(steps, write(1))
		}
		return append(steps, step{op: stepBit, n: bits[k]}), -1, true
	case source.Type.Kind == KindPointer:
		we, re := form{Type: source.Type.Elem}, form{Type: r.Elem}
		if c.same.forms(we, re) {
			return copied([]skip{{op: skipIf, n: bits[k], elem: c.skip(we)}}), bits[k], false
		}
		return []step{{op: stepIf, n: bits[k], memory: c.reader.bytes(r.Elem), steps: c.value(we, re)}}, bits[k], false
	case r.Kind == KindPointer:
		return c.value(formOf(source), form{Type: r.Elem}), -1, true
	}
	return c.value(formOf(source), r), -1, false
}

// added returns the steps for a field that the writer has not: its default, or the zero value.
func (c *translator) added(f *Field) []step {
	switch {
	case f.Type.Kind == KindPointer:
		return nil
	case f.HasDefault:
		return []step{write(defaultBytes(f)...)}
	}
	return c.zero(formOf(f))
}

// defaultBytes returns the encoding of a default, which was checked.
func defaultBytes(f *Field) []byte {
	switch f.Type.Kind {
	case KindString:
		return append(wire.AppendUvarint(nil, uint64(len(f.Default))), f.Default...)
	case KindFloat32:
		v, _ := strconv.ParseFloat(f.Default, 32)
		return putNumber(uint64(math.Float32bits(float32(v))), 4)
	case KindFloat64:
		v, _ := strconv.ParseFloat(f.Default, 64)
		return putNumber(math.Float64bits(v), 8)
	}
	n := numberOf(formOf(f))
	var v uint64
	if n.signed {
		s, _ := strconv.ParseInt(f.Default, 10, 64)
		v = uint64(s)
	} else {
		v, _ = strconv.ParseUint(f.Default, 10, 64)
	}
	if n.bytes == 0 && n.signed {
		v = wire.Zigzag(int64(v))
	}
	if n.bytes == 0 {
		return wire.AppendUvarint(nil, v)
	}
	return putNumber(v, n.bytes)
}

func putNumber(v uint64, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
	return b
}

// zero returns the steps for a zero value outside a struct field, or in one that is no pointer.
func (c *translator) zero(f form) []step {
	switch {
	case f.nano:
		b := make([]byte, wire.UnixNanoLen)
		_ = wire.PutUnixNano(b, time.Time{}) // the zero time has an encoding
		return []step{write(b...)}
	case f.Kind == KindTime:
		b := make([]byte, wire.TimeLen)
		wire.PutTime(b, time.Time{})
		return []step{write(b...)}
	case f.Kind == KindArray:
		return arrayOf(f.Len, c.zero(form{Type: f.Elem}))
	case f.Kind == KindStruct:
		return c.zeroStruct(f.Type)
	}
	return []step{write(make([]byte, c.reader.of(f).min)...)}
}

func (c *translator) zeroStruct(t *Type) []step {
	if steps, ok := c.zeros[t]; ok {
		return cloneSteps(steps)
	}
	var steps []step
	if n := countBits(t); n > 0 {
		steps = []step{write(make([]byte, (n+7)/8)...)}
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Type.Kind != KindBool && f.Type.Kind != KindPointer {
			steps = then(steps, c.zero(formOf(f))...)
		}
		if len(steps) > maxZero {
			c.err = fmt.Errorf("record: the zero value of %s, which the writer has not, is too large", t.InstanceName())
			break
		}
	}
	c.zeros[t] = steps
	return cloneSteps(steps)
}

// bitsOf returns the numbers of the presence bits of the fields that have one.
func bitsOf(t *Type) []int {
	bits := make([]int, len(t.Fields))
	n := 0
	for i, f := range t.Fields {
		if f.Type.Kind == KindBool || f.Type.Kind == KindPointer {
			bits[i] = n
			n++
		}
	}
	return bits
}

func countBits(t *Type) int {
	n := 0
	for _, f := range t.Fields {
		if f.Type.Kind == KindBool || f.Type.Kind == KindPointer {
			n++
		}
	}
	return n
}

// hasBody reports whether field k of a struct has more than its presence bit.
func hasBody(t *Type, k int) bool { return t.Fields[k].Type.Kind != KindBool }

func write(lit ...byte) step { return step{op: stepWrite, lit: lit} }

func copied(rules []skip) []step {
	if len(rules) == 0 {
		return nil
	}
	return []step{{op: stepCopy, skips: rules}}
}

func dropped(rules []skip) []step {
	if len(rules) == 0 {
		return nil
	}
	return []step{{op: stepDrop, skips: rules}}
}

// cloneSteps returns a copy of steps that [then] may change: what is further inside stays as it is.
func cloneSteps(steps []step) []step {
	steps = slices.Clone(steps)
	for i := range steps {
		steps[i].skips = cloneSkips(steps[i].skips)
	}
	return steps
}

// then adds steps, and makes one of two that can be done at once. Both are the caller's to change.
func then(steps []step, more ...step) []step {
	for _, s := range more {
		if s.op == stepWrite && len(s.lit) == 0 {
			continue
		}
		if len(steps) > 0 {
			last := &steps[len(steps)-1]
			switch {
			case last.op != s.op:
			case s.op == stepCopy || s.op == stepDrop:
				last.skips = thenSkip(last.skips, s.skips...)
				continue
			case s.op == stepWrite && len(last.lit)+len(s.lit) <= maxLiteral:
				last.lit = append(last.lit[:len(last.lit):len(last.lit)], s.lit...)
				continue
			}
		}
		steps = append(steps, s)
	}
	return steps
}

// inSteps returns steps as those of a field.
func inSteps(name string, steps []step) []step {
	in := make([]step, len(steps))
	for i, s := range steps {
		if s.op != stepCopy && s.op != stepDrop {
			s.name = joinPath(name, s.name)
		}
		s.skips = inSkips(name, s.skips)
		in[i] = s
	}
	return in
}

func joinPath(name, rest string) string {
	if rest == "" || rest[0] == '[' {
		return name + rest
	}
	return name + "." + rest
}
