package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// reader generates the type that reads records from a gate.
func (f *file) reader(r *ir.Record, n *recordNames) {
	core := f.qual(gatePath, "Core")
	f.docs(fmt.Sprintf("%s reads %s records from a gate: from all channels of one consumer, a channel's in the order in which they were "+
		"written. All methods but Stats are for one goroutine at a time. A reader must be closed.", n.Reader, r.Name))
	f.out.Type().Id(n.Reader).Struct(jen.Id("core").Op("*").Add(core))
	f.out.Line()
	f.readerConstructor(r, n)
	f.nextMethod(r, n)
	f.allMethod(r, n)
	f.closeMethods(n.Reader, "r", closing{
		close:          "Close ends reading. Producers that have not finished fail with partition.ErrConsumerGone. Further calls do nothing.",
		closeWithError: "CloseWithError is Close, and passes cause on to the producers.",
		stats:          "Stats returns the reader's counters. Any goroutine may call it.",
		statsType:      f.qual(metricsPath, "Reader"),
	})
}

func (f *file) readerConstructor(r *ir.Record, n *recordNames) {
	fn := f.newFn()
	g0, opts, core, err := fn.local("g", "in"), fn.local("opts", "options"), fn.local("core"), fn.local("err")
	f.docs(fmt.Sprintf("%s makes the caller the reader of g. The error is [%s.ErrInUse] if g has a reader, and tells of a schema that differs "+
		"from that of the writers.", n.NewReader, f.declaredName(gatePath)))
	f.out.Func().Id(n.NewReader).
		Params(jen.Id(g0).Op("*").Add(f.qual(gatePath, "Gate")), jen.Id(opts).Op("...").Add(f.qual(gatePath, "Option"))).
		Params(jen.Op("*").Id(n.Reader), jen.Error()).
		Block(
			jen.List(jen.Id(core), jen.Id(err)).Op(":=").Add(f.qual(gatePath, "NewCore")).Call(
				jen.Id(g0),
				f.qual(gatePath, "Spec").Values(
					jen.Id("Record").Op(":").Lit(r.Name), jen.Id("Schema").Op(":").Id(n.Serializer).Values().Dot("Schema").Call()),
				jen.Id(opts).Op("..."),
			),
			jen.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Id(err))),
			jen.Return(jen.Op("&").Id(n.Reader).Values(jen.Id("core").Op(":").Id(core)), jen.Nil()),
		)
	f.out.Line()
}

func (f *file) nextMethod(r *ir.Record, n *recordNames) {
	fn := f.newFn()
	recv, ctx, v := fn.local("r", "reader"), fn.local("ctx", "done"), fn.local("v", "value")
	src, ok, err, m := fn.local("src", "buf"), fn.local("ok"), fn.local("err"), fn.local("n", "m")
	core := func() *jen.Statement { return jen.Id(recv).Dot("core") }
	doc := []string{"Next reads the next record into v. It returns false with a nil error when every channel has ended, and false with an error " +
		"if a producer has failed, the bytes are damaged, or ctx is done while Next waits. After an error of ctx it may be called again; other " +
		"errors stay."}
	if f.retains(r.Type) {
		doc = append(doc, "What v holds is reused, and v owns everything it refers to afterwards.")
	}
	f.docs(doc...)
	f.out.Func().Params(jen.Id(recv).Op("*").Id(n.Reader)).Id("Next").
		Params(jen.Id(ctx).Add(f.qual("context", "Context")), jen.Id(v).Op("*").Id(r.Name)).Params(jen.Bool(), jen.Error()).
		BlockFunc(func(g *jen.Group) {
			size, fixed := f.limitless(r.Type)
			fill := jen.If(
				jen.List(jen.Id(src), jen.Id(ok), jen.Id(err)).Op("=").Add(core().Dot("Fill").Call(jen.Id(ctx))),
				jen.Op("!").Id(ok),
			).Block(jen.Return(jen.False(), jen.Id(err)))
			if fixed {
				g.Id(src).Op(":=").Add(core().Dot("Fixed").Call(jen.Lit(size)))
				g.If(jen.Id(src).Op("==").Nil()).Block(jen.Var().Id(ok).Bool(), jen.Var().Id(err).Error(), fill)
			} else {
				g.List(jen.Id(src), jen.Id(ok)).Op(":=").Add(core().Dot("Frame").Call())
				g.If(jen.Op("!").Id(ok)).Block(jen.Var().Id(err).Error(), fill)
			}
			corrupt := func(args ...jen.Code) jen.Code { return jen.Return(jen.False(), core().Dot("Corrupt").Call(args...)) }
			serializer := func() *jen.Statement { return jen.Parens(jen.Id(n.Serializer).Values()) }
			if fixed {
				// After the first test the compiler knows the size, which makes the one within Consume disappear where that is inlined.
				// The gate has checked the size of the frame against the limits.
				consume := func() *jen.Statement { return serializer().Dot("Consume").Call(jen.Id(src), jen.Id(v)) }
				g.If(jen.Len(jen.Id(src)).Op("!=").Lit(size)).Block(corrupt(consume()))
				g.If(jen.List(jen.Id("_"), jen.Id(err)).Op(":=").Add(consume()), jen.Id(err).Op("!=").Nil()).Block(corrupt(jen.Lit(0), jen.Id(err)))
			} else {
				g.List(jen.Id(m), jen.Id(err)).Op(":=").Add(serializer()).Dot("ConsumeLimits").Call(jen.Id(src), jen.Id(v), core().Dot("Limits").Call())
				g.If(jen.Id(err).Op("!=").Nil().Op("||").Id(m).Op("!=").Len(jen.Id(src))).Block(corrupt(jen.Id(m), jen.Id(err)))
			}
			g.Return(jen.True(), jen.Nil())
		})
	f.out.Line()
}

