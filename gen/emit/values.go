package emit

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// What is generated on request: methods Equal, Clone, Reset and Hash of a serializer. Structs and unions have functions for these, as for the other parts:
//
//	func equalT(a, b *T) bool              or (a, b *T, depth int)
//	func cloneT(dst, v *T)                 or (dst, v *T, depth int), and a bool if not all values have a copy
//	func resetT(v *T)
//	func hashT(h uint64, v *T) uint64      or (h uint64, v *T, depth int) (uint64, bool)
//
// Those of unions take v, a and b as values.

// onRequest lists the parts that a record has on request.
var onRequest = []struct {
	with ir.With
	part part
}{
	{ir.WithEqual, equalPart}, {ir.WithClone, clonePart}, {ir.WithReset, resetPart}, {ir.WithHash, hashPart},
}

// partsOf lists the parts that records of that kind need functions for.
func partsOf(r *ir.Record) []part {
	list := []part{sizePart, putPart, consumePart, detachPart}
	for _, o := range onRequest {
		if r.With.Has(o.with) {
			list = append(list, o.part)
		}
	}
	return list
}

// requested says that the part is generated on request.
func (p part) requested() bool { return p >= equalPart }

// atOnce says that a part treats all of a t by one expression, whatever t is made of: it needs no functions.
func (f *facts) atOnce(p part, t *ir.Type) bool {
	switch p {
	case equalPart:
		return f.exact(t)
	case clonePart:
		return f.assignable(t)
	case resetPart:
		return t.Kind != ir.Struct && t.Kind != ir.Array || f.zeroable(t)
	}
	return false
}

// exact says that values of t can be compared with ==, and that this is whether their encodings are equal.
func (f *facts) exact(t *ir.Type) bool {
	return f.known("exact").of(t, func() bool {
		switch t.Kind {
		case ir.Float32, ir.Float64, ir.Complex64, ir.Complex128, ir.Bytes, ir.Time, ir.Pointer, ir.Slice, ir.Map, ir.Union, ir.Codec:
			return false
		case ir.Array:
			return f.exact(t.Elem)
		case ir.Struct:
			return !t.Recursive && !f.partial(t) && !anyField(t, func(fld *ir.Field) bool { return !f.exact(fld.Type) })
		}
		return true
	})
}

// assignable says that an assignment makes a copy of a t which shares nothing that can change, and holds nothing that is not encoded.
func (f *facts) assignable(t *ir.Type) bool {
	return f.known("assignable").of(t, func() bool {
		switch t.Kind {
		case ir.Bytes, ir.Pointer, ir.Slice, ir.Map, ir.Union, ir.Codec:
			return false
		case ir.Array:
			return f.assignable(t.Elem)
		case ir.Struct:
			return !t.Recursive && !f.partial(t) && !anyField(t, func(fld *ir.Field) bool { return fld.View || !f.assignable(fld.Type) })
		}
		return true
	})
}

// zeroable says that resetting a t is to assign the zero value: there is no memory in it that is kept, and nothing that is not encoded.
func (f *facts) zeroable(t *ir.Type) bool {
	return f.known("zeroable").of(t, func() bool {
		switch t.Kind {
		case ir.Bytes, ir.Slice, ir.Map:
			return false
		case ir.Array:
			return f.zeroable(t.Elem)
		case ir.Struct:
			return spelled(t) && !f.partial(t) && !anyField(t, func(fld *ir.Field) bool { return !f.zeroable(fld.Type) })
		}
		return true
	})
}

// refers says that a t holds references to other memory, or something of which the generator does not know.
func (f *facts) refers(t *ir.Type) bool {
	return f.known("refers").of(t, func() bool {
		switch t.Kind {
		case ir.String, ir.Bytes, ir.Time, ir.Pointer, ir.Slice, ir.Map, ir.Union, ir.Codec:
			return true
		case ir.Array:
			return f.refers(t.Elem)
		case ir.Struct:
			return f.partial(t) || anyField(t, func(fld *ir.Field) bool { return f.refers(fld.Type) })
		}
		return false
	})
}

// uncertain says that there are values of t which cannot be copied, because they cannot be encoded: those nested too deeply, and some of unions and codecs.
func (f *facts) uncertain(t *ir.Type) bool {
	return f.reaches(f.known("uncertain"), t, func(t *ir.Type) bool { return t.Kind == ir.Union || t.Kind == ir.Codec || entersDepth(t) })
}

// helperOf says that a part treats t by calling a function of it.
func (f *facts) helperOf(p part, t *ir.Type) bool {
	return t.Kind == ir.Union || t.Kind == ir.Struct && t.Name != nil && !f.inlined(p, t)
}

