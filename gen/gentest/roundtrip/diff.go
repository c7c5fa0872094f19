package roundtrip

import (
	"fmt"
	"math"
	"reflect"
	"time"
)

// comparer compares values in what the format keeps: nil is not empty, floats are compared by their bits, times as instants, pointers by what they
// point to, types with an encoding of their own by their bytes, and fields outside the format not at all.
type comparer struct {
	*knowledge
	local string // package of the record
}

// diff returns where two addressable values differ, "" if they are equal.
func (c comparer) diff(at string, a, b reflect.Value) string {
	differ := func() string { return fmt.Sprintf("%s: %v and %v", at, a, b) }
	if a.Type() == timeType {
		ta, tb := a.Interface().(time.Time), b.Interface().(time.Time)
		if !ta.Equal(tb) || ta.IsZero() != tb.IsZero() {
			return differ()
		}
		return ""
	}
	if o, ok := c.ownOf(a.Type(), c.local); ok {
		return o.diff(at, a.Addr(), b.Addr())
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		if math.Float64bits(a.Float()) != math.Float64bits(b.Float()) {
			return differ()
		}
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		if math.Float64bits(real(x)) != math.Float64bits(real(y)) || math.Float64bits(imag(x)) != math.Float64bits(imag(y)) {
			return differ()
		}
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return differ()
			}
			return ""
		}
		return c.diff(at, a.Elem(), b.Elem())
	case reflect.Interface:
		if a.IsNil() || b.IsNil() || a.Elem().Type() != b.Elem().Type() {
			if a.IsNil() != b.IsNil() || !a.IsNil() {
				return differ()
			}
			return ""
		}
		return c.diff(at, variable(a.Elem()), variable(b.Elem()))
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return differ()
		}
		return c.diffElems(at, a, b)
	case reflect.Array:
		return c.diffElems(at, a, b)
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return differ()
		}
		return c.diffMaps(at, a, b)
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if skipped(f) {
				continue
			}
			if d := c.diff(at+"."+f.Name, field(a, i), field(b, i)); d != "" {
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

func (c comparer) diffElems(at string, a, b reflect.Value) string {
	if a.Type().Elem().Size() == 0 {
		return "" // there may be millions, and they are all the same
	}
	for i := range a.Len() {
		if d := c.diff(fmt.Sprintf("%s[%d]", at, i), a.Index(i), b.Index(i)); d != "" {
			return d
		}
	}
	return ""
}

// diffMaps pairs up the entries of two maps of one length: keys need not be found by lookup, as NaN and pointers show.
func (c comparer) diffMaps(at string, a, b reflect.Value) string {
	type pair struct{ key, elem reflect.Value }
	var left []pair
	for iter := b.MapRange(); iter.Next(); {
		left = append(left, pair{variable(iter.Key()), variable(iter.Value())})
	}
entries:
	for iter := a.MapRange(); iter.Next(); {
		key, elem := variable(iter.Key()), variable(iter.Value())
		closest := fmt.Sprintf("%s[%v]: only in one", at, key)
		for i, p := range left {
			if c.diff("", key, p.key) != "" {
				continue
			}
			d := c.diff(fmt.Sprintf("%s[%v]", at, key), elem, p.elem)
			if d == "" {
				left = append(left[:i], left[i+1:]...)
				continue entries
			}
			closest = d
		}
		return closest
	}
	return ""
}

// variable returns an addressable copy of a value.
func variable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

// multi says that a value holds a map of several entries, whose order in the bytes is open.
func (c comparer) multi(v reflect.Value) bool {
	if v.Type() == timeType {
		return false
	}
	if _, ok := c.ownOf(v.Type(), c.local); ok {
		return false
	}
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && c.multi(v.Elem())
	case reflect.Interface:
		return !v.IsNil() && c.multi(variable(v.Elem()))
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if c.multi(v.Index(i)) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !hidden(v.Type(), v.Type().Field(i)) && c.multi(field(v, i)) {
				return true
			}
		}
	case reflect.Map:
		if v.Len() > 1 {
			return true
		}
		for iter := v.MapRange(); iter.Next(); {
			if c.multi(variable(iter.Key())) || c.multi(variable(iter.Value())) {
				return true
			}
		}
	}
	return false
}
