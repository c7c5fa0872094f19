package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// reader generates the type that reads records from a gate.
func (f *file) reader(r *ir.Record, n *recordNames) {
	core := f.qual(gatePath, "Core")
	f.docs(fmt.Sprintf("%s reads %s records from a gate: from all channels of one consumer, a channel's in the order in which they were "+
		"written. All methods but Stats are for one goroutine at a time. A reader must be closed.", n.Reader, f.label(r)))
	f.out.Type().Id(n.Reader).Struct(jen.Id("core").Op("*").Add(core))
	f.out.Line()
	f.readerConstructor(r, n)
	f.nextMethod(r, n)
	f.nextBatchMethod(r, n)
	f.tryNextMethod(r, n)
	f.bytesMethods(n.Reader)
	f.allMethod(r, n)
	f.placeMethods(n.Reader)
	f.closeMethods(n.Reader, "r", closing{
		close:          "Close ends reading. Producers that have not finished fail with [" + f.declaredName(writerPath) + ".ErrConsumerGone]. Further calls do nothing.",
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
				f.qual(gatePath, "Spec").Values(f.readerSpec(r, n)...),
				jen.Id(opts).Op("..."),
			),
			jen.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Id(err))),
			jen.Return(jen.Op("&").Id(n.Reader).Values(jen.Id("core").Op(":").Id(core)), jen.Nil()),
		)
	f.out.Line()
}

// readerSpec returns the fields of what the reader tells the gate.
func (f *file) readerSpec(r *ir.Record, n *recordNames) []jen.Code {
	spec := []jen.Code{
		jen.Id("Record").Op(":").Lit(schemaName(r)),
		jen.Id("Schema").Op(":").Id(n.Serializer).Values().Dot("Schema").Call(),
	}
	if f.interns(r.Type) {
		spec = append(spec, jen.Id("Intern").Op(":").True())
	}
	if f.views(r.Type) {
		spec = append(spec, jen.Id("Borrow").Op(":").True())
	}
	return spec
}

// reading is one of the methods that read records, while it is generated.
type reading struct {
	*fn
	r          *ir.Record
	n          *recordNames
	recv, v    string
	src        string // variable of the payload of a record
	ok, err, m string
	fault      string // variable of the error of a record of a fixed size
	// corrupt returns what follows on a record that is corrupt, given the call of the core that says so and the operator that assigns it to err.
	corrupt func(call jen.Code, op string) []jen.Code
}

func (f *file) newReading(r *ir.Record, n *recordNames) *reading {
	fn := f.newFn()
	m := &reading{
		fn: fn, r: r, n: n, recv: fn.local("r", "reader"), v: fn.local("v", "value"),
		src: fn.local("src", "buf"), ok: fn.local("ok"), err: fn.local("err"), m: fn.local("n", "m"),
	}
	m.fault = m.err
	return m
}

func (m *reading) core() *jen.Statement { return jen.Id(m.recv).Dot("core") }

// next generates the statements that read one record. If it does not lie whole in the current chunk, slow follows.
func (m *reading) next(g *jen.Group, slow ...jen.Code) {
	size, fixed := m.limitless(m.r)
	if fixed {
		g.Id(m.src).Op(":=").Add(m.core().Dot("Fixed").Call(jen.Lit(size)))
		g.If(jen.Id(m.src).Op("==").Nil()).Block(slow...)
	} else {
		g.List(jen.Id(m.src), jen.Id(m.ok)).Op(":=").Add(m.core().Dot("Frame").Call())
		g.If(jen.Op("!").Id(m.ok)).Block(slow...)
	}
	serializer := func() *jen.Statement { return jen.Parens(jen.Id(m.n.Serializer).Values()) }
	result := func(op string, args ...jen.Code) []jen.Code {
		return m.corrupt(m.core().Dot("Corrupt").Call(args...), op)
	}
	if !fixed {
		g.List(jen.Id(m.m), jen.Id(m.err)).Op(":=").Add(serializer()).Dot("ConsumeLimits").Call(jen.Id(m.src), jen.Id(m.v), m.core().Dot("Limits").Call())
		g.If(jen.Id(m.err).Op("!=").Nil().Op("||").Id(m.m).Op("!=").Len(jen.Id(m.src))).Block(result("=", jen.Id(m.m), jen.Id(m.err))...)
		return
	}
	// After the first test the compiler knows the size, which makes the one within Consume disappear where that is inlined.
	// The gate has checked the size of the frame against the limits.
	consume := func() *jen.Statement { return serializer().Dot("Consume").Call(jen.Id(m.src), jen.Id(m.v)) }
	g.If(jen.Len(jen.Id(m.src)).Op("!=").Lit(size)).Block(result(":=", consume())...)
	g.If(jen.List(jen.Id("_"), jen.Id(m.fault)).Op(":=").Add(consume()), jen.Id(m.fault).Op("!=").Nil()).
		Block(result("=", jen.Lit(0), jen.Id(m.fault))...)
}

