package emit

import "github.com/rwgen/rwgen/gen/ir"

// What is done with a value of the format avro, by its type in the schema.

// avro counts a value.
func (s *sizer) avro(p place, a *ir.Avro) {
	if n, ok := s.avroWritten(a); ok {
		s.constant += n
		return
	}
	switch a.Kind {
	case ir.AvroInt, ir.AvroLong, ir.AvroEnum:
		s.sizeAvroNumber(p, a)
	case ir.AvroString, ir.AvroBytes:
		s.sizeAvroText(p, a)
	case ir.AvroArray:
		s.sizeAvroArray(p, a)
	case ir.AvroMap:
		s.sizeAvroMap(p, a)
	case ir.AvroRecord:
		if s.avroInPlace(sizePart, a, false) {
			s.avroFields(p, a)
			return
		}
		s.sizeAvroNested(p, a)
	case ir.AvroUnion:
		s.sizeAvroUnion(p, a)
	default:
		unknownAvro(a)
	}
}

// putAvro writes a value.
func (f *fn) putAvro(p place, a *ir.Avro) {
	switch {
	case f.avroEmpty(a):
	case f.avroLeaf(a):
		n, _ := f.avroSize(a)
		f.block.If(f.fewer(n)).BlockFunc(f.short)
		f.putAvroLeaf(p, a)
	case a.Kind == ir.AvroInt, a.Kind == ir.AvroLong, a.Kind == ir.AvroEnum:
		f.putAvroNumber(p, a)
	case a.Kind == ir.AvroString, a.Kind == ir.AvroBytes:
		f.putAvroText(p, a)
	case a.Kind == ir.AvroArray:
		f.putAvroArray(p, a)
	case a.Kind == ir.AvroMap:
		f.putAvroMap(p, a)
	case a.Kind == ir.AvroRecord && f.avroInPlace(putPart, a, false):
		f.putAvroRecord(p, a)
	case a.Kind == ir.AvroRecord:
		f.putAvroNested(p, a)
	case a.Kind == ir.AvroUnion:
		f.putAvroUnion(p, a)
	default:
		unknownAvro(a)
	}
}

// consumeAvro reads a value.
func (f *fn) consumeAvro(p place, a *ir.Avro) {
	switch {
	case f.avroEmpty(a):
	case f.avroLeaf(a):
		n, _ := f.avroSize(a)
		f.block.If(f.fewer(n)).BlockFunc(f.fail(p.path, 0, f.wire("ErrTruncated")))
		f.consumeAvroLeaf(p, a)
	case a.Kind == ir.AvroInt, a.Kind == ir.AvroLong, a.Kind == ir.AvroEnum:
		f.consumeAvroNumber(p, a)
	case a.Kind == ir.AvroString, a.Kind == ir.AvroBytes:
		f.consumeAvroText(p, a)
	case a.Kind == ir.AvroArray:
		f.consumeAvroArray(p, a)
	case a.Kind == ir.AvroMap:
		f.consumeAvroMap(p, a)
	case a.Kind == ir.AvroRecord && f.avroInPlace(consumePart, a, false):
		f.consumeAvroRecord(p, a)
	case a.Kind == ir.AvroRecord:
		f.consumeAvroNested(p, a)
	case a.Kind == ir.AvroUnion:
		f.consumeAvroUnion(p, a)
	default:
		unknownAvro(a)
	}
}
