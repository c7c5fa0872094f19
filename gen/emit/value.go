package emit

import "github.com/rwgen/rwgen/gen/ir"

// What is done with a value outside a struct field, by its type.

// value counts a value outside a struct field.
func (s *sizer) value(p place) {
	if n, ok := s.constSize(p.typ); ok {
		s.constant += n
		return
	}
	switch p.typ.Kind {
	case ir.String:
		s.term(s.wire("StringLen").Call(s.convert(p, "string")))
	case ir.Bytes:
		s.sizeBytes(p)
	case ir.Slice:
		s.sizeSlice(p)
	case ir.Array:
		s.sizeElems(p)
	case ir.Map:
		s.sizeMap(p)
	case ir.Pointer:
		s.sizePointer(p)
	case ir.Struct, ir.Union:
		s.sizeStruct(p)
	case ir.Codec:
		s.sizeCodec(p)
	default:
		unknown(p.typ)
	}
}

// putValue writes a value outside a struct field.
func (f *fn) putValue(p place) {
	switch {
	case f.isEmpty(p.typ):
	case f.inPlace(p.typ):
		n, _ := f.constSize(p.typ)
		f.block.If(f.fewer(n)).BlockFunc(f.short)
		f.putFixed(p)
	case p.typ.Kind == ir.String:
		f.putString(p)
	case p.typ.Kind == ir.Bytes:
		f.putBytes(p)
	case p.typ.Kind == ir.Slice:
		f.putSlice(p)
	case p.typ.Kind == ir.Array:
		f.putArray(p)
	case p.typ.Kind == ir.Map:
		f.putMap(p)
	case p.typ.Kind == ir.Pointer:
		f.putPointer(p)
	case p.typ.Kind == ir.Struct, p.typ.Kind == ir.Union:
		f.putNested(p)
	case p.typ.Kind == ir.Codec:
		f.putCodec(p)
	default:
		unknown(p.typ)
	}
}

// consumeValue reads a value outside a struct field.
func (f *fn) consumeValue(p place) {
	switch {
	case f.isEmpty(p.typ):
	case f.inPlace(p.typ):
		n, _ := f.constSize(p.typ)
		f.block.If(f.fewer(n)).BlockFunc(f.fail(p.path, 0, f.wire("ErrTruncated")))
		f.consumeFixed(p)
	case p.typ.Kind == ir.String:
		f.consumeString(p)
	case p.typ.Kind == ir.Bytes:
		f.consumeBytes(p)
	case p.typ.Kind == ir.Slice:
		f.consumeSlice(p)
	case p.typ.Kind == ir.Array:
		f.consumeArray(p)
	case p.typ.Kind == ir.Map:
		f.consumeMap(p)
	case p.typ.Kind == ir.Pointer:
		f.consumePointer(p)
	case p.typ.Kind == ir.Struct, p.typ.Kind == ir.Union:
		f.consumeNested(p)
	case p.typ.Kind == ir.Codec:
		f.consumeCodec(p)
	default:
		unknown(p.typ)
	}
}

// unknown is for kinds that the switch before it should have known: a fault of the generator.
func unknown(t *ir.Type) { panic("emit: no code for a type of kind " + t.Kind.String()) }
