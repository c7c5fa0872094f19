package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/names"
)

// writers generates the functions that all writers share, the general writer and those asked for.
func (f *file) writers(r *ir.Record, n *recordNames) {
	f.emitFunc(r, n)
	f.tryEmitFunc(r, n)
	f.broadcastFunc(r, n)
	f.generalWriter(r, n)
	for i, w := range r.Writers {
		f.writer(r, n, n.writers[i], f.timed(f.selection(r, w), w.EventTime))
	}
}

// writer generates one writer whose selection is known.
func (f *file) writer(r *ir.Record, n *recordNames, wn names.Writer, s selection) {
	f.writerType(r, wn, s)
	f.writerConstructor(r, n, wn, s)
	f.emitMethods(r, n, wn.Writer, s)
	f.writerMethods(wn.Writer)
	f.chooseMethod(r, wn.Writer, s)
}

func (f *file) writerType(r *ir.Record, wn names.Writer, s selection) {
	f.docs(fmt.Sprintf("%s writes %s records. %s All methods but Stats are for one goroutine at a time. A writer must be closed.",
		wn.Writer, f.label(r), s.doc))
	f.out.Type().Id(wn.Writer).StructFunc(func(g *jen.Group) {
		g.Id("core").Op("*").Add(f.qual(writerPath, "Core"))
		if s.channels {
			g.Id("channels").Int()
		}
		for _, field := range s.fields {
			g.Id(field.name).Add(field.typ)
		}
	})
	f.out.Line()
}

func (f *file) writerConstructor(r *ir.Record, n *recordNames, wn names.Writer, s selection) {
	fn := f.newFn()
	out, opts, core, err := fn.local("out", "output"), fn.local("opts", "options"), fn.local("core"), fn.local("err")
	f.docs(fmt.Sprintf("%s makes the caller the writer of out. The error is [%s.ErrInUse] if out has a writer, and tells of a schema or a "+
		"selection that does not fit.", wn.NewWriter, f.declaredName(writerPath)))
	f.constructor(r, wn, out, opts).Block(
		f.newCore(r, n, core, err, out, opts, f.qual(selectorPath, "Kind"+s.kind), s),
		jen.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Id(err))),
		jen.Return(jen.Op("&").Id(wn.Writer).ValuesFunc(func(g *jen.Group) {
			g.Id("core").Op(":").Id(core)
			if s.channels {
				g.Id("channels").Op(":").Id(core).Dot("Channels").Call()
			}
			for _, field := range s.fields {
				if field.init != nil {
					g.Id(field.name).Op(":").Add(field.init(core))
				}
			}
		}), jen.Nil()),
	)
	f.out.Line()
}

// constructor returns the head of a constructor.
func (f *file) constructor(r *ir.Record, wn names.Writer, out, opts string) *jen.Statement {
	return f.out.Func().Id(wn.NewWriter).
		Params(jen.Id(out).Add(f.qual(writerPath, "Output")), jen.Id(opts).Op("...").Add(f.qual(writerPath, "Option"))).
		Params(jen.Op("*").Id(wn.Writer), jen.Error())
}

// newCore returns the statement that claims the output.
func (f *file) newCore(r *ir.Record, n *recordNames, core, err, out, opts string, kind jen.Code, s selection) jen.Code {
	spec := []jen.Code{
		jen.Id("Record").Op(":").Lit(schemaName(r)),
		jen.Id("Schema").Op(":").Id(n.Serializer).Values().Dot("Schema").Call(),
		jen.Id("Selection").Op(":").Add(kind),
	}
	if s.key != "" {
		spec = append(spec, jen.Id("Key").Op(":").Lit(s.key))
	}
	if s.function != "" {
		spec = append(spec, jen.Id("Func").Op(":").Lit(s.function))
	}
	if s.hash != "" {
		spec = append(spec, jen.Id("Hash").Op(":").Add(f.qual(selectorPath, s.hash)))
	}
	if s.bySelector {
		spec = append(spec, jen.Id("TakesSelector").Op(":").True())
	}
	return jen.List(jen.Id(core), jen.Id(err)).Op(":=").Add(f.qual(writerPath, "NewCore")).Call(
		jen.Id(out),
		f.qual(writerPath, "Spec").Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, spec...),
		jen.Id(opts).Op("..."),
	)
}