func (f *file) allMethod(r *ir.Record, n *recordNames) {
	fn := f.newFn()
	recv, ctx, yield := fn.local("r", "reader"), fn.local("ctx", "done"), fn.local("yield")
	v, ok, err := fn.local("v", "value"), fn.local("ok"), fn.local("err")
	f.docs("All returns the records one after the other, each in a value of its own that may be kept. An error is the last thing it " +
		"yields, with a nil record. After a break out of the loop the reader can go on.")
	f.out.Func().Params(jen.Id(recv).Op("*").Id(n.Reader)).Id("All").Params(jen.Id(ctx).Add(f.qual("context", "Context"))).
		Add(f.qual("iter", "Seq2")).Types(jen.Op("*").Id(r.Name), jen.Error()).
		Block(jen.Return(jen.Func().Params(jen.Id(yield).Func().Params(jen.Op("*").Id(r.Name), jen.Error()).Bool()).Block(
			jen.For().Block(
				jen.Id(v).Op(":=").New(jen.Id(r.Name)),
				jen.List(jen.Id(ok), jen.Id(err)).Op(":=").Id(recv).Dot("Next").Call(jen.Id(ctx), jen.Id(v)),
				jen.If(jen.Id(err).Op("!=").Nil()).Block(
					jen.Id(yield).Call(jen.Nil(), jen.Id(err)),
					jen.Return(),
				),
				jen.If(jen.Op("!").Id(ok).Op("||").Op("!").Id(yield).Call(jen.Id(v), jen.Nil())).Block(jen.Return()),
			),
		)))
	f.out.Line()
}

// closing holds the doc comments, and the type of the counters, of the methods that end a writer or a reader.
type closing struct {
	close, closeWithError, stats string
	statsType                    jen.Code
}

// closeMethods generates Close, CloseWithError and Stats, which hand over to the core.
func (f *file) closeMethods(typ, receiver string, c closing) {
	fn := f.newFn()
	recv, cause := fn.local(receiver, "it"), fn.local("cause")
	method := func(doc, name string, result jen.Code, args ...string) {
		var params, pass []jen.Code
		for _, a := range args {
			params = append(params, jen.Id(a).Error())
			pass = append(pass, jen.Id(a))
		}
		f.docs(doc)
		f.out.Func().Params(jen.Id(recv).Op("*").Id(typ)).Id(name).Params(params...).Add(result).
			Block(jen.Return(jen.Id(recv).Dot("core").Dot(name).Call(pass...)))
		f.out.Line()
	}
	method(c.close, "Close", jen.Error())
	method(c.closeWithError, "CloseWithError", jen.Error(), cause)
	method(c.stats, "Stats", c.statsType)
}
