package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/gen/names"
)

// selection is how a generated writer chooses the channel of a record.
type selection struct {
	kind  string // constant of package selector, without "Kind"
	key   string // for the specification of the writer
	doc   string // what becomes of a record: "Each record goes to …"
	field string // field of the writer that the choice needs besides the core; "" for none
	typ   jen.Code
	init  func(core string) jen.Code // value of that field
	// channels says that the choice needs the number of channels.
	channels bool
	// choose generates the choice, and returns the expression of the channel.
	choose func(f *fn, w, v string) jen.Code
}

// writers generates the function that all writers share, the general writer and those asked for.
func (f *file) writers(r *ir.Record, n *recordNames) {
	f.emitFunc(r, n)
	f.generalWriter(r, n)
	for i, w := range r.Writers {
		f.writer(r, n, n.writers[i], f.selection(r, w))
	}
}

// selection returns how a writer asked for chooses.
func (f *file) selection(r *ir.Record, w *ir.Writer) selection {
	switch w.Kind {
	case ir.Keyed:
		return f.keyed(w)
	case ir.Broadcast:
		return selection{kind: "Broadcast", doc: "Each record goes to every channel.", choose: constant(jen.Lit(0))}
	case ir.Global:
		return selection{kind: "Global", doc: "Each record goes to channel 0.", choose: constant(jen.Lit(0))}
	case ir.Forward:
		return selection{
			kind: "Forward", doc: "Each record goes to the channel with the index of the producer; there must be as many producers as consumers.",
			field: "channel", typ: jen.Int(),
			init:   func(core string) jen.Code { return jen.Id(core).Dot("ForwardChannel").Call() },
			choose: func(_ *fn, w, _ string) jen.Code { return jen.Id(w).Dot("channel") },
		}
	case ir.Rebalance:
		return f.cursor("Rebalance", "RoundRobin", "The records go to all channels in turn, starting with a random one.")
	case ir.Rescale:
		return f.cursor("Rescale", "Rescale", "The records go to the producer's own share of the channels in turn, starting with a random one.")
	case ir.Shuffle:
		return selection{
			kind: "Shuffle", doc: "Each record goes to a random channel.",
			field: "random", typ: f.qual(selectorPath, "Random"), channels: true,
			init: func(string) jen.Code { return f.qual(selectorPath, "NewRandom").Call() },
			choose: func(_ *fn, w, _ string) jen.Code {
				return jen.Id(w).Dot("random").Dot("Channel").Call(jen.Id(w).Dot("channels"))
			},
		}
	case ir.Custom:
		return selection{
			kind: "Custom", doc: fmt.Sprintf("The channel of a record is chosen by [%s].", w.Custom), channels: true,
			choose: func(f *fn, recv, v string) jen.Code {
				return f.inRange(recv, jen.Id(w.Custom).Call(jen.Id(v), jen.Id(recv).Dot("channels")))
			},
		}
	}
	panic("emit: no code for a writer of kind " + w.Kind.String())
}

func constant(channel jen.Code) func(*fn, string, string) jen.Code {
	return func(*fn, string, string) jen.Code { return channel }
}

func (f *file) cursor(kind, method, doc string) selection {
	return selection{
		kind: kind, doc: doc,
		field: "cursor", typ: f.qual(selectorPath, "Cursor"),
		init:   func(core string) jen.Code { return jen.Id(core).Dot(method).Call() },
		choose: func(_ *fn, w, _ string) jen.Code { return jen.Id(w).Dot("cursor").Dot("Next").Call() },
	}
}

func (f *file) keyed(w *ir.Writer) selection {
	s := selection{
		kind: "Keyed", key: keyNames(w), channels: true,
		doc: fmt.Sprintf("A record goes to the channel that owns the hash of its key, %s: equal keys go to the same channel, on every machine "+
			"and in every release.", keyNames(w)),
	}
	scale := func(w string, hash jen.Code) jen.Code {
		return f.qual(selectorPath, "Scale").Call(hash, jen.Id(w).Dot("channels"))
	}
	if !needsScratch(w) {
		s.choose = func(_ *fn, recv, v string) jen.Code { return scale(recv, f.hash(keyPlace(v, w.Keys[0]))) }
		return s
	}
	s.field, s.typ = "key", jen.Index().Byte()
	s.choose = func(fn *fn, recv, v string) jen.Code {
		k := fn.local("k", "key")
		fn.block.Id(k).Op(":=").Id(recv).Dot("key").Index(jen.Empty(), jen.Lit(0))
		fn.scratchKey(k, v, w)
		fn.block.Id(recv).Dot("key").Op("=").Id(k)
		return scale(recv, f.qual(selectorPath, "HashBytes").Call(jen.Id(k)))
	}
	return s
}

