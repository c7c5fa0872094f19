package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
	"github.com/rwgen/rwgen/runtime/avro"
	"github.com/rwgen/rwgen/runtime/record"
)

// What is generated around the serializer of a record asks these questions about the whole record, whose answers depend on its format.

// recordSize is constSize for a whole record, with what stands before it.
func (f *facts) recordSize(r *ir.Record) (int, bool) {
	if r.Format != ir.AvroBinary {
		return f.constSize(r.Type)
	}
	n, ok := f.avroSize(r.Avro.Root)
	return n + headerSize(r), ok
}

// headerSize returns the number of bytes before the fields of a record.
func headerSize(r *ir.Record) int {
	if r.Format == ir.AvroBinary && r.Avro.SingleObject {
		return avro.HeaderLen
	}
	return 0
}

// recordMin is minSize for a whole record.
func (f *facts) recordMin(r *ir.Record) int {
	if r.Format != ir.AvroBinary {
		return f.minSize(r.Type)
	}
	return headerSize(r) + f.avroMin(r.Avro.Root)
}

// recordFixed returns the size of a record that the builder's methods for a fixed size take, if it is one: all that can be wrong when it is written is the room.
func (f *facts) recordFixed(r *ir.Record) (int, bool) {
	n, ok := f.recordSize(r)
	return n, ok && 1 <= n && n <= maxFixed && !f.recordRejects(r)
}

// recordRejects is rejects for a whole record.
func (f *facts) recordRejects(r *ir.Record) bool {
	if r.Format != ir.AvroBinary {
		return f.rejects(r.Type)
	}
	return f.avroRefuses(r.Avro.Root) || f.needsDepth(r.Type) || f.avroCountsEmpty(r.Avro.Root)
}

// recordUserCode is userCode for a whole record: of what Avro's schemas can say, nothing is written by methods of users.
func (f *facts) recordUserCode(r *ir.Record) bool {
	return r.Format != ir.AvroBinary && f.userCode(r.Type)
}

// limitless says that every record has the same size, and one that the default limits allow, so that there is nothing to check it against.
func (f *file) limitless(r *ir.Record) (size int, ok bool) {
	size, ok = f.recordSize(r)
	return size, ok && size <= record.DefaultMaxRecordBytes && !f.takesBudget(r)
}

// takesBudget is needsBudget for the method that reads a record. Unless it calls the function of that struct, only what stands in the fields can be a level of
// nesting: a struct that contains itself in an array of length 0 alone has no such function.
func (f *file) takesBudget(r *ir.Record) bool {
	if f.delegates(consumePart, r) {
		return f.needsBudget(r.Type)
	}
	for fld := range r.Type.Encoded() {
		if f.needsBudget(fld.Type) {
			return true
		}
	}
	return false
}

// recordFunction returns the function that treats the struct of a record for those who hold one as a part.
func recordFunction(part part, r *ir.Record) function {
	if r.Format == ir.AvroBinary && part <= consumePart {
		return function{part, r.Type, r.Avro.Root}
	}
	return function{part: part, typ: r.Type}
}

// delegates says that the method for a part calls the function that other records need as well.
func (f *file) delegates(part part, r *ir.Record) bool {
	return f.plan.find(poolOf(f.src), recordFunction(part, r)) != nil
}

// recordCall returns the call of such a function for the whole record.
func (f *fn) recordCall(part part, r *ir.Record) *jen.Statement {
	if r.Format == ir.AvroBinary {
		return f.avroCall(part, f.root(r.Type), r.Avro.Root)
	}
	return jen.Add(f.helperCall(part, f.root(r.Type)))
}

// recordHead generates what stands before the fields of a record.
func (f *fn) recordHead(r *ir.Record) {
	if headerSize(r) == 0 {
		return
	}
	fingerprint := jen.Id(fmt.Sprintf("%#016x", avroFingerprint(r.Avro)))
	if f.writes {
		f.block.If(f.fewer(avro.HeaderLen)).BlockFunc(f.short)
		f.block.Add(f.avroFn("PutHeader")).Call(jen.Id(f.buf), fingerprint)
	} else {
		f.ifError(f.avroFn("CheckHeader").Call(jen.Id(f.buf), fingerprint), func(err string) func(*jen.Group) {
			return func(g *jen.Group) { g.Return(jen.Lit(0), f.wire("Within").Call(jen.Lit(0), jen.Id(err))) }
		})
	}
	f.offset = avro.HeaderLen
}

// putBehindHead generates the call of the function that other records need as well, where the record has a head before it.
func (f *fn) putBehindHead(r *ir.Record) {
	list, op := f.temps(false, "n", "err")
	f.block.List(jen.Id(list[0]), jen.Id(list[1])).Op(op).Add(f.recordCall(putPart, r))
	f.block.If(jen.Id(list[1]).Op("!=").Nil()).Block(jen.Return(jen.Lit(0), f.wrap(nil, f.at(0), jen.Id(list[1]))))
	f.block.Return(plus(jen.Id(list[0]), headerSize(r)), jen.Nil())
}

// recordBody generates the fields of a record in the method for a part, and for parts that write, the end of it.
func (f *fn) recordBody(part part, r *ir.Record) {
	switch {
	case r.Format == ir.AvroBinary && part == consumePart:
		f.consumeAvroRecord(f.root(r.Type), r.Avro.Root)
	case r.Format == ir.AvroBinary:
		f.avroBody(part, r.Avro.Root, headerSize(r))
	case part == consumePart:
		f.consumeStruct(f.root(r.Type))
	default:
		f.structBody(part, r.Type)
	}
}

// recordRefusals says which records cannot be written, and with which error.
func (f *file) recordRefusals(r *ir.Record) string {
	if r.Format == ir.AvroBinary {
		return f.avroRefusals(r)
	}
	return f.refusals(r.Type)
}

// plus returns code+n.
func plus(code *jen.Statement, n int) *jen.Statement {
	if n == 0 {
		return code
	}
	return jen.Lit(n).Op("+").Add(code)
}