// declare returns the declarations of the variables that the way of a record that does not lie whole in the current chunk needs.
func (m *reading) declare() []jen.Code {
	var list []jen.Code
	if _, fixed := m.limitless(m.r); fixed {
		list = append(list, jen.Var().Id(m.ok).Bool())
	}
	return append(list, jen.Var().Id(m.err).Error())
}

func (f *file) nextMethod(r *ir.Record, n *recordNames) {
	m := f.newReading(r, n)
	ctx := m.local("ctx", "done")
	doc := []string{"Next reads the next record into v. It returns false with a nil error when every channel has ended, and false with an error " +
		"if a producer has failed, the bytes are damaged, or ctx is done while Next waits. After an error of ctx it may be called again; other " +
		"errors stay."}
	switch {
	case f.views(r.Type):
		doc = append(doc, f.viewsDoc(r.Type, "v", n))
	case f.retains(r.Type):
		doc = append(doc, f.ownsDoc(r.Type, "v", "v owns"))
	}
	m.corrupt = func(call jen.Code, _ string) []jen.Code { return []jen.Code{jen.Return(jen.False(), call)} }
	f.docs(doc...)
	f.out.Func().Params(jen.Id(m.recv).Op("*").Id(n.Reader)).Id("Next").
		Params(jen.Id(ctx).Add(f.qual("context", "Context")), jen.Id(m.v).Op("*").Add(f.typ(r.Type))).Params(jen.Bool(), jen.Error()).
		BlockFunc(func(g *jen.Group) {
			m.next(g, append(m.declare(), jen.If(
				jen.List(jen.Id(m.src), jen.Id(m.ok), jen.Id(m.err)).Op("=").Add(m.core().Dot("Fill").Call(jen.Id(ctx))),
				jen.Op("!").Id(m.ok),
			).Block(jen.Return(jen.False(), jen.Id(m.err))))...)
			g.Return(jen.True(), jen.Nil())
		})
	f.out.Line()
}

// ownsDoc says what reading into records of type t does with the memory that they have.
func (f *file) ownsDoc(t *ir.Type, what, own string) string {
	own += " everything " + map[bool]string{true: "they refer", false: "it refers"}[strings.HasPrefix(own, "they")] + " to afterwards."
	if reused := f.reused(t); reused != "" {
		return reused + " of " + what + " are reused, and " + own
	}
	return strings.ToUpper(own[:1]) + own[1:]
}

// viewsDoc says how long fields that share the memory of the payload may be used.
func (f *file) viewsDoc(t *ir.Type, what string, n *recordNames) string {
	doc := fmt.Sprintf("Fields tagged view share the memory of the payload: they are valid until the next call of a method of the reader, and must not be "+
		"written to; [%s.Detach] makes copies of them.", n.Serializer)
	if reused := f.reused(t); reused != "" {
		doc = reused + " of " + what + " are reused. " + doc
	}
	return doc
}

