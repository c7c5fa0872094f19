package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// selection is how a generated writer chooses the channel of a record.
type selection struct {
	kind string // constant of package selector, without "Kind"
	key  string // for the specification of the writer
	hash string // constant of package selector; "" for the default
	// function is the name of the user's function that selects, for errors; "" if there is none.
	function string
	doc      string // what becomes of a record: "Each record goes to …"
	fields   []writerField
	// channels says that the choice needs the number of channels.
	channels bool
	// channel returns the expression of the channel of a record. If it is nil, the choice is too much for an expression and gets a method of the writer.
	channel func(w, v string) *jen.Statement
	// method generates the body of that method, which returns the channel. named is the name of its result, and "" unless byUser is set.
	method func(f *fn, w, v, named string)
	// constant says that the channel is the same for all records.
	constant bool
	// times is what the writer makes of the event times of its records; nil: nothing.
	times *ir.EventTime
	// byUser says that the method calls a user's function: its panics become errors, and the channel may be one that does not exist.
	byUser bool
	// bySelector says that the selection is an option of the user.
	bySelector bool
}

// writerField is a field of a writer that the choice needs besides the core.
type writerField struct {
	name string
	typ  jen.Code
	init func(core string) jen.Code // its value when the writer is made; nil for the zero value
}

// fromCore returns a field that holds what a method of the core returns.
func fromCore(name string, typ jen.Code, method string) writerField {
	return writerField{name, typ, func(core string) jen.Code { return jen.Id(core).Dot(method).Call() }}
}

// selection returns how a writer asked for chooses.
func (f *file) selection(r *ir.Record, w *ir.Writer) selection {
	switch w.Kind {
	case ir.Keyed:
		return f.keyed(w)
	case ir.Broadcast:
		return selection{kind: "Broadcast", doc: "Each record goes to every channel.", constant: true, channel: first}
	case ir.Global:
		return selection{kind: "Global", doc: "Each record goes to channel 0.", constant: true, channel: first}
	case ir.Forward:
		return selection{
			kind: "Forward", doc: "Each record goes to the channel with the index of the producer; there must be as many producers as consumers.",
			fields:   []writerField{fromCore("channel", jen.Int(), "ForwardChannel")},
			constant: true,
			channel:  func(w, _ string) *jen.Statement { return jen.Id(w).Dot("channel") },
		}
	case ir.Rebalance:
		return f.cursor("Rebalance", "RoundRobin", "The records go to all channels in turn, starting with a random one.")
	case ir.Rescale:
		return f.cursor("Rescale", "Rescale", "The records go to the producer's own share of the channels in turn, starting with a random one.")
	case ir.Shuffle:
		return selection{
			kind: "Shuffle", doc: "Each record goes to a random channel.", channels: true,
			fields: []writerField{fromCore("random", f.qual(selectorPath, "Random"), "Random")},
			channel: func(w, _ string) *jen.Statement {
				return jen.Id(w).Dot("random").Dot("Channel").Call(jen.Id(w).Dot("channels"))
			},
		}
	case ir.Load:
		return selection{
			kind: "Load", doc: "Two channels are drawn for each record, which goes to the one with less data in front of its reader.", channels: true,
			fields: []writerField{f.choices()},
			method: func(f *fn, w, _, _ string) {
				f.chooseOf(w, jen.Id(w).Dot("choices").Dot("Draw").Call(jen.Id(w).Dot("channels")))
			},
		}
	case ir.Custom:
		return f.custom(w)
	}
	panic("emit: no code for a writer of kind " + w.Kind.String())
}

// first is the choice of the first channel.
func first(string, string) *jen.Statement { return jen.Lit(0) }

func (f *file) cursor(kind, method, doc string) selection {
	return selection{
		kind: kind, doc: doc,
		fields:  []writerField{fromCore("cursor", f.qual(selectorPath, "Cursor"), method)},
		channel: func(w, _ string) *jen.Statement { return jen.Id(w).Dot("cursor").Dot("Next").Call() },
	}
}

// choices returns the field of writers that choose by load.
func (f *file) choices() writerField {
	return fromCore("choices", f.qual(selectorPath, "TwoChoices"), "TwoChoices")
}

// chooseOf generates the choice by load between two channels, which the expression two returns.
func (f *fn) chooseOf(w string, two jen.Code) {
	a, b := f.local("a", "one"), f.local("b", "other")
	backlog := func(channel string) jen.Code { return jen.Id(w).Dot("core").Dot("Backlog").Call(jen.Id(channel)) }
	f.block.List(jen.Id(a), jen.Id(b)).Op(":=").Add(two)
	f.block.Return(jen.Id(w).Dot("choices").Dot("Choose").Call(jen.Id(a), jen.Id(b), backlog(a), backlog(b)))
}

// custom is the choice by a function of the user.
func (f *file) custom(w *ir.Writer) selection {
	return selection{
		kind: "Custom", function: w.Custom, doc: fmt.Sprintf("The channel of a record is chosen by [%s].", w.Custom),
		channels: true, byUser: true,
		method: func(f *fn, recv, v, channel string) {
			choice := jen.Id(w.Custom).Call(jen.Id(v), jen.Id(recv).Dot("channels"))
			if !w.Fails {
				f.block.Return(choice)
				return
			}
			err := f.local("err")
			f.block.List(jen.Id(channel), jen.Id(err)).Op(":=").Add(choice)
			f.block.If(jen.Id(err).Op("!=").Nil()).Block(
				jen.Return(jen.Id(recv).Dot("core").Dot("Failed").Call(jen.Id(err))))
			f.block.Return(jen.Id(channel))
		},
	}
}

// bySelector is the choice of the general writer.
func (f *file) bySelector(r *ir.Record) selection {
	return selection{
		doc: fmt.Sprintf("The channel of a record is chosen by the selector that [%s.WithSelector] sets; without one, the records go to all "+
			"channels in turn.", f.declaredName(writerPath)),
		fields:   []writerField{{"selector", f.qual(selectorPath, "Selector").Types(f.typ(r.Type)), nil}},
		channels: true, byUser: true, bySelector: true,
		method: func(f *fn, w, v, _ string) {
			f.block.Return(jen.Id(w).Dot("selector").Dot("Select").Call(jen.Id(v), jen.Id(w).Dot("channels")))
		},
	}
}

// chooseMethod generates the method that chooses the channel, if the selection needs one.
func (f *file) chooseMethod(r *ir.Record, typ string, s selection) {
	if s.channel != nil {
		return
	}
	fn := f.newFn()
	w, v := fn.local("w", "self"), fn.local("v", "value")
	result, named := jen.Int(), ""
	if s.byUser {
		named = fn.local("channel", "lane")
		result = jen.Id(named).Int()
	}
	doc, param := "choose returns the channel of v.", jen.Id(v)
	switch {
	case s.byUser:
		doc += " It is -1 if the user's function failed; OutOfRange of the core then says how."
	case s.kind == "Load":
		doc, param = "choose returns the channel of the next record, whatever it holds.", jen.Id("_")
	}
	f.docs(doc)
	f.out.Func().Params(jen.Id(w).Op("*").Id(typ)).Id("choose").Params(param.Op("*").Add(f.typ(r.Type))).Params(result).
		BlockFunc(fn.body(func() {
			if s.byUser {
				fn.block.Defer().Id(w).Dot("core").Dot("CatchPanic").Call(jen.Op("&").Id(named))
			}
			s.method(fn, w, v, named)
		}))
	f.out.Line()
}
