package emit

import (
	"fmt"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Event times: after each record that was accepted, a generator of watermarks sees its time, and when that says so the core is told a watermark. Writers without
// event times have nothing of this.

// timed adds what a writer makes of event times to its selection.
func (f *file) timed(s selection, e *ir.EventTime) selection {
	if e == nil {
		return s
	}
	s.times = e
	how := ""
	switch e.Watermark {
	case ir.Monotonic:
		s.fields = append(s.fields, writerField{"times", f.qual(eventtimePath, "Monotonic"), nil})
		how = "which must not go back from one record to the next"
	case ir.Bounded:
		s.fields = append(s.fields, writerField{"times", f.qual(eventtimePath, "Bounded"), func(string) jen.Code {
			return f.qual(eventtimePath, "NewBounded").Call(f.duration(e.Bound))
		}})
		how = fmt.Sprintf("which may go back by %v", e.Bound)
	case ir.Punctuated:
		how = fmt.Sprintf("at the records that [%s] points out: none follows that is as old or older", e.Func)
	}
	s.doc += fmt.Sprintf(" Watermarks follow from the event times in %s, %s.", e.Field, how)
	return s
}

// duration returns the expression of d in the largest unit that it is a multiple of.
func (f *file) duration(d time.Duration) jen.Code {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second}, {"Millisecond", time.Millisecond}} {
		if d >= unit.size && d%unit.size == 0 {
			return jen.Lit(int(d / unit.size)).Op("*").Add(f.qual("time", unit.name))
		}
	}
	return jen.Lit(int(d / time.Microsecond)).Op("*").Add(f.qual("time", "Microsecond"))
}

// micros returns the expression of the event time of the record that v points to, in microseconds since the Unix epoch, rounded downwards. Times that are more than 292,000 years
// away from that have no such number, and give any.
func (f *file) micros(e *ir.EventTime, v string) *jen.Statement {
	p := keyPlace(v, e.Field)
	number := func() *jen.Statement { return jen.Add(f.convert(p, "int64")) }
	switch e.Unit {
	case ir.Seconds:
		return number().Op("*").Id("1_000_000")
	case ir.Milliseconds:
		return number().Op("*").Id("1_000")
	case ir.Microseconds:
		return number()
	case ir.Nanoseconds:
		return f.qual("time", "Unix").Call(jen.Lit(0), number()).Dot("UnixMicro").Call()
	}
	return jen.Add(f.timeOf(p)).Dot("UnixMicro").Call()
}

// tell returns a call that tells the core a watermark.
func (f *file) tell(w string, watermark jen.Code) jen.Code {
	return jen.Id(w).Dot("core").Dot("Advance").Call(watermark)
}

// observe returns statements that look at the event time of a record that was accepted, and return: ret is given the error, which is that of the core.
func (f *fn) observe(e *ir.EventTime, w, v string, ret func(err jen.Code) jen.Code) []jen.Code {
	if e.Watermark == ir.Punctuated {
		return []jen.Code{
			jen.If(jen.Id(e.Func).Call(jen.Id(v))).Block(ret(f.tell(w, f.micros(e, v)))),
			ret(jen.Nil()),
		}
	}
	watermark, due := f.local("watermark", "mark"), f.local("due")
	return []jen.Code{
		jen.If(
			jen.List(jen.Id(watermark), jen.Id(due)).Op(":=").Id(w).Dot("times").Dot("Observe").Call(f.micros(e, v)),
			jen.Id(due),
		).Block(ret(f.tell(w, jen.Id(watermark)))),
		ret(jen.Nil()),
	}
}

// observeMethod generates the method that looks at event times outside of the fast way. There the reader is told of the record, or the block is full: this is the time for a watermark.
func (f *file) observeMethod(r *ir.Record, typ string, e *ir.EventTime) {
	fn := f.newFn()
	w, v, err := fn.local("w", "self"), fn.local("v", "value"), fn.local("err")
	f.docs("observe returns err if there is one. Otherwise v was accepted, and it sends the watermark that follows from its event time.")
	f.out.Func().Params(jen.Id(w).Op("*").Id(typ)).Id("observe").Params(jen.Id(v).Op("*").Add(f.typ(r.Type)), jen.Id(err).Error()).Error().BlockFunc(fn.body(func() {
		fn.block.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Id(err)))
		if e.Watermark != ir.Punctuated {
			fn.block.Id(w).Dot("times").Dot("Hurry").Call()
		}
		for _, statement := range fn.observe(e, w, v, func(err jen.Code) jen.Code { return jen.Return(err) }) {
			fn.block.Add(statement)
		}
	}))
	f.out.Line()
}

// observeBatchMethod generates EmitBatch of a writer with event times: it calls the method of that name, and sends one watermark when what was written is readable.
func (f *file) observeBatchMethod(r *ir.Record, typ, name string, e *ir.EventTime) {
	fn := f.newFn()
	w, ctx, batch := fn.local("w", "self"), fn.local("ctx", "done"), fn.local("batch", "records")
	accepted, err, i := fn.local("accepted", "written"), fn.local("err"), fn.local("i", "index")
	join := func(watermark jen.Code) jen.Code {
		return jen.Id(err).Op("=").Add(f.qual("errors", "Join")).Call(jen.Id(err), f.tell(w, watermark))
	}
	f.out.Func().Params(jen.Id(w).Op("*").Id(typ)).Id("EmitBatch").
		Params(jen.Id(ctx).Add(f.qual("context", "Context")), jen.Id(batch).Index().Add(f.typ(r.Type))).Params(jen.Int(), jen.Error()).
		BlockFunc(fn.body(func() {
			fn.block.List(jen.Id(accepted), jen.Id(err)).Op(":=").Id(w).Dot(name).Call(jen.Id(ctx), jen.Id(batch))
			records := jen.Id(i).Op(":=").Range().Id(batch).Index(jen.Empty(), jen.Id(accepted))
			if e.Watermark != ir.Punctuated {
				fn.block.For(records).BlockFunc(fn.nested(func() {
					v := fn.local("v", "value")
					fn.block.Id(v).Op(":=").Op("&").Id(batch).Index(jen.Id(i))
					fn.block.List(jen.Id("_"), jen.Id("_")).Op("=").Id(w).Dot("times").Dot("Observe").Call(f.micros(e, v)).
						Comment("what it says follows below, once")
				}))
				fn.block.If(jen.Id(accepted).Op(">").Lit(0)).Block(join(jen.Id(w).Dot("times").Dot("Watermark").Call()))
				fn.block.Return(jen.Id(accepted), jen.Id(err))
				return
			}
			watermark, none := fn.local("watermark", "mark"), f.qual(eventtimePath, "None")
			fn.block.Id(watermark).Op(":=").Int64().Call(none)
			fn.block.For(records).BlockFunc(fn.nested(func() {
				v := fn.local("v", "value")
				fn.block.Id(v).Op(":=").Op("&").Id(batch).Index(jen.Id(i))
				fn.block.If(jen.Id(e.Func).Call(jen.Id(v))).Block(
					jen.Id(watermark).Op("=").Max(jen.Id(watermark), f.micros(e, v)))
			}))
			fn.block.If(jen.Id(watermark).Op("!=").Add(none)).Block(join(jen.Id(watermark)))
			fn.block.Return(jen.Id(accepted), jen.Id(err))
		}))
	f.out.Line()
}
