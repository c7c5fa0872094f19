package check

import (
	"fmt"
	"math"
	"reflect"
	"time"
)

// difference returns where two values differ in what the format keeps, "" if they are equal: nil is not empty, floats are compared by their
// bits, times as instants, pointers by what they point to, and fields outside the format not at all.
func difference(a, b reflect.Value) string { return diff("", a, b) }

func diff(at string, a, b reflect.Value) string {
	differ := func() string { return fmt.Sprintf("%s: %v and %v", at, a, b) }
	if a.Type() == timeType {
		ta, tb := asTime(a), asTime(b)
		if !ta.Equal(tb) || ta.IsZero() != tb.IsZero() {
			return fmt.Sprintf("%s: %v and %v", at, ta, tb)
		}
		return ""
	}
	switch a.Kind() {
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
			return diff(at, a.Elem(), b.Elem())
		}
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return differ()
		}
		return diffElems(at, a, b)
	case reflect.Array:
		return diffElems(at, a, b)
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return differ()
		}
		for iter := a.MapRange(); iter.Next(); {
			other := b.MapIndex(iter.Key())
			if !iter.Key().Equal(iter.Key()) {
				continue // NaN is found in no map
			}
			if !other.IsValid() {
				return fmt.Sprintf("%s[%v]: only in one", at, iter.Key())
			}
			if d := diff(fmt.Sprintf("%s[%v]", at, iter.Key()), iter.Value(), other); d != "" {
				return d
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if skipped(f) {
				continue
			}
			if d := diff(at+"."+f.Name, a.Field(i), b.Field(i)); d != "" {
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

func diffElems(at string, a, b reflect.Value) string {
	if a.Type().Elem().Size() == 0 {
		return "" // there may be millions, and they are all the same
	}
	for i := range a.Len() {
		if d := diff(fmt.Sprintf("%s[%d]", at, i), a.Index(i), b.Index(i)); d != "" {
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
