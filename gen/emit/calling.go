package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Serializers of records whose bytes methods of their type make and read: Protobuf messages, and types with a binary form of their own. A record is all of a payload, since neither
// says where it ends.

// protoPath is the package with the functions for messages, which is that of the user's module.
const protoPath = "google.golang.org/protobuf/proto"

// needsProto says that code for pkg calls functions of package proto.
func needsProto(pkg *ir.Package) bool {
	for _, file := range pkg.Files {
		for _, r := range file.Records {
			if r.Format == ir.Protobuf && (!r.Type.Codec.Fast || r.Type.Codec.Deep) {
				return true
			}
		}
	}
	return false
}

// calling is one of the methods while it is generated.
type calling struct {
	*fn
	r *ir.Record
	n *recordNames
	v string
}

func (f *file) newCalling(r *ir.Record, n *recordNames) calling {
	fn := f.newFn()
	return calling{fn: fn, r: r, n: n, v: fn.local("v", "value")}
}

func (m calling) proto(name string) *jen.Statement { return m.qual(protoPath, name) }

// callingMethods generates the methods that write and read.
func (f *file) callingMethods(r *ir.Record, n *recordNames) {
	f.newCalling(r, n).size()
	f.appendMethod(r, n)
	f.newCalling(r, n).put()
	f.newCalling(r, n).consume()
	f.newCalling(r, n).consumeLimits()
}

func (m calling) size() {
	doc := "Size returns the number of bytes that v takes."
	if m.r.Format == ir.OwnBinary {
		doc += " It has v encoded for that, and returns 0 if that fails."
	}
	m.docs(doc)
	m.out.Func().Params(jen.Id(m.n.Serializer)).Id("Size").Params(jen.Id(m.v).Op("*").Add(m.typ(m.r.Type))).Int().BlockFunc(func(g *jen.Group) {
		e := m.r.Type.Codec
		switch {
		case e.Form == ir.Message:
			g.Return(m.messageSize())
			return
		case e.Append:
			scratch := m.local("scratch", "scratchBytes")
			g.Var().Id(scratch).Index(jen.Lit(scratchSize)).Byte()
			b := m.local("b", "encoded")
			g.List(jen.Id(b), jen.Id("_")).Op(":=").Id(m.v).Dot("AppendBinary").Call(jen.Id(scratch + "[:0]"))
			g.Return(jen.Len(jen.Id(b)))
			return
		}
		b := m.local("b", "encoded")
		g.List(jen.Id(b), jen.Id("_")).Op(":=").Id(m.v).Dot("MarshalBinary").Call()
		g.Return(jen.Len(jen.Id(b)))
	})
	m.out.Line()
}

// messageSize returns the expression of the size of a message.
func (m calling) messageSize() *jen.Statement {
	if m.r.Type.Codec.Fast {
		return jen.Id(m.v).Dot("SizeVT").Call()
	}
	return m.proto("Size").Call(jen.Id(m.v))
}

func (m calling) put() {
	wire := m.declaredName(wirePath)
	doc := fmt.Sprintf("Put writes v to the start of dst and returns how many bytes it took. The error is [%s.ErrShort] if v does not "+
		"fit into len(dst) bytes, and that of a method that encodes v; then the contents of dst are unspecified. A panic of a method passes through. ", wire)
	if m.r.Format == ir.Protobuf {
		doc += "Equal messages may have different bytes: the order of the entries of maps is open."
	} else {
		doc += "What does not fit is encoded into memory of its own before that is known."
	}
	m.docs(doc)
	dst, b, err := m.local("dst", "buf"), m.local("b", "encoded"), m.local("err")
	m.out.Func().Params(jen.Id(m.n.Serializer)).Id("Put").
		Params(jen.Id(dst).Index().Byte(), jen.Id(m.v).Op("*").Add(m.typ(m.r.Type))).Params(jen.Int(), jen.Error()).
		BlockFunc(func(g *jen.Group) {
			whole := func(call jen.Code) {
				g.List(jen.Id(b), jen.Id(err)).Op(":=").Add(call)
				g.Return(m.wire("PutWhole").Call(jen.Id(dst), jen.Id(b), jen.Id(err)))
			}
			e := m.r.Type.Codec
			switch {
			case e.Form != ir.Message && e.Append:
				whole(jen.Id(m.v).Dot("AppendBinary").Call(jen.Id(fmt.Sprintf("%s[:0:len(%[1]s)]", dst))))
				return
			case e.Form != ir.Message:
				whole(jen.Id(m.v).Dot("MarshalBinary").Call())
				return
			}
			n := m.local("n", "m")
			g.Id(n).Op(":=").Add(m.messageSize())
			g.If(jen.Id(n).Op(">").Len(jen.Id(dst))).Block(jen.Return(jen.Lit(0), m.wire("ErrShort")))
			if e.Fast {
				back := m.local("written", "end")
				g.List(jen.Id(back), jen.Id(err)).Op(":=").Id(m.v).Dot("MarshalToSizedBufferVT").Call(jen.Id(dst).Index(jen.Empty(), jen.Id(n)))
				g.Return(m.wire("PutBackwards").Call(jen.Id(dst).Index(jen.Empty(), jen.Id(n)), jen.Id(back), jen.Id(err)))
				return
			}
			// The sizes of the messages within v, which Size has left in them, are not computed again.
			whole(m.proto("MarshalOptions").Values(jen.Id("UseCachedSize").Op(":").True()).Dot("MarshalAppend").
				Call(jen.Id(fmt.Sprintf("%s[:0:%s]", dst, n)), jen.Id(m.v)))
		})
	m.out.Line()
}

