package record

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// The model is what translations are compared with: values of any schema as Go values, their encoding, and what becomes of them in another schema. It shares nothing with the translation
// but the types. Values are bool, int64, uint64, float32, float64, complex128, string, []byte, time.Time, *any, []any of slices, arrays and structs, entries, *chosen, and sealed.
type (
	entries [][2]any
	chosen  struct {
		member int
		value  any
	}
	sealed string // of a type with an encoding of its own
)

// encodeModel appends v to b.
func encodeModel(b []byte, f form, v any) []byte {
	switch v := v.(type) {
	case bool:
		if v {
			return append(b, 1)
		}
		return append(b, 0)
	case int64:
		if f.varint {
			return binary.AppendVarint(b, v)
		}
		return appendWord(b, f.Kind, uint64(v))
	case uint64:
		if f.varint {
			return binary.AppendUvarint(b, v)
		}
		return appendWord(b, f.Kind, v)
	case float32:
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	case float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	case complex128:
		if f.Kind == KindComplex64 {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(real(v))))
			return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(imag(v))))
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(real(v)))
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(imag(v)))
	case string:
		return append(binary.AppendUvarint(b, uint64(len(v))), v...)
	case sealed:
		return append(binary.AppendUvarint(b, uint64(len(v))), v...)
	case []byte:
		if v == nil {
			return append(b, 0)
		}
		return append(binary.AppendUvarint(b, uint64(len(v))+1), v...)
	case time.Time:
		if f.nano {
			n := int64(math.MinInt64)
			if !v.IsZero() {
				n = v.UnixNano()
			}
			return binary.LittleEndian.AppendUint64(b, uint64(n))
		}
		b = binary.LittleEndian.AppendUint64(b, uint64(v.Unix()))
		return binary.LittleEndian.AppendUint32(b, uint32(v.Nanosecond()))
	case *any:
		if v == nil {
			return append(b, 0)
		}
		return encodeModel(append(b, 1), form{Type: f.Elem}, *v)
	case entries:
		if v == nil {
			return append(b, 0)
		}
		b = binary.AppendUvarint(b, uint64(len(v))+1)
		for _, e := range v {
			b = encodeModel(encodeModel(b, form{Type: f.Key}, e[0]), form{Type: f.Elem}, e[1])
		}
		return b
	case *chosen:
		if v == nil {
			return append(b, 0)
		}
		return encodeModel(binary.AppendUvarint(b, uint64(v.member)+1), form{Type: f.Members[v.member]}, v.value)
	case []any:
		switch f.Kind {
		case KindStruct:
			return encodeFields(b, f.Type, v)
		case KindSlice:
			if v == nil {
				return append(b, 0)
			}
			b = binary.AppendUvarint(b, uint64(len(v))+1)
		}
		for _, e := range v {
			b = encodeModel(b, form{Type: f.Elem}, e)
		}
		return b
	}
	panic(fmt.Sprintf("no model of %T", v))
}

func appendWord(b []byte, kind Kind, v uint64) []byte {
	bits, _ := integer(kind)
	return append(b, binary.LittleEndian.AppendUint64(nil, v)[:bits/8]...)
}

func encodeFields(b []byte, t *Type, v []any) []byte {
	var presence []byte
	n := 0
	var body []byte
	for i := range t.Fields {
		set := false
		switch x := v[i].(type) {
		case bool:
			set = x
		case *any:
			if set = x != nil; set {
				body = encodeModel(body, form{Type: t.Fields[i].Type.Elem}, *x)
			}
		default:
			body = encodeModel(body, formOf(&t.Fields[i]), x)
			continue
		}
		if n%8 == 0 {
			presence = append(presence, 0)
		}
		if set {
			presence[n/8] |= 1 << (n % 8)
		}
		n++
	}
	return append(append(b, presence...), body...)
}

// convertModel returns what a reader gets for the value v of a writer. It returns false if v has a member that the reader lacks.
func convertModel(w, r form, v any) (any, bool) {
	if r.Kind == KindPointer && w.Kind != KindPointer {
		to, ok := convertModel(w, form{Type: r.Elem}, v)
		return &to, ok
	}
	switch v := v.(type) {
	case uint64:
		if _, signed := integer(r.Kind); signed {
			return int64(v), true
		}
		return v, true
	case float32:
		if r.Kind == KindFloat64 {
			return float64(v), true
		}
		return v, true
	case string:
		if r.Kind == KindBytes {
			return []byte(v), true
		}
		return v, true
	case []byte:
		if r.Kind == KindString {
			return string(v), true
		}
		return v, true
	case *any:
		if v == nil {
			return v, true
		}
		to, ok := convertModel(form{Type: w.Elem}, form{Type: r.Elem}, *v)
		return &to, ok
	case entries:
		if v == nil {
			return v, true
		}
		to := entries{}
		for _, e := range v {
			key, ok := convertModel(form{Type: w.Key}, form{Type: r.Key}, e[0])
			elem, ok2 := convertModel(form{Type: w.Elem}, form{Type: r.Elem}, e[1])
			if !ok || !ok2 {
				return nil, false
			}
			to = append(to, [2]any{key, elem})
		}
		return to, true
	case *chosen:
		if v == nil {
			return v, true
		}
		m := w.Members[v.member]
		for i, same := range r.Members {
			if same.Name == m.Name {
				to, ok := convertModel(form{Type: m}, form{Type: same}, v.value)
				return &chosen{i, to}, ok
			}
		}
		return nil, false
	case []any:
		if w.Kind == KindStruct {
			return convertFields(w.Type, r.Type, v)
		}
		if v == nil {
			return v, true
		}
		to := make([]any, len(v))
		for i := range v {
			var ok bool
			if to[i], ok = convertModel(form{Type: w.Elem}, form{Type: r.Elem}, v[i]); !ok {
				return nil, false
			}
		}
		return to, true
	}
	return v, true
}

