package gosrc

import (
	"go/token"
	"go/types"
	"maps"
	"strings"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// methods returns the encoding that t declares in a form, nil if it has not all of its methods. Methods of embedded fields do not count, nor do
// those in files named as output of the generator.
func (b *builder) methods(t *types.Named, form ir.EncodingForm) *ir.Encoding {
	suffix := "Binary"
	if form == ir.Text {
		suffix = "Text"
	}
	if obj := t.Obj(); form == ir.Text && obj.Pkg() != nil && obj.Pkg().Path() == "math/big" && obj.Name() == "Float" {
		return nil // its text does not say its precision, so that other values come back
	}
	var reads, appends, marshals bool
	for m := range t.Methods() {
		sig := m.Signature()
		switch m.Name() {
		case "Unmarshal" + suffix:
			reads = signature(sig, []types.Type{byteSlice}, []types.Type{errorType}) && !b.u.generated(m.Pos())
		case "Append" + suffix:
			appends = signature(sig, []types.Type{byteSlice}, []types.Type{byteSlice, errorType}) && !b.u.generated(m.Pos())
		case "Marshal" + suffix:
			marshals = signature(sig, nil, []types.Type{byteSlice, errorType}) && !b.u.generated(m.Pos())
		}
	}
	if !reads || !appends && !marshals {
		return nil
	}
	return &ir.Encoding{Form: form, Append: appends}
}

var (
	byteSlice = types.NewSlice(types.Typ[types.Byte])
	errorType = types.Universe.Lookup("error").Type()
)

// signature reports whether a function has these parameters and results and no others.
func signature(sig *types.Signature, params, results []types.Type) bool {
	is := func(t *types.Tuple, want []types.Type) bool {
		if t.Len() != len(want) {
			return false
		}
		for i, w := range want {
			if !types.Identical(t.At(i).Type(), w) {
				return false
			}
		}
		return true
	}
	return !sig.Variadic() && is(sig.Params(), params) && is(sig.Results(), results)
}

// generated reports whether pos stands in a file that has the name of an output of the generator. The name is all that reflection has at run time,
// where the same rule must hold.
func (u *unit) generated(pos token.Pos) bool {
	source := u.source(pos)
	return strings.HasSuffix(source, suffix+".go") || strings.HasSuffix(source, suffix+"_test.go")
}

// encode makes out the type of the values that e encodes.
func (b *builder) encode(out *ir.Type, t *types.Named, e *ir.Encoding) bool {
	out.Kind, out.Codec, out.GoSize = ir.Codec, e, b.u.sizes.of(t).size
	return true
}

// fillOr completes out from the underlying type of t, or, if parts of it have no encoding, from what t itself encodes as text.
func (b *builder) fillOr(out *ir.Type, t *types.Named, text *ir.Encoding, p place) bool {
	found, known, before := maps.Clone(b.found), maps.Clone(b.named), len(*b.u.diags)
	if b.fill(out, t, p) {
		return true
	}
	for _, d := range (*b.u.diags)[before:] {
		if d.Category != diag.Field {
			return false // a mistake, not a type without an encoding
		}
	}
	*b.u.diags = (*b.u.diags)[:before]
	b.found, b.named = found, known
	*out = ir.Type{Name: out.Name}
	return b.encode(out, t, text)
}
