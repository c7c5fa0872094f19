package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Numbers, strings, bytes and values of constant size of the format avro, with their logical types.

// isNamed reports whether t is the type of that name.
func isNamed(t *ir.Type, pkgPath, name string) bool {
	return t.Name != nil && t.Name.PkgPath == pkgPath && t.Name.Own() == name
}

// to returns the value at p as one of the named type of a package.
func (f *file) to(p place, pkgPath, name string) jen.Code {
	if isNamed(p.typ, pkgPath, name) {
		return jen.Id(p.value())
	}
	return f.qual(pkgPath, name).Call(jen.Id(p.value()))
}

// from returns code, of the named type of a package, as a value of type t.
func (f *file) from(t *ir.Type, code jen.Code, pkgPath, name string) jen.Code {
	if isNamed(t, pkgPath, name) {
		return code
	}
	return f.typ(t).Call(code)
}

// asTime returns code, a time.Time, as a value of type t.
func (f *file) asTime(t *ir.Type, code jen.Code) jen.Code {
	if isTime(t) {
		return code
	}
	return f.typ(t).Call(code)
}

// rat returns a pointer to the value at p, a *big.Rat.
func (f *file) rat(p place) jen.Code {
	if isNamed(p.typ, "math/big", "Rat") {
		return jen.Id(p.pointer())
	}
	return jen.Parens(jen.Op("*").Add(f.qual("math/big", "Rat"))).Call(jen.Id(p.pointer()))
}

// digits returns the precision and the scale of a decimal, as arguments.
func digits(a *ir.Avro) []jen.Code { return []jen.Code{jen.Lit(a.Precision), jen.Lit(a.Scale)} }

// logicalFunctions are the names that the functions for logical types of numbers have in package avro behind From and To. Reading makes no difference between local timestamps and others.
var logicalFunctions = map[string]struct{ from, to string }{
	"date":                   {"Date", "Date"},
	"time-millis":            {"TimeMillis", "TimeMillis"},
	"time-micros":            {"TimeMicros", "TimeMicros"},
	"timestamp-millis":       {"TimestampMillis", "TimestampMillis"},
	"timestamp-micros":       {"TimestampMicros", "TimestampMicros"},
	"timestamp-nanos":        {"TimestampNanos", "TimestampNanos"},
	"local-timestamp-millis": {"LocalTimestampMillis", "TimestampMillis"},
	"local-timestamp-micros": {"LocalTimestampMicros", "TimestampMicros"},
	"local-timestamp-nanos":  {"LocalTimestampNanos", "TimestampNanos"},
}

// fromLogical returns the call that makes a number of the value at p. It returns an error as well if failing is set.
func (f *file) fromLogical(p place, a *ir.Avro) (call *jen.Statement, failing bool) {
	value := f.timeOf
	if a.Logical == "time-millis" || a.Logical == "time-micros" {
		value = func(p place) jen.Code { return f.to(p, "time", "Duration") }
	}
	return f.avroFn("From" + logicalFunctions[a.Logical].from).Call(value(p)), a.Logical != "time-micros"
}

// isLogicalNumber says that a is a number with a logical type.
func isLogicalNumber(a *ir.Avro) bool {
	_, ok := logicalFunctions[a.Logical]
	return ok && (a.Kind == ir.AvroInt || a.Kind == ir.AvroLong)
}

func (s *sizer) sizeAvroNumber(p place, a *ir.Avro) {
	if !isLogicalNumber(a) {
		s.term(s.avroFn("LongLen").Call(s.convert(p, "int64")))
		return
	}
	call, failing := s.fromLogical(p, a)
	if !failing {
		s.term(s.avroFn("LongLen").Call(call))
		return
	}
	s.later(func() {
		x := s.local(localName(p, "x"), localName(p, "x")+"Number")
		s.block.List(jen.Id(x), jen.Id("_")).Op(":=").Add(call).Comment("what is out of range counts as 0")
		s.block.Id(s.n).Op("+=").Add(s.avroFn("LongLen").Call(s.wide(jen.Id(x), a)))
	})
}

