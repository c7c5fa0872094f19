package check

import (
	"fmt"
	"reflect"
)

// left returns where a slice has something with references in it behind its end, "" if there is nothing.
func (w *world) left(v reflect.Value, at string) string {
	if v.Type() == timeType || w.makers[v.Type()] != nil {
		return ""
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return w.left(v.Elem(), at)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if skipped(f) {
				continue
			}
			if found := w.left(v.Field(i), at+"."+f.Name); found != "" {
				return found
			}
		}
	case reflect.Slice:
		if !holdsMemory(v.Type().Elem()) {
			return ""
		}
		all := v.Slice(0, v.Cap())
		for i := v.Len(); i < v.Cap(); i++ {
			if !all.Index(i).IsZero() {
				return fmt.Sprintf("%s[%d]", at, i)
			}
		}
		return w.leftIn(v, at)
	case reflect.Array:
		return w.leftIn(v, at)
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			if found := w.left(iter.Value(), fmt.Sprintf("%s[%v]", at, iter.Key())); found != "" {
				return found
			}
		}
	}
	return ""
}

func (w *world) leftIn(v reflect.Value, at string) string {
	for i := range v.Len() {
		if found := w.left(v.Index(i), fmt.Sprintf("%s[%d]", at, i)); found != "" {
			return found
		}
	}
	return ""
}

// holdsMemory says that values of a type refer to other memory.
func holdsMemory(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	case reflect.Array:
		return t.Len() > 0 && holdsMemory(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsMemory(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