func (m calling) consume() {
	m.docs(fmt.Sprintf("Consume reads one %s, which is all of src, into v and returns how many bytes it took, under the default limits. See [%s.ConsumeLimits].",
		m.file.label(m.r), m.n.Serializer))
	s, src := m.local("s", "ser"), m.local("src", "buf")
	m.out.Func().Params(jen.Id(s).Id(m.n.Serializer)).Id("Consume").
		Params(jen.Id(src).Index().Byte(), jen.Id(m.v).Op("*").Add(m.typ(m.r.Type))).Params(jen.Int(), jen.Error()).
		Block(jen.Return(jen.Id(s).Dot("ConsumeLimits").Call(jen.Id(src), jen.Id(m.v), m.qual(recordPath, "Limits").Values())))
	m.out.Line()
}

func (m calling) consumeLimits() {
	e := m.r.Type.Codec
	doc := fmt.Sprintf("ConsumeLimits reads one %s, which is all of src, into v, and returns len(src): the bytes do not say where they end. v is set to zero before, and "+
		"nothing of src is kept", m.file.label(m.r))
	switch {
	case e.Form != ir.Message:
		doc += " if the method of v keeps to what package encoding asks of it. Of the limits, it is MaxRecordBytes that counts: what memory the method takes is its affair."
	case e.Fast && !e.Deep:
		doc += ". Of the limits, it is MaxRecordBytes that counts: what memory the methods of v take is a multiple of that."
	default:
		doc += ". Of the limits, MaxRecordBytes and MaxDepth count: what memory the methods of v take is a multiple of the former."
	}
	m.docs(doc + " After an error the contents of v are unspecified.")
	src, limits, err := m.local("src", "buf"), m.local("limits", "bounds"), m.local("err")
	fail := jen.Return(jen.Lit(0), m.wire("CodecError").Call(jen.Id(err)))
	m.out.Func().Params(jen.Id(m.n.Serializer)).Id("ConsumeLimits").
		Params(jen.Id(src).Index().Byte(), jen.Id(m.v).Op("*").Add(m.typ(m.r.Type)), jen.Id(limits).Add(m.qual(recordPath, "Limits"))).
		Params(jen.Int(), jen.Error()).
		BlockFunc(func(g *jen.Group) {
			g.If(jen.Id(err).Op(":=").Id(limits).Dot("CheckSize").Call(jen.Len(jen.Id(src))), jen.Id(err).Op("!=").Nil()).
				Block(jen.Return(jen.Lit(0), jen.Id(err)))
			var read jen.Code
			switch {
			case e.Form != ir.Message:
				g.Op("*").Id(m.v).Op("=").Add(m.typ(m.r.Type)).Values()
				read = jen.Id(m.v).Dot("UnmarshalBinary").Call(jen.Id(src))
			case e.Fast && !e.Deep:
				g.Id(m.v).Dot("Reset").Call()
				read = jen.Id(m.v).Dot("UnmarshalVT").Call(jen.Id(src))
			default:
				if e.Fast {
					g.Comment("UnmarshalVT has no limit for messages within messages.")
				}
				options := m.local("options", "opts")
				g.Id(options).Op(":=").Add(m.proto("UnmarshalOptions")).Values(jen.Id("RecursionLimit").Op(":").Id(limits).Dot("WithDefaults").Call().Dot("MaxDepth"))
				read = jen.Id(options).Dot("Unmarshal").Call(jen.Id(src), jen.Id(m.v))
			}
			g.If(jen.Id(err).Op(":=").Add(read), jen.Id(err).Op("!=").Nil()).Block(fail)
			g.Return(jen.Len(jen.Id(src)), jen.Nil())
		})
	m.out.Line()
}