// wide returns a number as an int64.
func (f *file) wide(code *jen.Statement, a *ir.Avro) jen.Code {
	if a.Kind == ir.AvroInt {
		return jen.Int64().Call(code)
	}
	return code
}

func (f *fn) putAvroNumber(p place, a *ir.Avro) {
	number := f.convert(p, "int64")
	switch {
	case a.Kind == ir.AvroEnum:
		v, symbols := f.convert(p, "int32"), len(a.Symbols)
		outside := jen.Uint32().Call(jen.Id(p.value())).Op(">=").Lit(symbols)
		f.block.If(outside).BlockFunc(f.pass(p.path, 0, f.avroFn("SymbolRefused").Call(v, jen.Lit(symbols))))
	case isLogicalNumber(a):
		call, failing := f.fromLogical(p, a)
		if !failing {
			number = call
			break
		}
		x := f.local(localName(p, "x"), localName(p, "x")+"Number")
		list, op := f.temps(true, "err")
		f.block.List(jen.Id(x), jen.Id(list[0])).Op(op).Add(call)
		f.checkError(p.path, list[0])
		number = f.wide(jen.Id(x), a)
	}
	f.putCall(f.avroFn("PutLong").Call(f.tail(0), number))
}

// avroRead reads into a variable by a function that is inlined, and by another one where the first does not know, and returns the variable with the size. The position stays where it is.
func (f *fn) avroRead(p place, into, quick, read, why string) (n string) {
	list, op := f.temps(true, "n")
	n = list[0]
	f.block.List(jen.Id(into), jen.Id(n)).Op(op).Add(f.avroFn(quick)).Call(jen.Id(f.buf), jen.Id(f.at(0)))
	f.block.If(jen.Id(n).Op("==").Lit(0)).Block(
		jen.If(
			jen.List(jen.Id(into), jen.Id(n)).Op("=").Add(f.avroFn(read)).Call(f.tail(0)),
			jen.Id(n).Op("<=").Lit(0),
		).BlockFunc(f.fail(p.path, 0, f.avroFn(why).Call(jen.Id(n)))),
	)
	return n
}

func (f *fn) consumeAvroNumber(p place, a *ir.Avro) {
	read, predeclared := "Long", "int64"
	if a.Kind != ir.AvroLong {
		read, predeclared = "Int", "int32"
	}
	x := f.local(localName(p, "x"), localName(p, "x")+"Number")
	n := f.avroRead(p, x, "Quick"+read, read, "NumberError")
	value := f.as(p.typ, jen.Id(x), predeclared)
	switch {
	case a.Kind == ir.AvroEnum:
		symbols := len(a.Symbols)
		f.block.If(jen.Uint32().Call(jen.Id(x)).Op(">=").Lit(symbols)).BlockFunc(
			f.fail(p.path, 0, f.avroFn("SymbolError").Call(jen.Id(x), jen.Lit(symbols))))
	case a.Logical == "time-micros":
		d := f.local(localName(p, "d")+"Time", localName(p, "d")+"Duration")
		list, op := f.temps(true, "err")
		f.block.List(jen.Id(d), jen.Id(list[0])).Op(op).Add(f.avroFn("ToTimeMicros")).Call(jen.Id(x))
		f.checkError(p.path, list[0])
		value = f.from(p.typ, jen.Id(d), "time", "Duration")
	case a.Logical == "time-millis":
		value = f.from(p.typ, f.avroFn("ToTimeMillis").Call(jen.Id(x)), "time", "Duration")
	case isLogicalNumber(a):
		value = f.asTime(p.typ, f.avroFn("To"+logicalFunctions[a.Logical].to).Call(jen.Id(x)))
	}
	f.advance(n)
	f.block.Id(p.value()).Op("=").Add(value)
}

