package check

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"
)

// difference returns where two values differ in what the format keeps, "" if they are equal: nil is not empty, floats are compared by their
// bits, times as instants, pointers by what they point to, values with an encoding of their own by that, and fields outside the format not at all.
func (w *world) difference(a, b reflect.Value) string { return w.diff("", a, b) }

func (w *world) diff(at string, a, b reflect.Value) string {
	differ := func() string { return fmt.Sprintf("%s: %v and %v", at, a, b) }
	if a.Type() == timeType {
		ta, tb := asTime(a), asTime(b)
		if !ta.Equal(tb) || ta.IsZero() != tb.IsZero() {
			return fmt.Sprintf("%s: %v and %v", at, ta, tb)
		}
		return ""
	}
	if ea, ok := w.encoding(a); ok {
		if eb, _ := w.encoding(b); !bytes.Equal(ea, eb) {
			return fmt.Sprintf("%s: encoded as %q and %q", at, ea, eb)
		}
		return ""
	}
	switch a.Kind() {
	case reflect.Interface:
		if a.IsNil() != b.IsNil() {
			return differ()
		}
		if a.IsNil() {
			return ""
		}
		a, b = variable(a).Elem(), variable(b).Elem()
		if a.Type() != b.Type() {
			return fmt.Sprintf("%s: of types %v and %v", at, a.Type(), b.Type())
		}
		return w.diff(at+"("+a.Type().String()+")", variable(a), variable(b))
	case reflect.Float32, reflect.Float64:
		if math.Float64bits(a.Float()) != math.Float64bits(b.Float()) {
			return differ()
		}
	case reflect.Complex64, reflect.Complex128:
		ca, cb := a.Complex(), b.Complex()
		if math.Float64bits(real(ca)) != math.Float64bits(real(cb)) || math.Float64bits(imag(ca)) != math.Float64bits(imag(cb)) {
			return differ()
		}
	case reflect.Pointer:
		if a.IsNil() != b.IsNil() {
			return differ()
		}
		if !a.IsNil() {
			return w.diff(at, a.Elem(), b.Elem())
		}
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return differ()
		}
		return w.diffElems(at, a, b)
	case reflect.Array:
		return w.diffElems(at, a, b)
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return differ()
		}
		if pointing(a.Type().Key()) {
			return w.diffEntries(at, a, b)
		}
		for iter := a.MapRange(); iter.Next(); {
			other := b.MapIndex(iter.Key())
			if !iter.Key().Equal(iter.Key()) {
				continue // NaN is found in no map
			}
			if !other.IsValid() {
				return fmt.Sprintf("%s[%v]: only in one", at, iter.Key())
			}
			if d := w.diff(fmt.Sprintf("%s[%v]", at, iter.Key()), iter.Value(), other); d != "" {
				return d
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if skipped(f) {
				continue
			}
			if d := w.diff(at+"."+f.Name, a.Field(i), b.Field(i)); d != "" {
				return d
			}
		}
	default:
		if !a.Equal(b) {
			return differ()
		}
	}
	return ""
}

// pointing says that keys of a type hold pointers, which are compared by what they point to.
func pointing(key reflect.Type) bool {
	switch key.Kind() {
	case reflect.Pointer:
		return true
	case reflect.Array:
		return pointing(key.Elem())
	case reflect.Struct:
		for i := range key.NumField() {
			if pointing(key.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// diffEntries looks for an equal entry of b for each one of a, among those that have not been found before.
func (w *world) diffEntries(at string, a, b reflect.Value) string {
	var left [][2]reflect.Value
	for iter := b.MapRange(); iter.Next(); {
		left = append(left, [2]reflect.Value{variable(iter.Key()), variable(iter.Value())})
	}
	for iter := a.MapRange(); iter.Next(); {
		key, val := variable(iter.Key()), variable(iter.Value())
		i := slices.IndexFunc(left, func(e [2]reflect.Value) bool { return w.diff(at, key, e[0]) == "" && w.diff(at, val, e[1]) == "" })
		if i < 0 {
			return fmt.Sprintf("%s[%v]: only in one", at, iter.Key())
		}
		left = slices.Delete(left, i, i+1)
	}
	return ""
}

func (w *world) diffElems(at string, a, b reflect.Value) string {
	if a.Type().Elem().Size() == 0 {
		return "" // there may be millions, and they are all the same
	}
	for i := range a.Len() {
		if d := w.diff(fmt.Sprintf("%s[%d]", at, i), a.Index(i), b.Index(i)); d != "" {
			return d
		}
	}
	return ""
}

// asTime returns a time also from an unexported field.
func asTime(v reflect.Value) time.Time {
	if v.CanInterface() {
		return v.Interface().(time.Time)
	}
	c := reflect.New(timeType).Elem()
	if v.CanAddr() {
		c = reflect.NewAt(timeType, v.Addr().UnsafePointer()).Elem()
	}
	return c.Interface().(time.Time)
}