// nextBatchMethod generates the method that reads several records.
func (f *file) nextBatchMethod(r *ir.Record, n *recordNames) {
	m := f.newReading(r, n)
	ctx, dst, i := m.local("ctx", "done"), m.local("dst", "batch"), m.local("i", "index")
	doc := []string{"NextBatch reads records into dst and returns how many. It waits for the first one like Next, and not for others: it ends early when there is " +
		"none to be read without waiting, and before anything that a handler is to be told. An error comes with no records; what Next would return after some comes " +
		"with the next call. When every channel has ended it returns 0 and a nil error. If dst is empty the error is [" + f.declaredName(gatePath) + ".ErrEmptyBatch]."}
	switch {
	case f.views(r.Type):
		doc = append(doc, f.viewsDoc(r.Type, "the records of dst", n)+" So a batch ends with the block that its first record lies in.")
	case f.retains(r.Type):
		doc = append(doc, f.ownsDoc(r.Type, "the records of dst", "they own"))
	}
	if f.views(r.Type) {
		f.docs(doc...)
		f.batchOfViews(m, ctx, dst, i)
		return
	}
	m.corrupt = func(call jen.Code, op string) []jen.Code {
		return []jen.Code{
			jen.Id(m.err).Op(op).Add(call),
			jen.If(jen.Id(i).Op(">").Lit(0)).Block(jen.Return(jen.Id(i), jen.Nil()).Comment("the error stays")),
			jen.Return(jen.Lit(0), jen.Id(m.err)),
		}
	}
	f.docs(doc...)
	f.out.Func().Params(jen.Id(m.recv).Op("*").Id(n.Reader)).Id("NextBatch").
		Params(jen.Id(ctx).Add(f.qual("context", "Context")), jen.Id(dst).Index().Add(f.typ(r.Type))).Params(jen.Int(), jen.Error()).
		Block(
			f.emptyBatch(dst),
			jen.For(jen.Id(i).Op(":=").Range().Id(dst)).BlockFunc(func(g *jen.Group) {
				g.Id(m.v).Op(":=").Op("&").Id(dst).Index(jen.Id(i))
				m.next(g, append(m.declare(),
					jen.If(jen.Id(i).Op("==").Lit(0)).Block(
						jen.List(jen.Id(m.src), jen.Id(m.ok), jen.Id(m.err)).Op("=").Add(m.core().Dot("Fill").Call(jen.Id(ctx))),
					).Else().Block(
						jen.List(jen.Id(m.src), jen.Id(m.ok)).Op("=").Add(m.core().Dot("More").Call()),
					),
					jen.If(jen.Op("!").Id(m.ok)).Block(jen.Return(jen.Id(i), jen.Id(m.err))),
				)...)
			}),
			jen.Return(jen.Len(jen.Id(dst)), jen.Nil()),
		)
	f.out.Line()
}

// emptyBatch returns the test that dst has room for a record: no records and no error would say that every channel has ended.
func (f *file) emptyBatch(dst string) jen.Code {
	return jen.If(jen.Len(jen.Id(dst)).Op("==").Lit(0)).Block(jen.Return(jen.Lit(0), f.qual(gatePath, "ErrEmptyBatch")))
}

// batchOfViews generates the method that reads several records whose views are valid together: all of one block, the first of which may be any record.
func (f *file) batchOfViews(m *reading, ctx, dst, i string) {
	f.out.Func().Params(jen.Id(m.recv).Op("*").Id(m.n.Reader)).Id("NextBatch").
		Params(jen.Id(ctx).Add(f.qual("context", "Context")), jen.Id(dst).Index().Add(f.typ(m.r.Type))).Params(jen.Int(), jen.Error()).
		Block(
			f.emptyBatch(dst),
			jen.If(
				jen.List(jen.Id(m.ok), jen.Id(m.err)).Op(":=").Id(m.recv).Dot("Next").Call(jen.Id(ctx), jen.Op("&").Id(dst).Index(jen.Lit(0))),
				jen.Op("!").Id(m.ok),
			).Block(jen.Return(jen.Lit(0), jen.Id(m.err))),
			jen.For(jen.Id(i).Op(":=").Lit(1), jen.Id(i).Op("<").Len(jen.Id(dst)), jen.Id(i).Op("++")).Block(
				jen.List(jen.Id(m.src), jen.Id(m.ok)).Op(":=").Add(m.core().Dot("Same").Call()),
				jen.If(jen.Op("!").Id(m.ok)).Block(jen.Return(jen.Id(i), jen.Nil()).Comment("records of another block would end the views of these")),
				jen.List(jen.Id(m.m), jen.Id(m.err)).Op(":=").Parens(jen.Id(m.n.Serializer).Values()).Dot("ConsumeLimits").
					Call(jen.Id(m.src), jen.Op("&").Id(dst).Index(jen.Id(i)), m.core().Dot("Limits").Call()),
				jen.If(jen.Id(m.err).Op("!=").Nil().Op("||").Id(m.m).Op("!=").Len(jen.Id(m.src))).Block(
					jen.Id("_").Op("=").Add(m.core().Dot("Corrupt").Call(jen.Id(m.m), jen.Id(m.err))).Comment("it stays, for the next call"),
					jen.Return(jen.Id(i), jen.Nil()),
				),
			),
			jen.Return(jen.Len(jen.Id(dst)), jen.Nil()),
		)
	f.out.Line()
}