func (s *sizer) sizeAvroText(p place, a *ir.Avro) {
	switch {
	case a.Logical == "decimal":
		s.term(s.avroFn("DecimalLen").Call(append([]jen.Code{s.rat(p)}, digits(a)...)...))
	case a.Logical == "big-decimal":
		s.term(s.avroFn("BigDecimalLen").Call(s.rat(p)))
	case a.Kind == ir.AvroBytes:
		s.term(s.avroFn("BytesLen").Call(jen.Id(p.value())))
	default:
		s.term(s.avroFn("StringLen").Call(s.convert(p, "string")))
	}
}

func (f *fn) putAvroText(p place, a *ir.Avro) {
	switch {
	case a.Logical == "uuid":
		f.block.If(f.fewer(uuidTextLen)).BlockFunc(f.short)
		f.block.Add(f.avroFn("PutUUIDText")).Call(f.tail(0), f.to(p, avroPath, "UUID"))
		f.offset += uuidTextLen
	case a.Logical == "decimal":
		f.putAvroFailing(p, f.avroFn("PutDecimal").Call(append([]jen.Code{f.tail(0), f.rat(p)}, digits(a)...)...))
	case a.Logical == "big-decimal":
		f.putAvroFailing(p, f.avroFn("PutBigDecimal").Call(f.tail(0), f.rat(p)))
	case a.Kind == ir.AvroBytes:
		f.putCall(f.avroFn("PutBytes").Call(f.tail(0), jen.Id(p.value())))
	default:
		f.putCall(f.avroFn("PutString").Call(f.tail(0), f.convert(p, "string")))
	}
}

// putAvroFailing generates a call that writes something and returns its size and an error.
func (f *fn) putAvroFailing(p place, call jen.Code) {
	list, op := f.temps(false, "n", "err")
	f.block.List(jen.Id(list[0]), jen.Id(list[1])).Op(op).Add(call)
	f.checkError(p.path, list[1])
	f.advance(list[0])
}

// avroSpan reads a string without copying it, and returns the variable with its bytes.
func (f *fn) avroSpan(p place) string {
	span := f.local(localName(p, "s"), localName(p, "s")+"Text")
	f.advance(f.avroRead(p, span, "QuickSpan", "Span", "LengthError"))
	return span
}

func (f *fn) consumeAvroText(p place, a *ir.Avro) {
	switch {
	case a.Logical == "uuid":
		x := f.local(localName(p, "u"), localName(p, "u")+"UUID")
		list, op := f.temps(true, "n", "err")
		f.block.List(jen.Id(x), jen.Id(list[0]), jen.Id(list[1])).Op(op).Add(f.avroFn("UUIDText")).Call(f.tail(0))
		f.checkError(p.path, list[1])
		f.advance(list[0])
		f.block.Id(p.value()).Op("=").Add(f.from(p.typ, jen.Id(x), avroPath, "UUID"))
	case a.Logical == "decimal":
		f.zero(p)
		f.consumeAvroFailing(p, f.avroFn("Decimal").Call(append([]jen.Code{f.tail(0), f.rat(p)}, digits(a)...)...))
	case a.Logical == "big-decimal":
		f.zero(p)
		f.consumeAvroFailing(p, f.avroFn("BigDecimal").Call(f.tail(0), f.rat(p)))
	case a.Kind == ir.AvroBytes:
		x := f.local(localName(p, "p"), localName(p, "p")+"Bytes")
		list, op := f.temps(true, "n")
		f.block.List(jen.Id(x), jen.Id(list[0])).Op(op).Add(f.avroFn("Bytes").Call(f.tail(0), jen.Id(p.value())))
		f.block.If(jen.Id(list[0]).Op("<=").Lit(0)).BlockFunc(f.fail(p.path, 0, f.avroFn("LengthError").Call(jen.Id(list[0]))))
		f.advance(list[0])
		f.block.Id(p.value()).Op("=").Id(x)
	default:
		span := f.avroSpan(p)
		code := jen.Code(f.typ(p.typ).Call(jen.Id(span)))
		if f.copies != "" {
			code = f.as(p.typ, f.copiesCall("Take").Call(jen.Id(span)), "string")
			f.empty = false
		}
		f.block.Id(p.value()).Op("=").Add(code)
	}
}