func convertFields(w, r *Type, v []any) (any, bool) {
	to := make([]any, len(r.Fields))
	for i := range r.Fields {
		f := &r.Fields[i]
		from := slices.IndexFunc(w.Fields, func(x Field) bool { return x.Name == f.Name })
		for _, alias := range f.Aliases {
			if from < 0 {
				from = slices.IndexFunc(w.Fields, func(x Field) bool { return x.Name == alias })
			}
		}
		if from < 0 {
			to[i] = zeroModel(formOf(f))
			if f.HasDefault {
				to[i] = defaultModel(f)
			}
			continue
		}
		var ok bool
		if to[i], ok = convertModel(formOf(&w.Fields[from]), formOf(f), v[from]); !ok {
			return nil, false
		}
	}
	return to, true
}

func defaultModel(f *Field) any {
	var err error
	var v any
	switch _, signed := integer(f.Type.Kind); {
	case f.Type.Kind == KindString:
		v = f.Default
	case f.Type.Kind == KindBool:
		v = f.Default == "true"
	case f.Type.Kind == KindFloat32:
		var x float32
		_, err = fmt.Sscan(f.Default, &x)
		v = x
	case f.Type.Kind == KindFloat64:
		var x float64
		_, err = fmt.Sscan(f.Default, &x)
		v = x
	case signed:
		var x int64
		_, err = fmt.Sscan(f.Default, &x)
		v = x
	default:
		var x uint64
		_, err = fmt.Sscan(f.Default, &x)
		v = x
	}
	if err != nil {
		panic(err)
	}
	return v
}

func zeroModel(f form) any {
	if bits, signed := integer(f.Kind); bits > 0 {
		if signed {
			return int64(0)
		}
		return uint64(0)
	}
	switch f.Kind {
	case KindBool:
		return false
	case KindFloat32:
		return float32(0)
	case KindFloat64:
		return float64(0)
	case KindComplex64, KindComplex128:
		return complex128(0)
	case KindString:
		return ""
	case KindBytes:
		return []byte(nil)
	case KindTime:
		return time.Time{}
	case KindPointer:
		return (*any)(nil)
	case KindMap:
		return entries(nil)
	case KindUnion:
		return (*chosen)(nil)
	case KindSlice:
		return []any(nil)
	case KindArray:
		v := []any{}
		for range f.Len {
			v = append(v, zeroModel(form{Type: f.Elem}))
		}
		return v
	}
	v := []any{}
	for i := range f.Fields {
		v = append(v, zeroModel(formOf(&f.Fields[i])))
	}
	return v
}

// randomModel returns a value of f. What is nested more than depth levels is nil.
func randomModel(rnd *rand.Rand, f form, depth int) any {
	if bits, signed := integer(f.Kind); bits > 0 {
		v := rnd.Uint64() >> rnd.IntN(64) << (64 - bits) >> (64 - bits)
		if signed {
			return int64(v<<(64-bits)) >> (64 - bits)
		}
		return v
	}
	some := func() int {
		if depth <= 0 {
			return rnd.IntN(2)
		}
		return rnd.IntN(4)
	}
	text := func() []byte {
		b := make([]byte, rnd.IntN(6)*rnd.IntN(60))
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		return b
	}
	switch f.Kind {
	case KindBool:
		return rnd.IntN(2) == 0
	case KindFloat32:
		return float32(rnd.NormFloat64())
	case KindFloat64:
		return rnd.NormFloat64()
	case KindComplex64, KindComplex128:
		return complex(float64(float32(rnd.NormFloat64())), float64(float32(rnd.NormFloat64())))
	case KindString:
		return string(text())
	case KindCodec:
		return sealed(text())
	case KindBytes:
		if rnd.IntN(4) == 0 {
			return []byte(nil)
		}
		return text()
	case KindTime:
		if rnd.IntN(4) == 0 {
			return time.Time{}
		}
		return time.Unix(0, rnd.Int64()-rnd.Int64()).UTC()
	case KindPointer:
		if depth <= 0 || some() == 0 {
			return (*any)(nil)
		}
		v := randomModel(rnd, form{Type: f.Elem}, depth-1)
		return &v
	case KindMap:
		n := some()
		if n == 0 {
			return entries(nil)
		}
		v := entries{}
		for range n - 1 {
			v = append(v, [2]any{randomModel(rnd, form{Type: f.Key}, depth-1), randomModel(rnd, form{Type: f.Elem}, depth-1)})
		}
		return v
	case KindUnion:
		if depth <= 0 || some() == 0 {
			return (*chosen)(nil)
		}
		m := rnd.IntN(len(f.Members))
		return &chosen{m, randomModel(rnd, form{Type: f.Members[m]}, depth-1)}
	case KindSlice:
		n := some()
		if n == 0 {
			return []any(nil)
		}
		v := []any{}
		for range n - 1 {
			v = append(v, randomModel(rnd, form{Type: f.Elem}, depth-1))
		}
		return v
	case KindArray:
		v := []any{}
		for range f.Len {
			v = append(v, randomModel(rnd, form{Type: f.Elem}, depth-1))
		}
		return v
	}
	v := []any{}
	for i := range f.Fields {
		v = append(v, randomModel(rnd, formOf(&f.Fields[i]), depth-1))
	}
	return v
}
