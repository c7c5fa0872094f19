package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Values with an encoding of their own: methods of the type, or a codec that the user has registered for it. All calls are static.

// codecMethods are the names of the methods by form: to append, to make bytes, and to read them.
var codecMethods = map[ir.EncodingForm][3]string{
	ir.Binary:     {"AppendBinary", "MarshalBinary", "UnmarshalBinary"},
	ir.Text:       {"AppendText", "MarshalText", "UnmarshalText"},
	ir.Registered: {"Append", "", "Consume"},
}

// appends says that the encoding of a codec type is appended to a buffer, rather than returned in memory of its own.
func appends(t *ir.Type) bool { return t.Codec.Append || t.Codec.Form == ir.Registered }

// encode returns the call that appends the value at p to the empty slice buf, or that returns its bytes if it cannot append.
func (f *file) encode(p place, buf jen.Code) jen.Code {
	methods := codecMethods[p.typ.Codec.Form]
	switch {
	case p.typ.Codec.Form == ir.Registered:
		return f.codec(p.typ).Dot(methods[0]).Call(buf, jen.Id(p.pointer()))
	case appends(p.typ):
		return jen.Id(p.selectable()).Dot(methods[0]).Call(buf)
	}
	return jen.Id(p.selectable()).Dot(methods[1]).Call()
}

// decode returns the call that reads the value at p, which is zero, from the bytes in the variable span.
func (f *file) decode(p place, span string) jen.Code {
	method := codecMethods[p.typ.Codec.Form][2]
	if p.typ.Codec.Form == ir.Registered {
		return f.codec(p.typ).Dot(method).Call(jen.Id(span), jen.Id(p.pointer()))
	}
	return jen.Id(p.selectable()).Dot(method).Call(jen.Id(span))
}

// codec returns a registered codec, which has no fields.
func (f *file) codec(t *ir.Type) *jen.Statement {
	return jen.Parens(f.named(t.Codec.Registered).Values())
}

// scratchSize is the number of bytes on the stack in which an encoding is counted. Longer ones are allocated.
const scratchSize = 64

// sizeCodec counts an encoding, which has to be made for that. If that fails nothing is counted: writing fails as well, whatever the room.
func (s *sizer) sizeCodec(p place) {
	s.later(func() {
		var buf jen.Code
		if appends(p.typ) {
			buf = jen.Id(s.counting() + "[:0]")
		}
		b := s.local(encodedName(p), "encoded")
		s.block.List(jen.Id(b), jen.Id("_")).Op(":=").Add(s.encode(p, buf))
		s.block.Id(s.n).Op("+=").Add(s.wire("SizedLen").Call(jen.Len(jen.Id(b))))
	})
}

// counting returns the variable of the buffer in which encodings are counted.
func (f *fn) counting() string {
	for b := f.block; b != nil; b = b.parent {
		if name, ok := b.temps["scratch"]; ok {
			return name
		}
	}
	name := f.local("scratch", "scratchBytes")
	f.block.temps["scratch"] = name
	f.block.Var().Id(name).Index(jen.Lit(scratchSize)).Byte()
	return name
}

// putCodec has an encoding appended behind a length of one byte, where it stays if that is enough.
func (f *fn) putCodec(p place) {
	var room jen.Code
	if appends(p.typ) {
		f.block.If(f.fewer(1)).BlockFunc(f.short)
		start := f.at(1)
		room = jen.Id(f.buf + "[" + start + ":" + start + ":len(" + f.buf + ")]")
	}
	b := f.local(encodedName(p), "encoded")
	list, op := f.temps(true, "err")
	f.block.List(jen.Id(b), jen.Id(list[0])).Op(op).Add(f.encode(p, room))
	f.block.If(jen.Id(list[0]).Op("!=").Nil()).BlockFunc(f.pass(p.path, 0, f.wire("CodecError").Call(jen.Id(list[0]))))
	f.putCall(f.wire("PutSized").Call(f.tail(0), jen.Id(b)))
}

// encodedName returns a name for the bytes that the value at p is encoded as, for both functions that have it encoded.
func encodedName(p place) string {
	switch p.part {
	case "key":
		return "encodedKey"
	case "value":
		return "encodedValue"
	}
	return localName(p, "encoded") + "Bytes"
}

// consumeCodec reads into a zero value, so that nothing is shared with what was there before.
func (f *fn) consumeCodec(p place) {
	span := f.local(localName(p, "s"), localName(p, "s")+"Bytes")
	list, op := f.temps(true, "n")
	f.block.List(jen.Id(span), jen.Id(list[0])).Op(op).Add(f.wire("Span").Call(f.tail(0)))
	f.checkRead(p.path, list[0])
	if !p.fresh {
		f.block.Id(p.value()).Op("=").Op("*").New(f.typ(p.typ))
	}
	f.ifError(f.decode(p, span), func(err string) func(*jen.Group) {
		return f.pass(p.path, 0, f.wire("CodecError").Call(jen.Id(err)))
	})
	f.advance(list[0])
}
