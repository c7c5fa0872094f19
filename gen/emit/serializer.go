package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// record generates everything for one record.
func (f *file) record(r *ir.Record) {
	n := f.plan.records[r]
	f.serializer(r, n)
	f.binaryMethods(r, n)
	f.writers(r, n)
	f.reader(r, n)
}

func (f *file) serializer(r *ir.Record, n *recordNames) {
	f.docs(f.serializerDoc(r, n)...)
	f.out.Type().Id(n.Serializer).Struct()
	f.out.Line()
	if r.Format.Calls() {
		f.callingMethods(r, n)
		f.schemaMethod(r, n)
		return
	}
	f.sizeMethod(r, n)
	f.appendMethod(r, n)
	f.putMethod(r, n)
	f.consumeMethods(r, n)
	f.detachMethod(r, n)
	f.valueMethods(r, n)
	f.schemaMethod(r, n)
}

// root returns the place of a whole record in a method.
func (f *fn) root(t *ir.Type) place { return place{expr: f.v, deref: true, typ: t} }

func (f *file) sizeMethod(r *ir.Record, n *recordNames) {
	if size, ok := f.recordSize(r); ok {
		f.comment("Size returns %d, the number of bytes that every %s takes.", size, f.label(r))
		f.out.Func().Params(jen.Id(n.Serializer)).Id("Size").Params(jen.Op("*").Add(f.typ(r.Type))).Int().Block(jen.Return(jen.Lit(size)))
		f.out.Line()
		return
	}
	doc := fmt.Sprintf("Size returns the number of bytes that v takes, at least %d.", f.recordMin(r))
	deep := f.needsDepth(r.Type)
	if f.recordUserCode(r) {
		doc += " It has the values encoded that have methods for that, and counts nothing for those that fail."
	}
	if deep {
		doc += " Of a v that is nested too deeply, such as cyclic data, it returns a part of the size."
	}
	f.docs(doc)
	fn := f.newFn()
	fn.v = fn.local("v", "value")
	f.out.Func().Params(jen.Id(n.Serializer)).Id("Size").Params(jen.Id(fn.v).Op("*").Add(f.typ(r.Type))).Int().BlockFunc(fn.body(func() {
		switch {
		case f.delegates(sizePart, r) && deep:
			size := fn.local("n", "size")
			fn.block.List(jen.Id(size), jen.Id("_")).Op(":=").Add(fn.recordCall(sizePart, r))
			fn.block.Return(plus(jen.Id(size), headerSize(r)))
		case f.delegates(sizePart, r):
			fn.block.Return(plus(fn.recordCall(sizePart, r), headerSize(r)))
		default:
			fn.recordBody(sizePart, r)
		}
	}))
	f.out.Line()
}

func (f *file) appendMethod(r *ir.Record, n *recordNames) {
	size, constant := f.recordSize(r)
	doc := "Append appends v to dst and returns the extended slice. "
	refusals := f.recordRefusals(r)
	tooLong := fmt.Sprintf("[%s.ErrLimit] for more than 2³¹−1 bytes", f.declaredName(wirePath))
	switch {
	case refusals != "" && !constant:
		doc += "The error is " + tooLong + ", or what Put refuses; then dst is returned as it was."
	case refusals != "":
		doc += "The error is " + refusals + "; then dst is returned as it was."
	case !constant:
		doc += "The error is " + tooLong + ", which no stream takes; otherwise it is nil."
	default:
		doc += "The error is always nil."
	}
	f.docs(doc)
	fn := f.newFn()
	s, dst, v := fn.local("s", "ser"), fn.local("dst", "buf"), fn.local("v", "value")
	m, err, grown := fn.local("n", "m"), fn.local("err"), fn.local("grown", "longer")
	put := func(buf string) jen.Code {
		return jen.Id(s).Dot("Put").Call(jen.Id(fmt.Sprintf("%s[len(%s):cap(%s)]", buf, dst, buf)), jen.Id(v))
	}
	need := jen.Code(jen.Id(s).Dot("Size").Call(jen.Id(v)))
	if constant {
		need = jen.Lit(size)
	}
	f.out.Func().Params(jen.Id(s).Id(n.Serializer)).Id("Append").
		Params(jen.Id(dst).Index().Byte(), jen.Id(v).Op("*").Add(f.typ(r.Type))).Params(jen.Index().Byte(), jen.Error()).
		BlockFunc(func(g *jen.Group) {
			if !constant {
				// What is there is often enough, and then the size need not be known.
				g.List(jen.Id(m), jen.Id(err)).Op(":=").Add(put(dst))
				g.If(jen.Id(err).Op("==").Nil()).Block(jen.Return(jen.Id(dst+"[:len("+dst+")+"+m+"]"), jen.Nil()))
				fail := jen.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Id(dst), jen.Id(err)))
				if f.recordRejects(r) {
					g.If(jen.Id(err).Op("!=").Add(f.wire("ErrShort"))).Block(jen.Return(jen.Id(dst), jen.Id(err)))
				}
				g.List(jen.Id(grown), jen.Id(err)).Op(":=").Add(f.wire("Grow")).Call(jen.Id(dst), need)
				g.Add(fail)
				g.List(jen.Id(m), jen.Id(err)).Op("=").Add(put(grown))
				if f.deepInMaps(r.Type) {
					g.Add(f.sayDepth(err))
				}
			} else {
				g.Id(grown).Op(":=").Add(f.qual("slices", "Grow")).Call(jen.Id(dst), need)
				g.List(jen.Id(m), jen.Id(err)).Op(":=").Add(put(grown))
			}
			g.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Id(dst), jen.Id(err)))
			g.Return(jen.Id(grown+"[:len("+dst+")+"+m+"]"), jen.Nil())
		})
	f.out.Line()
}

