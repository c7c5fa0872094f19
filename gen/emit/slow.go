package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// The functions that all writers of a record share: the ways of a record that does not fit into the open block of its channel, and the one into all
// channels. They have the record's size computed, ask the core for room, and put the record there.

// slow is one of these functions while it is generated.
type slow struct {
	*fn
	r                     *ir.Record
	core, channel, v      string
	s, dst, ok, size, err string
}

func (f *file) newSlow(r *ir.Record) slow {
	fn := f.newFn()
	return slow{
		fn: fn, r: r, core: fn.local("core", "c"), channel: fn.local("channel", "lane"), v: fn.local("v", "value"),
		s: fn.local("s", "ser"), dst: fn.local("dst", "buf"), ok: fn.local("ok"), size: fn.local("n", "m"), err: fn.local("err"),
	}
}

// ask returns a call of a method of the core that takes the size of the record last.
func (s slow) ask(method string, args ...jen.Code) *jen.Statement {
	return jen.Id(s.core).Dot(method).Call(append(args, jen.Id(s.s).Dot("Size").Call(jen.Id(s.v)))...)
}

// put returns the assignment of what Put returns.
func (s slow) put() jen.Code {
	put := jen.List(jen.Id(s.size), jen.Id(s.err)).Op(":=").Id(s.s).Dot("Put").Call(jen.Id(s.dst), jen.Id(s.v))
	if s.deepInMaps(s.r.Type) {
		put.Line().Add(s.sayDepth(s.err))
	}
	return put
}

// sayDepth returns the statement that makes ErrShort the reason for it, where Put had the room that Size has asked for: there is a value that is nested too deeply, which Size came to
// earlier than Put.
func (f *file) sayDepth(err string) jen.Code {
	return jen.If(jen.Id(err).Op("==").Add(f.wire("ErrShort"))).Block(
		jen.Id(err).Op("=").Add(f.wire("ErrDepth")).Comment("which Size has met in a map, where the order is open"))
}

// fail returns the way out with an error.
func (s slow) fail(ret ...jen.Code) jen.Code {
	return jen.If(jen.Id(s.err).Op("!=").Nil()).Block(jen.Return(ret...))
}

func (s slow) coreParam() jen.Code { return jen.Id(s.core).Op("*").Add(s.qual(writerPath, "Core")) }

// emitFunc generates the way with waiting.
func (f *file) emitFunc(r *ir.Record, n *recordNames) {
	s := f.newSlow(r)
	ctx := s.local("ctx", "done")
	f.docs(fmt.Sprintf("%s writes a record that does not fit into the open block of its channel.", n.emit))
	f.out.Func().Id(n.emit).Params(
		jen.Id(ctx).Add(f.qual("context", "Context")), s.coreParam(), jen.Id(s.channel).Int(), jen.Id(s.v).Op("*").Add(f.typ(r.Type)),
	).Error().Block(
		jen.Var().Id(s.s).Id(n.Serializer),
		jen.List(jen.Id(s.dst), jen.Id(s.err)).Op(":=").Add(s.ask("Room", jen.Id(ctx), jen.Id(s.channel))),
		s.fail(jen.Id(s.err)),
		s.put(),
		s.fail(jen.Id(s.core).Dot("Undo").Call(jen.Id(s.channel), jen.Id(s.err))),
		jen.Return(jen.Id(s.core).Dot("Place").Call(jen.Id(s.channel), jen.Id(s.size))),
	)
	f.out.Line()
}

// tryEmitFunc generates the way without waiting.
func (f *file) tryEmitFunc(r *ir.Record, n *recordNames) {
	s := f.newSlow(r)
	none := jen.Lit(-1)
	f.docs(fmt.Sprintf("%s is %s without waiting. It returns the channel if that is full, and -1 otherwise.", n.tryEmit, n.emit))
	f.out.Func().Id(n.tryEmit).Params(
		s.coreParam(), jen.Id(s.channel).Int(), jen.Id(s.v).Op("*").Add(f.typ(r.Type)),
	).Params(jen.Int(), jen.Error()).Block(
		jen.Var().Id(s.s).Id(n.Serializer),
		jen.List(jen.Id(s.dst), jen.Id(s.ok), jen.Id(s.err)).Op(":=").Add(s.ask("TryRoom", jen.Id(s.channel))),
		s.fail(none, jen.Id(s.err)),
		jen.If(jen.Op("!").Id(s.ok)).Block(jen.Return(jen.Id(s.channel), jen.Nil())),
		s.put(),
		s.fail(none, jen.Id(s.core).Dot("Undo").Call(jen.Id(s.channel), jen.Id(s.err))),
		jen.Return(none, jen.Id(s.core).Dot("Place").Call(jen.Id(s.channel), jen.Id(s.size))),
	)
	f.out.Line()
}

// broadcastFunc generates the way into all channels.
func (f *file) broadcastFunc(r *ir.Record, n *recordNames) {
	s := f.newSlow(r)
	ctx := s.local("ctx", "done")
	f.docs(fmt.Sprintf("%s writes a record to every channel. It is encoded once.", n.broadcast))
	f.out.Func().Id(n.broadcast).Params(
		jen.Id(ctx).Add(f.qual("context", "Context")), s.coreParam(), jen.Id(s.v).Op("*").Add(f.typ(r.Type)),
	).Error().Block(
		jen.Var().Id(s.s).Id(n.Serializer),
		jen.List(jen.Id(s.dst), jen.Id(s.err)).Op(":=").Add(s.ask("RoomAll", jen.Id(ctx))),
		s.fail(jen.Id(s.err)),
		s.put(),
		s.fail(jen.Id(s.core).Dot("UndoAll").Call(jen.Id(s.err))),
		jen.Return(jen.Id(s.core).Dot("PlaceAll").Call(jen.Id(s.size))),
	)
	f.out.Line()
}
