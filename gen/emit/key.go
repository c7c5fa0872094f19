package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/rwgen/rwgen/gen/ir"
)

// Hashing of keys: FORMAT.md, section 6, and package selector for the hashes of others.

// keyPlace returns the place of a key field of the record that v points to.
func keyPlace(v string, path ir.Path) place {
	p := place{expr: v, deref: true}
	for _, f := range path {
		p = p.field(f)
	}
	return p
}

// keyNames returns the key as in the directive.
func keyNames(w *ir.Writer) string {
	list := make([]string, len(w.Keys))
	for i, k := range w.Keys {
		list[i] = k.String()
	}
	return strings.Join(list, ",")
}

// needsScratch says that bytes of the key have to be put together before they are hashed.
func needsScratch(w *ir.Writer) bool {
	if len(w.Keys) > 1 && w.Hash == ir.XXH3 {
		return true
	}
	for _, path := range w.Keys {
		t := path.Leaf().Type
		if t.Kind == ir.Struct || t.Kind == ir.Array && !isByteArray(t) || t.Kind == ir.Bytes && !isByteSlice(t) {
			return true
		}
	}
	return false
}

// hash returns the hash of a key field that needs no scratch space.
func (f *file) hash(h ir.Hash, p place) jen.Code {
	if p.typ.Kind == ir.Array {
		return f.hashOf(h, "Bytes", jen.Id(p.slice()))
	}
	function, arg := f.keyArg(p)
	if h == ir.Flink && p.typ.Kind >= ir.Int8 && p.typ.Kind <= ir.Uintptr {
		function, arg = f.flinkInteger(p)
	}
	return f.hashOf(h, function, arg)
}

// flinkInteger is keyArg for an integer that is hashed as in Java, by the signed type of its width. The shorter ones have the hash of an int.
func (f *file) flinkInteger(p place) (function string, arg jen.Code) {
	bits := width(p.typ.Kind)
	signed := fmt.Sprintf("int%d", bits)
	arg = f.convert(p, signed)
	if bits >= 32 {
		return fmt.Sprint(bits), arg
	}
	if p.typ.Kind == ir.Int8 || p.typ.Kind == ir.Int16 {
		arg = jen.Id(p.value()) // one conversion is enough
	}
	return "32", jen.Int32().Call(arg)
}

// hashOf returns a call of the function of package selector that hashes a type of key.
func (f *file) hashOf(h ir.Hash, function string, arg jen.Code) jen.Code {
	return f.qual(selectorPath, hashPrefix[h]+function).Call(arg)
}

// hashPrefix is what the names of the functions for a hash have in common.
var hashPrefix = [...]string{ir.XXH3: "Hash", ir.Flink: "Flink", ir.Kafka: "Kafka"}

// keyArg returns what the names of the functions for a type of key have in common, and their argument.
func (f *file) keyArg(p place) (function string, arg jen.Code) {
	switch p.typ.Kind {
	case ir.String:
		return "String", f.convert(p, "string")
	case ir.Bytes:
		return "Bytes", jen.Id(p.value())
	case ir.Bool:
		return "Bool", f.convert(p, "bool")
	case ir.Float32:
		return "Float32", f.convert(p, "float32")
	case ir.Float64:
		return "Float64", f.convert(p, "float64")
	case ir.Time:
		return "Time", f.timeOf(p)
	}
	bits := width(p.typ.Kind)
	return fmt.Sprint(bits), f.convert(p, fmt.Sprintf("uint%d", bits))
}

// appendKey generates statements that append the key bytes of the value at p to the variable k.
func (f *fn) appendKey(k string, p place) {
	switch {
	case p.typ.Kind == ir.Struct:
		for fld := range p.typ.Encoded() {
			f.appendKey(k, p.field(fld))
		}
	case p.typ.Kind == ir.Array && isByteArray(p.typ):
		f.block.Id(k).Op("=").Append(jen.Id(k), jen.Id(p.slice()).Op("..."))
	case p.typ.Kind == ir.Array:
		if p.typ.Len == 0 {
			return
		}
		f.loop(p, func(elem place) func(*jen.Group) {
			return f.nested(func() { f.appendKey(k, elem) })
		})
	case p.typ.Kind == ir.Bytes && !isByteSlice(p.typ):
		f.block.Id(k).Op("=").Add(f.wire("AppendUvarint")).Call(jen.Id(k), jen.Uint64().Call(jen.Len(jen.Id(p.value()))))
		f.appendBytes(k, p)
	default:
		function, arg := f.keyArg(p)
		f.block.Id(k).Op("=").Add(f.qual(selectorPath, "Append"+function)).Call(jen.Id(k), arg)
	}
}

// appendBytes appends the elements of a slice of a named 8-bit type.
func (f *fn) appendBytes(k string, p place) {
	f.loop(p, func(elem place) func(*jen.Group) {
		return f.nested(func() {
			f.block.Id(k).Op("=").Append(jen.Id(k), f.byteOf(elem))
		})
	})
}

// scratchKey generates statements that put the key together in the variable k.
func (f *fn) scratchKey(k, v string, w *ir.Writer) {
	for _, path := range w.Keys {
		p := keyPlace(v, path)
		// Alone, such a slice is its bytes; in a composite its length comes first.
		if len(w.Keys) == 1 && p.typ.Kind == ir.Bytes {
			f.appendBytes(k, p)
			continue
		}
		f.appendKey(k, p)
	}
}
