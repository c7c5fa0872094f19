package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// emitMethods generates the methods that write records: straight into the open block of their channel if they fit, which is the fast way, else by the
// functions that all writers of the record share.
func (f *file) emitMethods(r *ir.Record, n *recordNames, typ string, s selection) {
	f.emitMethod(r, n, typ, s)
	f.emitBatchMethod(r, n, typ, s)
	f.tryEmitMethod(r, n, typ, s)
	f.broadcastMethod(r, n, typ, s)
	if s.times != nil {
		f.observeMethod(r, typ, s.times)
	}
}

// fast is one of these methods while it is generated.
type fast struct {
	*fn
	s       selection
	r       *ir.Record
	n       *recordNames
	w, v    string
	err     string                        // variable of an error, if the method has one that may be used again
	channel jen.Code                      // expression of the channel, and
	builder string                        // variable of its builder, once it is chosen
	failed  func(err jen.Code) []jen.Code // what the method returns with an error
}

func (f *file) newFast(r *ir.Record, n *recordNames, s selection) *fast {
	fn := f.newFn()
	return &fast{fn: fn, s: s, r: r, n: n, w: fn.local("w", "self"), v: fn.local("v", "value")}
}

// method generates the head of the method.
func (m *fast) method(typ, name string, params ...jen.Code) *jen.Statement {
	return m.out.Func().Params(jen.Id(m.w).Op("*").Id(typ)).Id(name).Params(params...)
}

func (m *fast) core() *jen.Statement { return jen.Id(m.w).Dot("core") }

// choose generates the choice of the channel.
func (m *fast) choose() {
	var choice *jen.Statement
	if m.s.channel != nil {
		choice = m.s.channel(m.w, m.v)
	} else {
		choice = jen.Id(m.w).Dot("choose").Call(jen.Id(m.v))
	}
	m.channel = choice
	if len(*choice) > 1 { // no literal
		name := m.local("channel", "lane")
		m.block.Id(name).Op(":=").Add(choice)
		m.channel = jen.Id(name)
	}
	if m.s.byUser {
		m.block.If(jen.Uint().Call(m.channel).Op(">=").Uint().Call(jen.Id(m.w).Dot("channels"))).Block(
			jen.Return(m.failed(m.core().Dot("OutOfRange").Call(m.channel))...))
	}
	m.builder = m.local("b", "builder")
	m.block.Id(m.builder).Op(":=").Add(m.core().Dot("Builder").Call(m.channel))
}

// put generates the fast way. The builder's method complete, or its form for records of a fixed size, completes the record; written returns what follows, given
// the call.
func (m *fast) put(complete string, written func(completed jen.Code) []jen.Code) {
	if size, ok := m.recordFixed(m.r); ok {
		m.putSized(size, complete+"Fixed", written)
		return
	}
	dst, ok, size := m.local("dst", "buf"), m.local("ok"), m.local("n", "m")
	err := m.err
	if err == "" {
		err = m.local("err", "putErr")
	}
	put := jen.List(jen.Id(size), jen.Id(err)).Op(":=").Add(m.callPut(jen.Id(dst)))
	accepted := written(jen.Id(m.builder).Dot(complete).Call(jen.Id(size)))
	m.block.If(jen.List(jen.Id(dst), jen.Id(ok)).Op(":=").Id(m.builder).Dot("Tail").Call(), jen.Id(ok)).BlockFunc(func(g *jen.Group) {
		if !m.recordRejects(m.r) {
			g.If(put, jen.Id(err).Op("==").Nil()).Block(accepted...)
			return
		}
		g.Add(put)
		g.If(jen.Id(err).Op("==").Nil()).Block(accepted...)
		// No room will do, so none is waited for.
		g.If(jen.Id(err).Op("!=").Add(m.wire("ErrShort"))).Block(
			jen.Return(m.failed(m.core().Dot("Undo").Call(m.channel, jen.Id(err)))...))
	})
}