// inRange generates the test that a channel chosen by somebody else exists, and returns the channel.
func (f *fn) inRange(w string, choice jen.Code) jen.Code {
	channel := f.local("channel", "lane")
	f.block.Id(channel).Op(":=").Add(choice)
	f.block.If(jen.Uint().Call(jen.Id(channel)).Op(">=").Uint().Call(jen.Id(w).Dot("channels"))).Block(
		jen.Return(jen.Id(w).Dot("core").Dot("OutOfRange").Call(jen.Id(channel))))
	return jen.Id(channel)
}

// emitFunc generates the slow way of a record.
func (f *file) emitFunc(r *ir.Record, n *recordNames) {
	fn := f.newFn()
	ctx, core, channel, v := fn.local("ctx", "done"), fn.local("core", "c"), fn.local("channel", "lane"), fn.local("v", "value")
	s, dst, err, m := fn.local("s", "ser"), fn.local("dst", "buf"), fn.local("err"), fn.local("n", "m")
	f.docs(fmt.Sprintf("%s is the way of a record that does not fit into the open block of its channel.", n.emit))
	fail := func(ret jen.Code) jen.Code { return jen.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(ret)) }
	f.out.Func().Id(n.emit).Params(
		jen.Id(ctx).Add(f.qual("context", "Context")), jen.Id(core).Op("*").Add(f.qual(writerPath, "Core")),
		jen.Id(channel).Int(), jen.Id(v).Op("*").Id(r.Name),
	).Error().Block(
		jen.Var().Id(s).Id(n.Serializer),
		jen.List(jen.Id(dst), jen.Id(err)).Op(":=").Id(core).Dot("Room").Call(
			jen.Id(ctx), jen.Id(channel), jen.Id(s).Dot("Size").Call(jen.Id(v))),
		fail(jen.Id(err)),
		jen.List(jen.Id(m), jen.Id(err)).Op(":=").Id(s).Dot("Put").Call(jen.Id(dst), jen.Id(v)),
		fail(jen.Id(core).Dot("Undo").Call(jen.Id(channel), jen.Id(err))),
		jen.Return(jen.Id(core).Dot("Place").Call(jen.Id(channel), jen.Id(m))),
	)
	f.out.Line()
}

// writer generates one writer whose selection is known.
func (f *file) writer(r *ir.Record, n *recordNames, wn names.Writer, s selection) {
	f.writerType(r, wn, s)
	f.writerConstructor(r, n, wn, s)
	f.emitMethod(r, n, wn.Writer, s)
	f.writerMethods(wn.Writer)
}

