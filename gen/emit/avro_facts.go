package emit

import (
	"math"

	"github.com/rwgen/rwgen/gen/ir"
)

// Questions about the schema of a record in the format avro. How code is divided into functions depends on the Go types alone, as for the native format.

// avroFacts remembers the answers.
type avroFacts struct {
	sizes    map[*ir.Avro]size
	written  map[*ir.Avro]size
	least    map[*ir.Avro]int
	refusing map[*ir.Avro]bool
	empties  map[*ir.Avro]bool
}

func newAvroFacts() avroFacts {
	return avroFacts{map[*ir.Avro]size{}, map[*ir.Avro]size{}, map[*ir.Avro]int{}, map[*ir.Avro]bool{}, map[*ir.Avro]bool{}}
}

// parts returns the types that values of a consist of.
func avroParts(a *ir.Avro) []*ir.Avro {
	list := a.Branches[:len(a.Branches):len(a.Branches)]
	if a.Elem != nil {
		list = append(list, a.Elem)
	}
	for _, fld := range a.Fields {
		list = append(list, fld.Type)
	}
	return list
}

// avroWithin returns a and all types that values of it are made of.
func avroWithin(a *ir.Avro) []*ir.Avro {
	seen := map[*ir.Avro]bool{a: true}
	list := []*ir.Avro{a}
	for i := 0; i < len(list); i++ {
		for _, part := range avroParts(list[i]) {
			if !seen[part] {
				seen[part] = true
				list = append(list, part)
			}
		}
	}
	return list
}

// avroSize returns the number of bytes that every value of a takes, if that is always the same.
func (f *facts) avroSize(a *ir.Avro) (int, bool) {
	if s, ok := f.avro.sizes[a]; ok {
		return s.bytes, s.constant
	}
	f.avro.sizes[a] = size{} // of what contains itself, which no schema says without a union, an array or a map between
	s := size{}
	switch a.Kind {
	case ir.AvroNull:
		s = size{0, true}
	case ir.AvroBoolean:
		s = size{1, true}
	case ir.AvroFloat:
		s = size{4, true}
	case ir.AvroDouble:
		s = size{8, true}
	case ir.AvroFixed:
		s = size{a.Size, true}
	case ir.AvroRecord:
		s = size{0, true}
		for _, fld := range a.Fields {
			n, ok := f.avroSize(fld.Type)
			if !ok {
				s = size{}
				break
			}
			s.bytes += n
		}
	}
	f.avro.sizes[a] = s
	return s.bytes, s.constant
}

// avroWritten is avroSize for what is written: of strings that are UUIDs and of optional values of no bytes, whose lengths and indexes could be read in a longer form, and of records of these.
func (f *facts) avroWritten(a *ir.Avro) (int, bool) {
	if n, ok := f.avroSize(a); ok {
		return n, true
	}
	if s, ok := f.avro.written[a]; ok {
		return s.bytes, s.constant
	}
	s := size{}
	switch a.Kind {
	case ir.AvroString:
		if a.Logical == "uuid" {
			s = size{uuidTextLen, true}
		}
	case ir.AvroUnion:
		if other, ok := a.Optional(); ok && f.avroEmpty(other) {
			s = size{1, true} // the index of the branch, whichever it is
		}
	case ir.AvroRecord:
		s = size{0, true}
		for _, fld := range a.Fields {
			n, ok := f.avroWritten(fld.Type)
			if !ok {
				s = size{}
				break
			}
			s.bytes += n
		}
	}
	f.avro.written[a] = s
	return s.bytes, s.constant
}

// avroMin returns the least number of bytes that a value of a takes.
func (f *facts) avroMin(a *ir.Avro) int {
	if n, ok := f.avro.least[a]; ok {
		return n
	}
	// Of records that contain one another, what is known of one makes what is known of the others smaller, until nothing changes.
	all := avroWithin(a)
	for _, t := range all {
		f.avro.least[t] = math.MaxInt32
	}
	for changed := true; changed; {
		changed = false
		for _, t := range all {
			if n := f.leastOf(t); n < f.avro.least[t] {
				f.avro.least[t] = n
				changed = true
			}
		}
	}
	return f.avro.least[a]
}

// leastOf is avroMin, given what is known of the parts of a.
func (f *facts) leastOf(a *ir.Avro) int {
	if n, ok := f.avroSize(a); ok {
		return n
	}
	switch a.Kind {
	case ir.AvroRecord:
		n := 0
		for _, fld := range a.Fields {
			n = min(n+f.avro.least[fld.Type], math.MaxInt32)
		}
		return n
	case ir.AvroUnion:
		n := math.MaxInt32 - 1
		for _, b := range a.Branches {
			n = min(n, f.avro.least[b])
		}
		return 1 + n
	case ir.AvroString:
		if a.Logical == "uuid" {
			return uuidTextLen
		}
	case ir.AvroBytes:
		switch a.Logical {
		case "decimal":
			return 2
		case "big-decimal":
			return 3
		}
	}
	return 1
}

// avroAny reports whether hit holds for a type within a, which may contain itself.
func avroAny(known map[*ir.Avro]bool, a *ir.Avro, hit func(*ir.Avro) bool) bool {
	if does, ok := known[a]; ok {
		return does
	}
	for _, t := range avroWithin(a) {
		if hit(t) {
			known[a] = true
			return true
		}
	}
	known[a] = false
	return false
}

// avroRefuses says that there are values of a that cannot be written for a reason that the error names with a field.
func (f *facts) avroRefuses(a *ir.Avro) bool {
	return avroAny(f.avro.refusing, a, func(t *ir.Avro) bool {
		switch t.Kind {
		case ir.AvroEnum:
			return true
		case ir.AvroUnion:
			_, optional := t.Optional()
			return !optional
		}
		return refusesLogical(t)
	})
}

// refusesLogical says that the logical type has not all values of its Go type.
func refusesLogical(a *ir.Avro) bool {
	switch a.Logical {
	case "", "uuid", "duration", "time-micros":
		return false
	}
	return true
}

// avroCountsEmpty says that there are arrays in a whose elements take no bytes, so that their number has a bound of its own.
func (f *facts) avroCountsEmpty(a *ir.Avro) bool {
	return avroAny(f.avro.empties, a, func(t *ir.Avro) bool { return t.Kind == ir.AvroArray && f.avroEmpty(t.Elem) })
}

// avroEmpty says that values of a take no bytes.
func (f *facts) avroEmpty(a *ir.Avro) bool {
	n, ok := f.avroSize(a)
	return ok && n == 0
}

// avroLeaf says that a has a constant size and is no record, so that it is written and read in place, together with others.
func (f *facts) avroLeaf(a *ir.Avro) bool {
	_, ok := f.avroSize(a)
	return ok && a.Kind != ir.AvroRecord
}

// avroInPlace says that function p of a record treats a record a in place rather than by calling a function; field says that it is held by value in a field.
func (f *facts) avroInPlace(p part, a *ir.Avro, field bool) bool {
	return f.avroEmpty(a) || field && f.inlined(p, a.Type) || f.tiny(a.Type)
}