// putSized is put for a record of a fixed size. The frame is compared with that size, not with nil: this tells the compiler how long it is, which makes the checks
// within Put disappear where Put is inlined.
func (m *fast) putSized(size int, complete string, written func(completed jen.Code) []jen.Code) {
	frame := m.local("frame", "room")
	header := func() *jen.Statement { return m.qual(bufferPath, "FrameHeader") }
	m.block.If(
		jen.Id(frame).Op(":=").Id(m.builder).Dot("Fixed").Call(jen.Lit(size)),
		jen.Len(jen.Id(frame)).Op("==").Add(header()).Op("+").Lit(size),
	).BlockFunc(func(g *jen.Group) {
		g.List(jen.Id("_"), jen.Id("_")).Op("=").Add(m.callPut(jen.Id(frame).Index(header().Op(":")))).
			Comment("cannot fail: there is room")
		for _, statement := range written(jen.Id(m.builder).Dot(complete).Call(jen.Lit(size))) {
			g.Add(statement)
		}
	})
}

// callPut returns the call of the serializer that writes the record to dst.
func (m *fast) callPut(dst jen.Code) *jen.Statement {
	return jen.Parens(jen.Id(m.n.Serializer).Values()).Dot("Put").Call(dst, jen.Id(m.v))
}

// committed returns what follows the call that commits a record: first come before the error in what the method returns.
func (m *fast) committed(first ...jen.Code) func(completed jen.Code) []jen.Code {
	ret := func(err jen.Code) jen.Code { return jen.Return(append(first[:len(first):len(first)], err)...) }
	return func(completed jen.Code) []jen.Code {
		announce := m.core().Dot("Announce").Call(m.channel)
		if m.s.times == nil {
			return []jen.Code{jen.If(completed).Block(ret(jen.Nil())), ret(announce)}
		}
		return append([]jen.Code{jen.If(jen.Op("!").Add(completed)).Block(ret(m.seen(announce)))}, m.observe(m.s.times, m.w, m.v, ret)...)
	}
}

// seen returns the expression of the error of writing the record in a slow way; for a writer with event times it is looked at afterwards.
func (m *fast) seen(err jen.Code) jen.Code {
	if m.s.times == nil {
		return err
	}
	return jen.Id(m.w).Dot("observe").Call(jen.Id(m.v), err)
}

// emitDoc returns the doc comment of Emit, with the errors that the record and the selection make possible.
func (f *file) emitDoc(r *ir.Record, n *recordNames, s selection) string {
	writer := f.declaredName(writerPath)
	doc := fmt.Sprintf("Emit writes v, which is the caller's again when Emit returns. It waits for memory and for a full channel until ctx is done. A nil error means that v was accepted. "+
		"Any other error means that it was not, except [%s.ErrConsumerGone] and [%[1]s.ErrCanceled], after which it may have been, and nobody may read it. The others are ctx's error, "+
		"[%[1]s.ErrClosed], a [*%[1]s.RecordTooLargeError]", writer)
	if s.byUser {
		doc += fmt.Sprintf(", a [*%s.SelectorError], [%[1]s.ErrChannel]", writer)
	}
	if f.recordRejects(r) {
		doc += fmt.Sprintf(", and those of [%s.Put] for what cannot be written", n.Serializer)
	}
	if k := strings.LastIndex(doc, ", "); !strings.HasPrefix(doc[k:], ", and") {
		doc = doc[:k] + ", and " + doc[k+2:]
	}
	return doc + "."
}

func (f *file) emitMethod(r *ir.Record, n *recordNames, typ string, s selection) {
	m := f.newFast(r, n, s)
	ctx := m.local("ctx", "done")
	m.failed = func(err jen.Code) []jen.Code { return []jen.Code{err} }
	f.docs(f.emitDoc(r, n, s))
	m.method(typ, "Emit", jen.Id(ctx).Add(f.qual("context", "Context")), jen.Id(m.v).Op("*").Add(f.typ(r.Type))).Error().BlockFunc(m.body(func() {
		m.choose()
		m.put("Commit", m.committed())
		m.block.Return(m.seen(jen.Id(n.emit).Call(jen.Id(ctx), m.core(), m.channel, jen.Id(m.v))))
	}))
	f.out.Line()
}

