package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// item is one thing in the bytes of a struct, in order: a byte of presence bits, a field, or a field of a nested struct that is treated
// in place.
type item struct {
	place
	size   int       // in bytes if constant, otherwise 0
	varint bool      // an integer with the tag, or of Avro
	bits   *presence // for a byte of presence bits that byte, for a pointer the byte that holds its bit
	bit    int       // for a pointer its bit
	avro   *ir.Avro  // for the format avro
}

// presence is one byte of presence bits.
type presence struct {
	index  int     // among those of the struct
	fields []place // bools and pointers, from bit 0 on
	name   string  // of the variable
	at     trail   // of the struct
}

// isBits says that the item is a byte of presence bits.
func (it *item) isBits() bool { return it.bits != nil && it.typ == nil }

// isPointer says that the item is a pointer field.
func (it *item) isPointer() bool { return it.bits != nil && it.typ != nil }

// items lists what function part of a struct at p treats.
func (f *facts) items(part part, p place) []*item {
	var bytes []*presence
	var list []*item
	n := 0
	for fld := range p.typ.Encoded() {
		if !hasBit(fld) {
			continue
		}
		if n%8 == 0 {
			b := &presence{index: len(bytes), at: p.path}
			bytes = append(bytes, b)
			list = append(list, &item{place: place{path: p.field(fld).path}, size: 1, bits: b})
		}
		b := bytes[n/8]
		b.fields = append(b.fields, p.field(fld))
		n++
	}
	n = 0
	for fld := range p.typ.Encoded() {
		at := p.field(fld)
		switch {
		case fld.Type.Kind == ir.Bool:
			n++
		case fld.Type.Kind == ir.Pointer:
			list = append(list, &item{place: at, bits: bytes[n/8], bit: n % 8})
			n++
		case f.isEmpty(fld.Type):
		case fld.Type.Kind == ir.Struct && f.inlined(part, fld.Type):
			list = append(list, f.items(part, at)...)
		default:
			it := &item{place: at, varint: fld.Varint}
			if f.inPlace(fld.Type) && !fld.Varint {
				it.size, _ = f.fieldSize(fld)
			}
			list = append(list, it)
		}
	}
	return list
}

// runs calls fixed for each run of consecutive items of constant size, with their size together, and other for the items between.
func runs(list []*item, fixed func(run []*item, size int), other func(*item)) {
	for len(list) > 0 {
		n, size := 0, 0
		for n < len(list) && list[n].size > 0 {
			size += list[n].size
			n++
		}
		if n > 0 {
			fixed(list[:n], size)
			list = list[n:]
			continue
		}
		other(list[0])
		list = list[1:]
	}
}

// putStruct writes the fields of a struct.
func (f *fn) putStruct(p place) {
	runs(f.items(putPart, p), func(run []*item, size int) {
		f.block.If(f.fewer(size)).BlockFunc(f.short)
		if f.index != "" && len(run) > 1 {
			defer f.runOf(size)()
		}
		for _, it := range run {
			f.putFixedItem(it)
		}
	}, func(it *item) {
		if it.fld != nil {
			f.putBounds(it.place)
		}
		switch {
		case it.isPointer():
			f.putPointee(it.place)
		case it.varint:
			f.putVarint(it.place)
		default:
			f.putValue(it.place)
		}
	})
}

func (f *fn) putFixedItem(it *item) {
	if it.isBits() {
		f.putBits(it.bits)
		f.offset++
		return
	}
	f.putFixed(it.place)
}

// putBits writes one byte of presence bits.
func (f *fn) putBits(b *presence) {
	bits := f.bitsName(b)
	f.block.Var().Id(bits).Byte()
	for i, p := range b.fields {
		cond := jen.Id(p.value())
		if p.typ.Kind == ir.Pointer {
			cond.Op("!=").Nil()
		}
		f.block.If(cond).Block(jen.Id(bits).Op("|=").Id(mask(i)))
	}
	f.block.Add(f.byteAt(0)).Op("=").Id(bits)
}

func mask(bit int) string { return fmt.Sprintf("0x%02x", 1<<bit) }

// consumeStruct reads the fields of a struct. If it has to copy its strings itself, and there is more than one, they are copied together.
func (f *fn) consumeStruct(p place) {
	list := f.items(consumePart, p)
	wait := 0 // strings that are not read yet, if they are copied together
	if f.copies == "" {
		for _, it := range list {
			if it.isCopied() {
				wait++
			}
		}
	}
	if wait == 1 {
		wait = 0
	}
	together := wait > 0
	var texts []text
	runs(list, func(run []*item, size int) {
		f.block.If(f.fewer(size)).BlockFunc(f.fail(run[0].path, 0, f.wire("ErrTruncated")))
		if f.index != "" && len(run) > 1 {
			defer f.runOf(size)()
		}
		for _, it := range run {
			f.consumeFixedItem(it)
		}
	}, func(it *item) {
		switch {
		case it.isPointer():
			f.consumePointee(it.place, it.bits.name, it.bit)
		case it.varint:
			f.consumeVarint(it.place)
		case together && it.isCopied():
			texts = append(texts, text{it.place, f.consumeSpan(it.place)})
			if wait--; wait == 0 && stretch(list) {
				if it == list[len(list)-1] {
					f.checkEnd(p)
				}
				f.copyStretch(texts)
				texts = nil
			}
		default:
			f.consumeValue(it.place)
		}
	})
	if len(texts) > 0 {
		f.checkEnd(p)
	}
	f.copyText(texts)
}

// checkEnd has the size of the record checked when p, the record itself, has been read but for the copies of its strings.
func (f *fn) checkEnd(p place) {
	if f.atEnd != nil && len(p.path) == 0 {
		f.atEnd()
		f.atEnd = nil
	}
}

func (f *fn) consumeFixedItem(it *item) {
	if it.isBits() {
		f.consumeBits(it.bits)
		f.offset++
		return
	}
	f.consumeFixed(it.place)
}

// bitsName allocates the variable of a byte of presence bits.
func (f *fn) bitsName(b *presence) string {
	return f.local("bits", localName(place{path: b.at}, "more")+"Bits")
}

// consumeBits reads one byte of presence bits and sets the bools.
func (f *fn) consumeBits(b *presence) {
	b.name = f.bitsName(b)
	f.block.Id(b.name).Op(":=").Add(f.byteAt(0))
	if n := len(b.fields); n < 8 {
		// It is an error of the struct, not of a field.
		err := jen.Op("&").Add(f.wire("PresenceError")).Values(jen.Id("Bits").Op(":").Id(b.name), jen.Id("Fields").Op(":").Lit(n))
		f.block.If(jen.Id(b.name).Op(">").Id(fmt.Sprintf("0x%02x", 1<<n-1))).BlockFunc(f.failWhole(b.at, -b.index, err))
	}
	for i, p := range b.fields {
		if p.typ.Kind == ir.Bool {
			f.block.Id(p.value()).Op("=").Id(b.name).Op("&").Id(mask(i)).Op("!=").Lit(0)
		}
	}
}