// tryNextMethod generates the method that never waits.
func (f *file) tryNextMethod(r *ir.Record, n *recordNames) {
	m := f.newReading(r, n)
	ended := m.local("ended", "end")
	m.fault = m.local("cause", "fault")
	m.corrupt = func(call jen.Code, _ string) []jen.Code {
		return []jen.Code{jen.Return(jen.False(), jen.False(), call)}
	}
	f.docs(fmt.Sprintf("TryNext is Next without waiting: ok says that v was read, and ended that every channel has ended. If neither is true and there is no error, "+
		"there is nothing to read now; [%s.Select] waits for several readers.", f.declaredName(gatePath)))
	f.out.Func().Params(jen.Id(m.recv).Op("*").Id(n.Reader)).Id("TryNext").
		Params(jen.Id(m.v).Op("*").Add(f.typ(r.Type))).Params(jen.Id(m.ok), jen.Id(ended).Bool(), jen.Id(m.err).Error()).
		BlockFunc(func(g *jen.Group) {
			m.next(g, jen.If(
				jen.List(jen.Id(m.src), jen.Id(m.ok), jen.Id(ended), jen.Id(m.err)).Op("=").Add(m.core().Dot("TryFill").Call()),
				jen.Op("!").Id(m.ok),
			).Block(jen.Return(jen.False(), jen.Id(ended), jen.Id(m.err))))
			g.Return(jen.True(), jen.False(), jen.Nil())
		})
	f.out.Line()
}

// placeMethods generates the methods that say where the reader stands, which hand over to the core.
func (f *file) placeMethods(typ string) {
	fn := f.newFn()
	recv := fn.local("r", "reader")
	method := func(doc, name string, results ...jen.Code) {
		f.docs(doc)
		ret := jen.Return(jen.Id(recv).Dot("core").Dot(name).Call())
		if name == "Core" {
			ret = jen.Return(jen.Id(recv).Dot("core"))
		}
		head := f.out.Func().Params(jen.Id(recv).Op("*").Id(typ)).Id(name).Params()
		if len(results) == 1 {
			head.Add(results[0]).Block(ret)
		} else {
			head.Params(results...).Block(ret)
		}
		f.out.Line()
	}
	method("Last returns where the last record came from: its producer, its channel, and its number in that, from 0.", "Last", f.qual(gatePath, "Origin"))
	method("Watermark returns the time up to which all records were read: every channel that is not idle has said that no record of that time or before follows. It "+
		"returns false if there is no such time yet.", "Watermark", f.qual("time", "Time"), jen.Bool())
	method("Backlog returns how many bytes are waiting to be read.", "Backlog", jen.Int64())
	method(fmt.Sprintf("Core returns what the readers of all types have in common, for example for [%s.Select].", f.declaredName(gatePath)),
		"Core", jen.Op("*").Add(f.qual(gatePath, "Core")))
}

func (f *file) allMethod(r *ir.Record, n *recordNames) {
	fn := f.newFn()
	recv, ctx, yield := fn.local("r", "reader"), fn.local("ctx", "done"), fn.local("yield")
	v, ok, err := fn.local("v", "value"), fn.local("ok"), fn.local("err")
	f.docs("All returns the records one after the other, each in a value of its own that may be kept. An error is the last thing it " +
		"yields, with a nil record. After a break out of the loop the reader can go on. ctx is asked only when there is nothing to read; to stop in the middle of a backlog, ask ctx in the loop.")
	f.out.Func().Params(jen.Id(recv).Op("*").Id(n.Reader)).Id("All").Params(jen.Id(ctx).Add(f.qual("context", "Context"))).
		Add(f.qual("iter", "Seq2")).Types(jen.Op("*").Add(f.typ(r.Type)), jen.Error()).
		Block(jen.Return(jen.Func().Params(jen.Id(yield).Func().Params(jen.Op("*").Add(f.typ(r.Type)), jen.Error()).Bool()).Block(
			jen.For().Block(
				jen.Id(v).Op(":=").New(f.typ(r.Type)),
				jen.List(jen.Id(ok), jen.Id(err)).Op(":=").Id(recv).Dot("Next").Call(jen.Id(ctx), jen.Id(v)),
				jen.If(jen.Id(err).Op("!=").Nil()).Block(
					jen.Id(yield).Call(jen.Nil(), jen.Id(err)),
					jen.Return(),
				),
				f.yieldRecord(r, n, v, ok, yield),
			),
		)))
	f.out.Line()
}

// yieldRecord returns the end of the loop of All: what was read is yielded, with copies of what it shares with the payload.
func (f *file) yieldRecord(r *ir.Record, n *recordNames, v, ok, yield string) jen.Code {
	more := jen.Op("!").Id(yield).Call(jen.Id(v), jen.Nil())
	if !f.views(r.Type) {
		return jen.If(jen.Op("!").Id(ok).Op("||").Add(more)).Block(jen.Return())
	}
	return jen.If(jen.Op("!").Id(ok)).Block(jen.Return()).Line().
		Parens(jen.Id(n.Serializer).Values()).Dot("Detach").Call(jen.Id(v)).Line().
		If(more).Block(jen.Return())
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