func (f *file) writerType(r *ir.Record, wn names.Writer, s selection) {
	f.docs(fmt.Sprintf("%s writes %s records. %s All methods but Stats are for one goroutine at a time. A writer must be closed.",
		wn.Writer, r.Name, s.doc))
	f.out.Type().Id(wn.Writer).StructFunc(func(g *jen.Group) {
		g.Id("core").Op("*").Add(f.qual(writerPath, "Core"))
		if s.channels {
			g.Id("channels").Int()
		}
		if s.field != "" {
			g.Id(s.field).Add(s.typ)
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
		f.newCore(r, n, core, err, out, opts, f.qual(selectorPath, "Kind"+s.kind), s.key),
		jen.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Id(err))),
		jen.Return(jen.Op("&").Id(wn.Writer).ValuesFunc(func(g *jen.Group) {
			g.Id("core").Op(":").Id(core)
			if s.channels {
				g.Id("channels").Op(":").Id(core).Dot("Channels").Call()
			}
			if s.init != nil {
				g.Id(s.field).Op(":").Add(s.init(core))
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
func (f *file) newCore(r *ir.Record, n *recordNames, core, err, out, opts string, kind jen.Code, key string) jen.Code {
	spec := []jen.Code{
		jen.Id("Record").Op(":").Lit(r.Name),
		jen.Id("Schema").Op(":").Id(n.Serializer).Values().Dot("Schema").Call(),
		jen.Id("Selection").Op(":").Add(kind),
	}
	if key != "" {
		spec = append(spec, jen.Id("Key").Op(":").Lit(key))
	}
	return jen.List(jen.Id(core), jen.Id(err)).Op(":=").Add(f.qual(writerPath, "NewCore")).Call(
		jen.Id(out),
		f.qual(writerPath, "Spec").Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, spec...),
		jen.Id(opts).Op("..."),
	)
}

// emitMethod generates Emit: the fast way of a record, straight into the open block of its channel.
func (f *file) emitMethod(r *ir.Record, n *recordNames, typ string, s selection) {
	fn := f.newFn()
	w, ctx, v := fn.local("w", "self"), fn.local("ctx", "done"), fn.local("v", "value")
	f.docs(fmt.Sprintf("Emit writes v, which is the caller's again when Emit returns. It waits for memory and for a full channel until ctx is "+
		"done. The error is nil if and only if v was accepted; only an error that is [%s.ErrConsumerGone] or ErrCanceled may also come with an accepted record, which then nobody may read.",
		f.declaredName(writerPath)))
	f.out.Func().Params(jen.Id(w).Op("*").Id(typ)).Id("Emit").
		Params(jen.Id(ctx).Add(f.qual("context", "Context")), jen.Id(v).Op("*").Id(r.Name)).Error().
		BlockFunc(fn.body(func() {
			channel := s.choose(fn, w, v)
			if st, ok := channel.(*jen.Statement); ok && len(*st) > 1 {
				name := fn.local("channel", "lane")
				fn.block.Id(name).Op(":=").Add(channel)
				channel = jen.Id(name)
			}
			b, dst, ok, m, err := fn.local("b", "builder"), fn.local("dst", "buf"), fn.local("ok"), fn.local("n", "m"), fn.local("err")
			core := func() *jen.Statement { return jen.Id(w).Dot("core") }
			fn.block.Id(b).Op(":=").Add(core().Dot("Builder").Call(channel))
			fn.block.If(jen.List(jen.Id(dst), jen.Id(ok)).Op(":=").Id(b).Dot("Tail").Call(), jen.Id(ok)).Block(
				jen.If(
					jen.List(jen.Id(m), jen.Id(err)).Op(":=").Parens(jen.Id(n.Serializer).Values()).Dot("Put").Call(jen.Id(dst), jen.Id(v)),
					jen.Id(err).Op("==").Nil(),
				).Block(
					jen.If(jen.Id(b).Dot("Commit").Call(jen.Id(m))).Block(jen.Return(jen.Nil())),
					jen.Return(core().Dot("Announce").Call(channel)),
				),
			)
			fn.block.Return(jen.Id(n.emit).Call(jen.Id(ctx), core(), channel, jen.Id(v)))
		}))
	f.out.Line()
}

// writerMethods generates the methods that hand over to the core.
func (f *file) writerMethods(typ string) {
	fn := f.newFn()
	w := fn.local("w", "self")
	f.docs("Flush makes everything written so far readable. It never waits.")
	f.out.Func().Params(jen.Id(w).Op("*").Id(typ)).Id("Flush").Params().Error().
		Block(jen.Return(jen.Id(w).Dot("core").Dot("Flush").Call()))
	f.out.Line()
	f.closeMethods(typ, "w", closing{
		close: "Close ends the stream: readers get everything written, then the end. It never waits. Further calls return the same.",
		closeWithError: "CloseWithError ends the stream with a cause: readers get everything written, then an error with cause. A nil cause is " +
			"Close. Only the first call of either has an effect.",
		stats:     "Stats returns the writer's counters. Any goroutine may call it.",
		statsType: f.qual(metricsPath, "Writer"),
	})
}

// generalWriter generates the writer whose selector is an option.
func (f *file) generalWriter(r *ir.Record, n *recordNames) {
	selectorType := f.qual(selectorPath, "Selector").Types(jen.Id(r.Name))
	s := selection{
		doc: fmt.Sprintf("The channel of a record is chosen by the selector that [%s.WithSelector] sets; without one, the records go to all "+
			"channels in turn.", f.declaredName(writerPath)),
		field: "selector", typ: selectorType, channels: true,
		choose: func(f *fn, w, v string) jen.Code {
			return f.inRange(w, jen.Id(w).Dot("selector").Dot("Select").Call(jen.Id(v), jen.Id(w).Dot("channels")))
		},
	}
	f.writerType(r, n.Writer, s)
	f.generalConstructor(r, n)
	f.emitMethod(r, n, n.Writer.Writer, s)
	f.writerMethods(n.Writer.Writer)
}

func (f *file) generalConstructor(r *ir.Record, n *recordNames) {
	fn := f.newFn()
	out, opts, core, err, sel := fn.local("out", "output"), fn.local("opts", "options"), fn.local("core"), fn.local("err"), fn.local("sel", "chosen")
	f.docs(fmt.Sprintf("%s makes the caller the writer of out. The error is [%s.ErrInUse] if out has a writer, and tells of a schema or a "+
		"selection that does not fit.", n.NewWriter, f.declaredName(writerPath)))
	fail := func() jen.Code { return jen.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Id(err))) }
	f.constructor(r, n.Writer, out, opts).Block(
		jen.List(jen.Id(sel), jen.Id(err)).Op(":=").Add(f.qual(writerPath, "SelectorOf")).Types(jen.Id(r.Name)).Call(jen.Id(opts).Op("...")),
		fail(),
		jen.If(
			jen.Id(err).Op("=").Id(sel).Dot("Setup").Call(jen.Id(out).Dot("Topology").Call()),
			jen.Id(err).Op("!=").Nil(),
		).Block(jen.Return(jen.Nil(), jen.Id(err))),
		f.newCore(r, n, core, err, out, opts, jen.Id(sel).Dot("Kind").Call(), ""),
		fail(),
		jen.Return(jen.Op("&").Id(n.Writer.Writer).Values(
			jen.Id("core").Op(":").Id(core),
			jen.Id("channels").Op(":").Id(core).Dot("Channels").Call(),
			jen.Id("selector").Op(":").Id(sel),
		), jen.Nil()),
	)
	f.out.Line()
}