// writerMethods generates the methods that hand over to the core.
func (f *file) writerMethods(typ string) {
	fn := f.newFn()
	w, channel := fn.local("w", "self"), fn.local("channel", "lane")
	method := func(name string, params, result, ret jen.Code) {
		f.out.Func().Params(jen.Id(w).Op("*").Id(typ)).Id(name).Params(params).Add(result).Block(jen.Return(ret))
		f.out.Line()
	}
	core := func() *jen.Statement { return jen.Id(w).Dot("core") }
	f.docs("Available returns whether a channel has room for a small record, or with -1 all channels have. It is a hint: TryEmit knows. It never waits.")
	method("Available", jen.Id(channel).Int(), jen.Bool(), core().Dot("Available").Call(jen.Id(channel)))
	f.docs("Ready makes everything written readable, and returns a channel to select on. It is closed when it is worth trying what TryEmit has " +
		"refused, or with -1 when all channels have room. It is for one wait.")
	method("Ready", jen.Id(channel).Int(), jen.Op("<-").Chan().Struct(), core().Dot("Ready").Call(jen.Id(channel)))
	f.docs("Flush makes everything written so far readable. It never waits.")
	method("Flush", jen.Null(), jen.Error(), core().Dot("Flush").Call())
	f.eventMethods(typ)
	f.closeMethods(typ, "w", closing{
		close: "Close ends the stream: readers get everything written, then the end. It never waits. Further calls return the same.",
		closeWithError: "CloseWithError ends the stream with a cause: readers get everything written, then an error with cause. A nil cause is " +
			"Close. Only the first call of either has an effect.",
		stats:     "Stats returns the writer's counters. Any goroutine may call it.",
		statsType: f.qual(metricsPath, "Writer"),
	})
	f.docs(fmt.Sprintf("Core returns what the writers of all types have in common, for example for a [%s.Delegate].", f.declaredName(writerPath)))
	method("Core", jen.Null(), jen.Op("*").Add(f.qual(writerPath, "Core")), core())
}

// eventMethods generates the methods that tell readers other things than records, which hand over to the core.
func (f *file) eventMethods(typ string) {
	fn := f.newFn()
	w, t, idle, drained := fn.local("w", "self"), fn.local("t", "at"), fn.local("idle"), fn.local("drained")
	method := func(doc, name, arg string, param *jen.Statement) {
		f.docs(doc)
		var args []jen.Code
		if arg != "" {
			args = append(args, jen.Id(arg))
		}
		f.out.Func().Params(jen.Id(w).Op("*").Id(typ)).Id(name).Params(param).Error().Block(
			jen.Return(jen.Id(w).Dot("core").Dot(name).Call(args...)))
		f.out.Line()
	}
	method("Watermark tells the readers of all channels that no record with an event time of "+t+" or before follows. "+strings.ToUpper(t[:1])+t[1:]+" is truncated to "+
		"microseconds; one that is not higher than the last changes nothing. It never waits.", "Watermark", t, jen.Id(t).Add(f.qual("time", "Time")))
	method("Idle tells the readers of all channels whether this writer has stopped for now: until it says otherwise, or sends a higher watermark, they do not wait for its watermarks. "+
		"It never waits.",
		"Idle", idle, jen.Id(idle).Bool())
	method("EndOfData tells the readers of all channels that no record follows: drained says whether the stream is complete or was stopped. Only Flush and "+
		"Close may follow. It never waits.", "EndOfData", drained, jen.Id(drained).Bool())
	method(fmt.Sprintf("Mark sends a latency marker to one channel, another each time: its reader learns how long it was under way. It never waits. The error is "+
		"[%s.ErrEvents] if too many events wait for the reader.", f.declaredName(writerPath)), "Mark", "", jen.Null())
}

// generalWriter generates the writer whose selector is an option.
func (f *file) generalWriter(r *ir.Record, n *recordNames) {
	s := f.bySelector(r)
	f.writerType(r, n.Writer, s)
	f.generalConstructor(r, n, s)
	f.emitMethods(r, n, n.Writer.Writer, s)
	f.writerMethods(n.Writer.Writer)
	f.chooseMethod(r, n.Writer.Writer, s)
}

func (f *file) generalConstructor(r *ir.Record, n *recordNames, s selection) {
	fn := f.newFn()
	out, opts, core, err, sel := fn.local("out", "output"), fn.local("opts", "options"), fn.local("core"), fn.local("err"), fn.local("sel", "chosen")
	f.docs(fmt.Sprintf("%s makes the caller the writer of out. The error is [%s.ErrInUse] if out has a writer, and tells of a schema or a "+
		"selection that does not fit.", n.NewWriter, f.declaredName(writerPath)))
	fail := func() jen.Code { return jen.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Id(err))) }
	f.constructor(r, n.Writer, out, opts).Block(
		jen.List(jen.Id(sel), jen.Id(err)).Op(":=").Add(f.qual(writerPath, "SelectorOf")).Types(f.typ(r.Type)).Call(jen.Id(opts).Op("...")),
		fail(),
		jen.If(
			jen.Id(err).Op("=").Add(f.qual(writerPath, "SetUp")).Call(jen.Id(sel), jen.Id(out)),
			jen.Id(err).Op("!=").Nil(),
		).Block(jen.Return(jen.Nil(), jen.Id(err))),
		f.newCore(r, n, core, err, out, opts, jen.Id(sel).Dot("Kind").Call(), s),
		fail(),
		jen.Return(jen.Op("&").Id(n.Writer.Writer).Values(
			jen.Id("core").Op(":").Id(core),
			jen.Id("channels").Op(":").Id(core).Dot("Channels").Call(),
			jen.Id("selector").Op(":").Id(sel),
		), jen.Nil()),
	)
	f.out.Line()
}
