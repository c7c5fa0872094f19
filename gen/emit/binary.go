package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// binaryMethods generates the methods of the record's type by which it is a binary appender, marshaler and unmarshaler of package encoding.
func (f *file) binaryMethods(r *ir.Record, n *recordNames) {
	if !r.With.Has(ir.WithBinary) {
		return
	}
	typ := func() jen.Code { return f.typ(r.Type) }
	bytes := func() *jen.Statement { return jen.Index().Byte() }
	ser := func() *jen.Statement { return jen.Parens(jen.Id(n.Serializer).Values()) }
	errs := "The error is always nil."
	if refusals := f.recordRefusals(r); refusals != "" {
		errs = "The error is " + refusals + "."
	}

	f.docs(fmt.Sprintf("AppendBinary is [%s.Append], for [encoding.BinaryAppender]. %s", n.Serializer, errs))
	fn := f.newFn()
	v, dst := fn.local("v", "value"), fn.local("dst", "buf")
	f.out.Func().Params(jen.Id(v).Op("*").Add(typ())).Id("AppendBinary").Params(jen.Id(dst).Add(bytes())).Params(bytes(), jen.Error()).
		Block(jen.Return(ser().Dot("Append").Call(jen.Id(dst), jen.Id(v))))
	f.out.Line()

	f.docs(fmt.Sprintf("MarshalBinary returns the bytes of v in new memory, for [encoding.BinaryMarshaler]. %s", errs))
	fn = f.newFn()
	v = fn.local("v", "value")
	f.out.Func().Params(jen.Id(v).Op("*").Add(typ())).Id("MarshalBinary").Params().Params(bytes(), jen.Error()).
		Block(jen.Return(ser().Dot("Append").Call(jen.Nil(), jen.Id(v))))
	f.out.Line()

	f.docs(fmt.Sprintf("UnmarshalBinary reads v from src, which must hold one record and nothing else, under the default limits, for [encoding.BinaryUnmarshaler]. "+
		"v shares no memory with src. See [%s.Consume] for what is reused of v; after an error its value is unspecified.", n.Serializer))
	fn = f.newFn()
	v, src := fn.local("v", "value"), fn.local("src", "buf")
	m, err := fn.local("n", "m"), fn.local("err")
	f.out.Func().Params(jen.Id(v).Op("*").Add(typ())).Id("UnmarshalBinary").Params(jen.Id(src).Add(bytes())).Error().
		BlockFunc(func(g *jen.Group) {
			g.List(jen.Id(m), jen.Id(err)).Op(":=").Add(ser()).Dot("Consume").Call(jen.Id(src), jen.Id(v))
			g.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Id(err)))
			if f.views(r.Type) {
				g.Add(ser()).Dot("Detach").Call(jen.Id(v))
			}
			g.Return(f.values("LeftOver").Call(jen.Id(m), jen.Id(src)))
		})
	f.out.Line()
}