func (f *file) emitBatchMethod(r *ir.Record, n *recordNames, typ string, s selection) {
	m := f.newFast(r, n, s)
	ctx, batch, i := m.local("ctx", "done"), m.local("batch", "records"), m.local("i", "index")
	m.err = m.local("err")
	end := func(accepted, err jen.Code) jen.Code { return m.core().Dot("EndBatch").Call(accepted, err) }
	m.failed = func(err jen.Code) []jen.Code { return []jen.Code{end(jen.Id(i), err)} }
	name := "EmitBatch"
	f.docs("EmitBatch writes the records of batch one after the other like Emit, but tells their readers only at the end, or when it has to " +
		"wait. It returns how many were accepted: all of them, or those before the one that the error is about. " +
		fmt.Sprintf("An error that comes with all of them is [%s.ErrConsumerGone] or [%[1]s.ErrCanceled], found when their readers were told.", f.declaredName(writerPath)))
	if s.times != nil {
		name = "emitBatch"
		f.observeBatchMethod(r, typ, name, s.times)
		f.docs(name + " is EmitBatch without the event times.")
	}
	m.method(typ, name, jen.Id(ctx).Add(f.qual("context", "Context")), jen.Id(batch).Index().Add(f.typ(r.Type))).
		Params(jen.Int(), jen.Error()).BlockFunc(m.body(func() {
		if f.recordUserCode(r) {
			m.block.Defer().Add(m.core()).Dot("Settle").Call().Comment("a method of the user may panic")
		}
		if s.constant {
			m.choose()
		}
		m.block.For(jen.Id(i).Op(":=").Range().Id(batch)).BlockFunc(m.nested(func() {
			m.block.Id(m.v).Op(":=").Op("&").Id(batch).Index(jen.Id(i))
			if !s.constant {
				m.choose()
			}
			m.put("Append", func(completed jen.Code) []jen.Code {
				return []jen.Code{
					jen.If(completed).Block(m.core().Dot("Touch").Call(m.channel)),
					jen.Continue(),
				}
			})
			m.block.If(
				jen.Id(m.err).Op(":=").Id(n.emit).Call(jen.Id(ctx), m.core(), m.channel, jen.Id(m.v)),
				jen.Id(m.err).Op("!=").Nil(),
			).Block(jen.Return(end(jen.Id(i), jen.Id(m.err))))
		}))
		m.block.Return(end(jen.Len(jen.Id(batch)), jen.Nil()))
	}))
	f.out.Line()
}

func (f *file) tryEmitMethod(r *ir.Record, n *recordNames, typ string, s selection) {
	m := f.newFast(r, n, s)
	full, result := m.local("full"), m.local("err")
	none := jen.Lit(-1)
	m.failed = func(err jen.Code) []jen.Code { return []jen.Code{none, err} }
	f.docs("TryEmit is Emit without waiting. It returns -1 if v was written or there is an error, and otherwise the channel that has no room " +
		"for it, to be passed to Ready; then nothing of v was written. Another call chooses a channel again.")
	m.method(typ, "TryEmit", jen.Id(m.v).Op("*").Add(f.typ(r.Type))).
		Params(jen.Id(full).Int(), jen.Id(result).Error()).BlockFunc(m.body(func() {
		m.choose()
		m.put("Commit", m.committed(none))
		slow := jen.Id(n.tryEmit).Call(m.core(), m.channel, jen.Id(m.v))
		if s.times == nil {
			m.block.Return(slow)
			return
		}
		m.block.If(
			jen.List(jen.Id(full), jen.Id(result)).Op("=").Add(slow),
			jen.Id(full).Op(">=").Lit(0),
		).Block(jen.Return(jen.Id(full), jen.Nil()))
		m.block.Return(none, m.seen(jen.Id(result)))
	}))
	f.out.Line()
}

func (f *file) broadcastMethod(r *ir.Record, n *recordNames, typ string, s selection) {
	m := f.newFast(r, n, s)
	ctx := m.local("ctx", "done")
	call := m.seen(jen.Id(n.broadcast).Call(jen.Id(ctx), m.core(), jen.Id(m.v)))
	if s.kind == "Broadcast" {
		f.docs("Broadcast is Emit: this writer writes every record to every channel.")
		call = jen.Id(m.w).Dot("Emit").Call(jen.Id(ctx), jen.Id(m.v))
	} else {
		f.docs(fmt.Sprintf("Broadcast writes v to every channel, whatever the selection. It waits like Emit. With an error no channel received v, unless "+
			"it is [%s.ErrConsumerGone] or [%[1]s.ErrCanceled]: then all did that are still read.", f.declaredName(writerPath)))
	}
	m.method(typ, "Broadcast", jen.Id(ctx).Add(f.qual("context", "Context")), jen.Id(m.v).Op("*").Add(f.typ(r.Type))).Error().Block(jen.Return(call))
	f.out.Line()
}
