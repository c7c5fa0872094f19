package emit

import "github.com/dave/jennifer/jen"

// bytesMethods generates the methods of a reader that return records as they were written.
func (f *file) bytesMethods(typ string) {
	bytes := jen.Index().Byte()
	fn := f.newFn()
	recv, ctx := fn.local("r", "reader"), fn.local("ctx", "done")
	f.docs("NextBytes is Next without decoding: it returns the bytes of the next record, which are borrowed until the next call of a method that reads or closes, and must not be " +
		"changed.")
	f.out.Func().Params(jen.Id(recv).Op("*").Id(typ)).Id("NextBytes").Params(jen.Id(ctx).Add(f.qual("context", "Context"))).
		Params(bytes, jen.Bool(), jen.Error()).Block(jen.Return(jen.Id(recv).Dot("core").Dot("NextBytes").Call(jen.Id(ctx))))
	f.out.Line()
	fn = f.newFn()
	recv = fn.local("r", "reader")
	src, ok, ended, err := fn.local("src", "buf"), fn.local("ok"), fn.local("ended"), fn.local("err")
	f.docs("TryNextBytes is NextBytes without waiting: false, false and a nil error say that there is nothing now, and ended that every channel has ended.")
	f.out.Func().Params(jen.Id(recv).Op("*").Id(typ)).Id("TryNextBytes").Params().
		Params(jen.Id(src).Index().Byte(), jen.List(jen.Id(ok), jen.Id(ended)).Bool(), jen.Id(err).Error()).
		Block(jen.Return(jen.Id(recv).Dot("core").Dot("TryNextBytes").Call()))
	f.out.Line()
}