// valueMethods generates what a record has on request.
func (f *file) valueMethods(r *ir.Record, n *recordNames) {
	for _, o := range onRequest {
		if !r.With.Has(o.with) {
			continue
		}
		switch o.part {
		case equalPart:
			f.equalMethod(r, n)
		case clonePart:
			f.cloneMethod(r, n)
		case resetPart:
			f.resetMethod(r, n)
		case hashPart:
			f.hashMethod(r, n)
		}
	}
}

// values returns a function of the runtime's package of that name.
func (f *file) values(name string) *jen.Statement { return f.qual(valuesPath, name) }

// serializerMethod generates a method of a serializer.
func (f *file) serializerMethod(n *recordNames, name string, params []jen.Code, result jen.Code, body func(*jen.Group)) {
	f.out.Func().Params(jen.Id(n.Serializer)).Id(name).Params(params...).Add(result).BlockFunc(body)
	f.out.Line()
}

// valueHelper generates the function of a part that is generated on request.
func (f *file) valueHelper(part part, t *ir.Type) {
	name := f.plan.helper(f.src, part, t)
	pointer := func() jen.Code {
		if t.Kind == ir.Union {
			return f.typ(t)
		}
		return jen.Op("*").Add(f.typ(t))
	}
	fn := f.newFn()
	var params []jen.Code
	result := jen.Null()
	deep := f.needsDepth(t)
	switch part {
	case equalPart:
		fn.v, fn.other = fn.local("a", "v"), fn.local("b", "w")
		params = []jen.Code{jen.List(jen.Id(fn.v), jen.Id(fn.other)).Add(pointer())}
		result = jen.Bool()
		f.comment("%s reports whether what is encoded of a and b is equal.", name)
	case clonePart:
		fn.other, fn.v = fn.local("dst", "target"), fn.local("v", "value")
		params = []jen.Code{jen.List(jen.Id(fn.other), jen.Id(fn.v)).Op("*").Add(f.typ(t))}
		if t.Kind == ir.Union {
			params = []jen.Code{jen.Id(fn.other).Op("*").Add(f.typ(t)), jen.Id(fn.v).Add(f.typ(t))}
		}
		if f.uncertain(t) {
			result = jen.Bool()
			f.comment("%s makes dst, which is zero, a copy of v, and returns false if there is none.", name)
		} else {
			f.comment("%s makes dst, which is zero, a copy of v.", name)
		}
	case resetPart:
		fn.v = fn.local("v", "value")
		params = []jen.Code{jen.Id(fn.v).Add(pointer())}
		f.comment("%s makes what is encoded of v zero, and keeps memory.", name)
	case hashPart:
		fn.state, fn.v = fn.local("h", "hash"), fn.local("v", "value")
		params = []jen.Code{jen.Id(fn.state).Uint64(), jen.Id(fn.v).Add(pointer())}
		result = jen.Uint64()
		if deep {
			result = jen.Params(jen.Uint64(), jen.Bool())
			f.comment("%s returns the hash that follows on h after v, and false if v is nested too deeply.", name)
		} else {
			f.comment("%s returns the hash that follows on h after v.", name)
		}
	}
	if deep && part != resetPart {
		fn.depth = fn.local("depth", "levels")
		params = append(params, jen.Id(fn.depth).Int())
	}
	f.out.Func().Id(name).Params(params...).Add(result).BlockFunc(fn.body(func() {
		fn.setGiveUp(part, t, false)
		if t.Kind == ir.Union {
			fn.valueUnion(part, t)
			return
		}
		fn.valueBody(part, t)
	}))
	f.out.Line()
}

// setGiveUp says how a function ends early: one that compares, when there is a difference; the others, when a value is nested too deeply or has no encoding.
func (f *fn) setGiveUp(part part, t *ir.Type, method bool) {
	deep := f.needsDepth(t)
	switch {
	case part == clonePart && method:
		f.giveUp = func() jen.Code { return jen.Return(jen.Nil()) }
	case part == hashPart && deep && !method:
		f.giveUp = func() jen.Code { return jen.Return(jen.Id(f.state), jen.False()) }
	case part == hashPart:
		f.giveUp = func() jen.Code { return jen.Return(jen.Id(f.state)) }
	default:
		f.giveUp = func() jen.Code { return jen.Return(jen.False()) }
	}
}

