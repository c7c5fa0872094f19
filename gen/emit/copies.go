package emit

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Strings that are copied together. There are two ways, and which one it is depends on the record:
//
//   - all strings stand in the fields of the record, or of small structs in it: they are read as parts of src, and copied at once, when the last one was read.
//     What stands between them is copied along if that is a few bytes of constant size, and otherwise skipped, by a wire.Text;
//   - there are strings in slices, maps, unions, larger structs, or behind pointers: a wire.Copies, which all functions hand on, copies the record in stretches.

// maxGap is the number of bytes up to which what stands between strings is copied along.
const maxGap = 64

// text is a string that waits to be copied.
type text struct {
	place
	span string // variable with its bytes
}

// hasText says that reading a t copies strings.
func (f *facts) hasText(t *ir.Type) bool {
	isString := func(t *ir.Type) bool { return t != nil && t.Kind == ir.String }
	return f.reaches(f.textual, t, func(t *ir.Type) bool {
		return anyField(t, copied) || isString(t.Key) || isString(t.Elem) || slices.ContainsFunc(t.Members, isString)
	})
}

// scattered says that a record of type t has strings beside those in its own fields.
func (f *facts) scattered(t *ir.Type) bool {
	return slices.ContainsFunc(f.items(consumePart, place{expr: "v", deref: true, typ: t}), func(it *item) bool {
		return it.typ != nil && f.hasText(it.typ)
	})
}

// textFields counts the strings that are copied together if a record of type t has no others.
func (f *facts) textFields(t *ir.Type) int {
	n := 0
	for _, it := range f.items(consumePart, place{expr: "v", deref: true, typ: t}) {
		if it.isCopied() {
			n++
		}
	}
	return n
}

// usesCopies says that the method that reads a record makes a wire.Copies: for strings in several places, or for the function that it calls.
func (f *file) usesCopies(r *ir.Record) bool {
	return f.hasText(r.Type) && (f.delegates(consumePart, r) || f.scattered(r.Type))
}

// isCopied says that an item is a string that is copied.
func (it *item) isCopied() bool { return it.fld != nil && copied(it.fld) }

// stretch says that the strings in a list are copied with what stands between them.
func stretch(list []*item) bool {
	first := slices.IndexFunc(list, (*item).isCopied)
	gap, sum := 0, 0 // since the last string, and before it
	for _, it := range list[first+1:] {
		switch {
		case it.isCopied():
			gap, sum = 0, sum+gap+1
		case it.varint:
			gap += binary.MaxVarintLen64
		case it.size > 0:
			gap += it.size
		default:
			gap += maxGap + 1
		}
		if sum > maxGap {
			return false
		}
	}
	return true
}

// newCopies generates the wire.Copies of a record.
func (f *fn) newCopies() {
	f.copies = f.local("text", "allText")
	f.block.Id(f.copies).Op(":=").Add(f.wire("NewCopies").Call(jen.Id(f.buf)))
	f.copies, f.empty = "&"+f.copies, true
}

// copiesCall returns a method of the wire.Copies.
func (f *fn) copiesCall(method string) *jen.Statement {
	return jen.Id(strings.TrimPrefix(f.copies, "&")).Dot(method)
}

// copyString reads a string through the wire.Copies.
func (f *fn) copyString(p place) {
	s := f.local(localName(p, "s"), localName(p, "s")+"Text")
	if f.empty && f.block.parent == nil {
		list, op := f.temps(true, "n")
		f.block.List(jen.Id(s), jen.Id(list[0])).Op(op).Add(f.copiesCall("String").Call(f.tail(0)))
		f.checkRead(p.path, list[0])
		f.advance(list[0])
	} else {
		f.advance(f.quickRead(p, s, f.copiesCall("Quick"), f.copiesCall("String")))
	}
	f.empty = false
	f.block.Id(p.value()).Op("=").Add(f.as(p.typ, jen.Id(s), "string"))
}

// copyText copies strings that were read with consumeSpan into one allocation.
func (f *fn) copyText(list []text) {
	if len(list) == 0 {
		return
	}
	sum := jen.Len(jen.Id(list[0].span))
	for _, t := range list[1:] {
		sum.Op("+").Len(jen.Id(t.span))
	}
	all := f.local("text", "allText")
	f.block.Id(all).Op(":=").Add(f.wire("NewText").Call(sum))
	for _, t := range list {
		f.block.Id(t.value()).Op("=").Add(f.as(t.typ, jen.Id(all).Dot("Take").Call(jen.Id(t.span)), "string"))
	}
}

// copyStretch copies src from the first to the last of some strings, which ends at the position, and takes them out of that. The capacity of a part of src tells where it begins.
func (f *fn) copyStretch(list []text) {
	first, last := list[0].span, list[len(list)-1].span
	all := f.local("text", "allText")
	f.block.Id(all).Op(":=").String().Call(jen.Id(f.buf + "[cap(" + f.buf + ")-cap(" + first + "):" + f.at(0) + "]"))
	for _, t := range list {
		part := all + "[cap(" + first + ")-cap(" + t.span + "):][:len(" + t.span + ")]"
		switch t.span {
		case first:
			part = all + "[:len(" + first + ")]"
		case last:
			part = all + "[len(" + all + ")-len(" + last + "):]"
		}
		f.block.Id(t.value()).Op("=").Add(f.as(t.typ, jen.Id(part), "string"))
	}
}