// refusals says which values of t cannot be written, and with which error.
func (f *file) refusals(t *ir.Type) string {
	var list []string
	if f.needsDepth(t) {
		list = append(list, fmt.Sprintf("[%s.ErrDepth] if v is nested too deeply", f.declaredName(wirePath)))
	}
	if f.countsEmpty(t) {
		list = append(list, fmt.Sprintf("[%s.ErrLimit] for more than [%[1]s.MaxEmptyElems] elements of no bytes", f.declaredName(wirePath)))
	}
	wire := f.declaredName(wirePath)
	has := func(tag string, hit func(*ir.Field) bool) bool {
		return f.reaches(f.known(tag), t, func(t *ir.Type) bool { return anyField(t, hit) })
	}
	if has("max", func(fld *ir.Field) bool { return fld.Max > 0 }) {
		list = append(list, fmt.Sprintf("[%s.ErrLimit] for more than a tag max allows", wire))
	}
	if has("utf8", func(fld *ir.Field) bool { return fld.UTF8 }) {
		list = append(list, fmt.Sprintf("[%s.ErrUTF8] where a tag demands valid UTF-8", wire))
	}
	if has("unixnano", func(fld *ir.Field) bool { return fld.UnixNano }) {
		list = append(list, fmt.Sprintf("[%s.ErrRange] for a time that unixnano cannot express", wire))
	}
	if f.holds(t, ir.Union) {
		list = append(list, fmt.Sprintf("[%s.ErrMember] for a value whose type is no member of its union, [%[1]s.ErrNil] for a nil pointer in a union", wire))
	}
	if f.userCode(t) {
		list = append(list, "that of a method that encodes a value")
	}
	if len(list) > 2 {
		return strings.Join(list[:len(list)-1], ", ") + ", and " + list[len(list)-1]
	}
	return strings.Join(list, ", and ")
}

// putCost says what a call of Put costs in memory.
func (f *file) putCost(r *ir.Record) string {
	if r.Format == ir.AvroBinary {
		return f.avroPutCost(r)
	}
	t := r.Type
	sorted := f.reaches(f.known("sorted"), t, func(t *ir.Type) bool { return anyField(t, func(fld *ir.Field) bool { return fld.Sorted }) })
	switch {
	case sorted && f.userCode(t):
		return "It allocates for sorted maps, and what the methods do that encode values."
	case sorted:
		return "It allocates for sorted maps only, unless it fails."
	case f.userCode(t):
		return "It allocates only what the methods do that encode values, and a panic of those passes through."
	}
	if f.rejects(t) {
		return "It does not allocate unless it fails."
	}
	return "It does not allocate."
}

func (f *file) putMethod(r *ir.Record, n *recordNames) {
	wire := f.declaredName(wirePath)
	doc := fmt.Sprintf("Put writes v to the start of dst and returns how many bytes it took. The error is [%s.ErrShort] if v does not "+
		"fit into len(dst) bytes", wire)
	if refusals := f.recordRefusals(r); refusals != "" {
		doc += ", and " + refusals
	}
	f.docs(doc + "; then the contents of dst are unspecified. " + f.putCost(r))
	f.used[wirePath] = true
	fn := f.newFn()
	fn.buf, fn.v, fn.writes = fn.local("dst", "buf"), fn.local("v", "value"), true
	f.out.Func().Params(jen.Id(n.Serializer)).Id("Put").
		Params(jen.Id(fn.buf).Index().Byte(), jen.Id(fn.v).Op("*").Add(f.typ(r.Type))).Params(jen.Int(), jen.Error()).
		BlockFunc(fn.body(func() {
			fn.recordHead(r)
			switch {
			case f.delegates(putPart, r) && headerSize(r) > 0:
				fn.putBehindHead(r)
			case f.delegates(putPart, r):
				fn.block.Return(fn.recordCall(putPart, r))
			default:
				fn.recordBody(putPart, r)
			}
		}))
	f.out.Line()
}