// valueBody generates the whole body of a function of a struct.
func (f *fn) valueBody(part part, t *ir.Type) {
	p := place{expr: f.v, deref: true, typ: t}
	if entersDepth(t) && part != resetPart {
		f.enter(func() { f.block.Add(f.giveUp()) })
	}
	switch part {
	case equalPart:
		f.equalStruct(p, place{expr: f.other, deref: true, typ: t})
		f.block.Return(jen.True())
	case clonePart:
		f.cloneStruct(place{expr: f.other, deref: true, typ: t}, p)
		if f.uncertain(t) {
			f.block.Return(jen.True())
		}
	case resetPart:
		f.resetStruct(p)
	case hashPart:
		f.hashStruct(p)
		f.endHash(t)
	}
}

// valueUnion generates the whole body of a function of a union.
func (f *fn) valueUnion(part part, t *ir.Type) {
	switch part {
	case equalPart:
		f.equalUnion(t)
	case clonePart:
		f.cloneUnion(t)
	case hashPart:
		f.hashUnion(t)
	}
}

// delegate generates a method that calls the function of the record, if there is one, and reports whether it did.
func (f *fn) delegate(part part, t *ir.Type, call func(name string, depth []jen.Code)) bool {
	if f.plan.find(poolOf(f.src), function{part: part, typ: t}) == nil {
		return false
	}
	call(f.plan.helper(f.src, part, t), f.depthArgs(part, t))
	return true
}

// depthArgs returns the argument with the levels of nesting that are left, if the function of t for a part has one.
func (f *fn) depthArgs(part part, t *ir.Type) []jen.Code {
	if part == resetPart || !f.needsDepth(t) {
		return nil
	}
	return []jen.Code{f.levelsLeft()}
}

// nesting generates the body for a struct without a name, which stands in the function around it and is a level of nesting if it is recursive.
func (f *fn) nesting(t *ir.Type, body func()) {
	if !entersDepth(t) {
		body()
		return
	}
	f.enter(func() { f.block.Add(f.giveUp()) })
	body()
	f.levels--
}

// inner returns a generator of an inner block.
func (f *fn) inner(generate func()) func(*jen.Group) { return f.nested(generate) }

// ranged generates a loop over the indices of the slice or array at p.
func (f *fn) ranged(p place, body func(index string)) {
	defer f.loopScope()()
	j := f.local("j", "k")
	f.block.For(jen.Id(j).Op(":=").Range().Id(p.value())).BlockFunc(f.inner(func() { body(j) }))
}

// encodeTo declares a variable with the bytes of the value at p, which has an encoding of its own, and gives up if there are none.
func (f *fn) encodeTo(p place, scratch string, names ...string) string {
	var buf jen.Code
	if appends(p.typ) {
		buf = jen.Id(f.encodingBuffer(scratch) + "[:0]")
	}
	b := f.local(names...)
	list, op := f.temps(true, "err")
	f.block.List(jen.Id(b), jen.Id(list[0])).Op(op).Add(f.encode(p, buf))
	f.block.If(jen.Id(list[0]).Op("!=").Nil()).Block(f.giveUp())
	return b
}

// encodingBuffer returns the variable of a buffer in which encodings are made, of those with that role.
func (f *fn) encodingBuffer(role string) string {
	for b := f.block; b != nil; b = b.parent {
		if name, ok := b.temps[role]; ok {
			return name
		}
	}
	name := f.local(role, role+"Bytes")
	f.block.temps[role] = name
	f.block.Var().Id(name).Index(jen.Lit(scratchSize)).Byte()
	return name
}

// requestDoc returns what the docs of the methods on request have in common: what happens to data without an encoding.
func (f *file) requestDoc(t *ir.Type, outcome string) string {
	var causes []string
	if f.needsDepth(t) {
		causes = append(causes, "it is nested too deeply, as cyclic data is")
	}
	if f.reaches(f.known("unions"), t, func(t *ir.Type) bool { return t.Kind == ir.Union }) {
		causes = append(causes, "an interface holds a value of a type that is no member of its union")
	}
	if f.userCode(t) {
		causes = append(causes, "a method that encodes a value fails")
	}
	if len(causes) == 0 {
		return ""
	}
	list := causes[0]
	for i, c := range causes[1:] {
		if i == len(causes)-2 {
			list += " or " + c
		} else {
			list += ", " + c
		}
	}
	return fmt.Sprintf(" "+outcome, list)
}

// wantsValues reports whether a record of the package has methods on request.
func wantsValues(pkg *ir.Package) bool {
	return slices.ContainsFunc(pkg.Files, func(file *ir.File) bool {
		return slices.ContainsFunc(file.Records, func(r *ir.Record) bool { return r.With&^ir.WithFiles != 0 })
	})
}