// zero generates the assignment of the zero value to a decimal, which keeps others that share its memory as they are.
func (f *fn) zero(p place) {
	if !p.fresh {
		f.block.Id(p.value()).Op("=").Add(f.typ(p.typ)).Values()
	}
}

// consumeAvroFailing is putAvroFailing for reading.
func (f *fn) consumeAvroFailing(p place, call jen.Code) { f.putAvroFailing(p, call) }

// uuidTextLen is the length of a UUID that is a string, with its length.
const uuidTextLen = 37

// putAvroLeaf writes a value of constant size and moves the position past it. The caller has checked the room.
func (f *fn) putAvroLeaf(p place, a *ir.Avro) {
	size, _ := f.avroSize(a)
	switch {
	case a.Kind == ir.AvroBoolean:
		f.block.Add(f.byteAt(0)).Op("=").Lit(0)
		f.block.If(jen.Id(p.value())).Block(f.byteAt(0).Op("=").Lit(1))
	case a.Kind == ir.AvroFloat, a.Kind == ir.AvroDouble:
		f.putWord(8*size, 0, f.floatBits(8*size, f.convert(p, fmt.Sprintf("float%d", 8*size))))
	case a.Logical == "decimal":
		end := f.bufPart(size)
		f.ifError(f.avroFn("PutFixedDecimal").Call(append([]jen.Code{end, f.rat(p)}, digits(a)...)...), func(err string) func(*jen.Group) {
			return f.pass(p.path, 0, jen.Id(err))
		})
	case a.Logical == "duration":
		for i, part := range durationFields {
			f.putWord(32, 4*i, jen.Id(p.selectable()+"."+part))
		}
	default:
		f.block.Copy(f.tail(0), jen.Id(p.operand()+"[:]"))
	}
	f.offset += size
}

// durationFields are the fields of avro.Duration, as they follow one another in the bytes.
var durationFields = [...]string{"Months", "Days", "Milliseconds"}

// bufPart returns the next size bytes of the buffer.
func (f *fn) bufPart(size int) jen.Code {
	if f.run != "" {
		return jen.Id(f.run + "[" + f.inRun(0) + ":" + f.inRun(size) + "]")
	}
	from := f.at(0)
	if from == "0" {
		from = ""
	}
	return jen.Id(f.buf + "[" + from + ":" + f.at(size) + "]")
}

// consumeAvroLeaf reads a value of constant size and moves the position past it. The caller has checked that it is there.
func (f *fn) consumeAvroLeaf(p place, a *ir.Avro) {
	size, _ := f.avroSize(a)
	set := func(code jen.Code) { f.block.Id(p.value()).Op("=").Add(code) }
	switch {
	case a.Kind == ir.AvroBoolean:
		f.block.If(f.byteAt(0).Op(">").Lit(1)).BlockFunc(f.fail(p.path, 0, f.wire("ErrCorrupt")))
		set(f.byteAt(0).Op("==").Lit(1))
	case a.Kind == ir.AvroFloat, a.Kind == ir.AvroDouble:
		set(f.as(p.typ, f.float(8*size, 0), fmt.Sprintf("float%d", 8*size)))
	case a.Logical == "decimal":
		f.zero(p)
		f.ifError(f.avroFn("FixedDecimal").Call(append([]jen.Code{f.bufPart(size), f.rat(p)}, digits(a)...)...), func(err string) func(*jen.Group) {
			return f.pass(p.path, 0, jen.Id(err))
		})
	case a.Logical == "duration":
		for i, part := range durationFields {
			f.block.Id(p.selectable() + "." + part).Op("=").Add(f.word(32, 4*i))
		}
	default:
		f.block.Copy(jen.Id(p.operand()+"[:]"), f.tail(0))
	}
	f.offset += size
}