// consumeMethods generates Consume and ConsumeLimits. The body stands in ConsumeLimits, unless limits cannot matter: a record of constant
// size is read by Consume, which is small enough to be inlined where the size was checked before.
func (f *file) consumeMethods(r *ir.Record, n *recordNames) {
	if size, ok := f.limitless(r); ok {
		f.docs(f.consumeDoc("Consume", r)...)
		f.consumeMethod(n.Serializer, "Consume", r, "")
		f.docs(fmt.Sprintf("ConsumeLimits is Consume, and fails if limits allow less than %s a record.", count(size, "byte")))
		fn := f.newFn()
		s, src, v := fn.local("s", "ser"), fn.local("src", "buf"), fn.local("v", "value")
		limits, err := fn.local("limits", "bounds"), fn.local("err")
		f.out.Func().Params(jen.Id(s).Id(n.Serializer)).Id("ConsumeLimits").
			Params(jen.Id(src).Index().Byte(), jen.Id(v).Op("*").Add(f.typ(r.Type)), jen.Id(limits).Add(f.qual(recordPath, "Limits"))).
			Params(jen.Int(), jen.Error()).
			Block(
				jen.If(jen.Id(err).Op(":=").Id(limits).Dot("CheckSize").Call(jen.Lit(size)), jen.Id(err).Op("!=").Nil()).Block(
					jen.Return(jen.Lit(0), jen.Id(err))),
				jen.Return(jen.Id(s).Dot("Consume").Call(jen.Id(src), jen.Id(v))),
			)
		f.out.Line()
		return
	}
	f.docs(fmt.Sprintf("Consume reads one %s from the start of src into v and returns how many bytes it took, under the default limits. "+
		"See [%s.ConsumeLimits].", f.label(r), n.Serializer))
	fn := f.newFn()
	s, src, v := fn.local("s", "ser"), fn.local("src", "buf"), fn.local("v", "value")
	f.out.Func().Params(jen.Id(s).Id(n.Serializer)).Id("Consume").
		Params(jen.Id(src).Index().Byte(), jen.Id(v).Op("*").Add(f.typ(r.Type))).Params(jen.Int(), jen.Error()).
		Block(jen.Return(jen.Id(s).Dot("ConsumeLimits").Call(jen.Id(src), jen.Id(v), f.qual(recordPath, "Limits").Values())))
	f.out.Line()
	f.docs(f.consumeDoc("ConsumeLimits", r)...)
	f.consumeMethod(n.Serializer, "ConsumeLimits", r, "limits")
}

// consumeMethod generates the method that reads; limits is the name of its third parameter, empty for none.
func (f *file) consumeMethod(serializer, method string, r *ir.Record, limits string) {
	fn := f.newFn()
	fn.small = limits == ""
	fn.buf, fn.v = fn.local("src", "buf"), fn.local("v", "value")
	params := []jen.Code{jen.Id(fn.buf).Index().Byte(), jen.Id(fn.v).Op("*").Add(f.typ(r.Type))}
	if limits != "" {
		limits = fn.local(limits, "bounds")
		params = append(params, jen.Id(limits).Add(f.qual(recordPath, "Limits")))
	}
	f.out.Func().Params(jen.Id(serializer)).Id(method).Params(params...).Params(jen.Int(), jen.Error()).
		BlockFunc(fn.body(func() { fn.consumeBody(r, limits) }))
	f.out.Line()
}

func (f *fn) consumeBody(r *ir.Record, limits string) {
	check := func(n string) {
		f.ifError(jen.Id(limits).Dot("CheckSize").Call(jen.Id(n)), func(err string) func(*jen.Group) {
			return func(g *jen.Group) { g.Return(jen.Lit(0), jen.Id(err)) }
		})
	}
	f.recordHead(r)
	if f.takesBudget(r) {
		f.budget = f.local("budget", "left")
		f.block.Id(f.budget).Op(":=").Id(limits).Dot("Budget").Call()
		f.budget = "&" + f.budget
	}
	if f.usesCopies(r) {
		f.newCopies()
	}
	if f.interns(r.Type) && r.Format != ir.AvroBinary {
		f.interner = f.local("interner", "kept")
		f.block.Id(f.interner).Op(":=").Id(limits).Dot("Interner").Call()
	}
	if f.delegates(consumePart, r) {
		list, op := f.temps(false, "n", "err")
		f.block.List(jen.Id(list[0]), jen.Id(list[1])).Op(op).Add(f.recordCall(consumePart, r))
		f.block.If(jen.Id(list[1]).Op("!=").Nil()).Block(jen.Return(jen.Lit(0), f.wrap(nil, f.at(0), jen.Id(list[1]))))
		if headerSize(r) == 0 {
			f.index = list[0]
		} else {
			f.advance(list[0])
		}
		if limits != "" {
			check(f.at(0))
		}
		f.block.Return(jen.Id(f.at(0)), jen.Nil())
		return
	}
	if limits != "" {
		f.atEnd = func() { check(f.at(0)) }
	}
	f.recordBody(consumePart, r)
	if f.atEnd != nil {
		f.atEnd()
	}
	f.block.Return(jen.Id(f.at(0)), jen.Nil())
}

// assertions generates the only package variables: that the serializers are what they should be.
func (f *file) assertions() {
	defs := make([]jen.Code, len(f.src.Records))
	for i, r := range f.src.Records {
		n := f.plan.records[r]
		defs[i] = jen.Id("_").Add(f.qual(recordPath, "Serializer")).Types(f.typ(r.Type)).Op("=").Id(n.Serializer).Values()
	}
	if len(defs) == 1 {
		f.out.Var().Add(defs[0])
		return
	}
	f.out.Var().Defs(defs...)
}
