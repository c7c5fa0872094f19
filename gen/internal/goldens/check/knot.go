package check

import "reflect"

// knot makes values that contain themselves.
type knot struct {
	*world
	above  map[reflect.Type]reflect.Value // pointers, slices and maps that the value is in
	cycles int
}

// tie sets a variable to a value that contains itself wherever the type allows it.
func (k *knot) tie(v reflect.Value) {
	if v.Type() == timeType || k.makers[v.Type()] != nil {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if !k.recursive(v.Type()) {
			return
		}
		if known, ok := k.above[v.Type()]; ok {
			v.Set(known)
			k.cycles++
			return
		}
		k.container(v)
	case reflect.Array:
		for i := range v.Len() {
			k.tie(v.Index(i))
		}
	case reflect.Struct:
		if v.CanAddr() {
			k.within(v.Addr(), func() { k.fields(v) })
			return
		}
		k.fields(v)
	case reflect.Interface:
		k.member(v)
	}
}

func (k *knot) fields(v reflect.Value) {
	for i := range v.NumField() {
		if !skipped(v.Type().Field(i)) {
			k.tie(field(v, i))
		}
	}
}

// within calls f while what is inside can point to p.
func (k *knot) within(p reflect.Value, f func()) {
	old, ok := k.above[p.Type()]
	k.above[p.Type()] = p
	f()
	delete(k.above, p.Type())
	if ok {
		k.above[p.Type()] = old
	}
}

// container makes a pointer, slice or map of one element, and ties the element.
func (k *knot) container(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()).Convert(v.Type()))
		k.within(v, func() { k.tie(v.Elem()) })
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		k.within(v, func() { k.tie(v.Index(0)) })
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		elem := reflect.New(v.Type().Elem()).Elem()
		k.within(v, func() { k.tie(elem) })
		v.SetMapIndex(reflect.Zero(v.Type().Key()), elem)
	}
}

// member sets a union to its first member that can contain itself.
func (k *knot) member(v reflect.Value) {
	for _, m := range k.members[v.Type()] {
		if !k.recursive(m) {
			continue
		}
		x := reflect.New(m).Elem()
		k.tie(x)
		v.Set(x)
		return
	}
}

// recursive says that values of a type can contain values of a type that contain themselves.
func (w *world) recursive(t reflect.Type) bool {
	return w.reaches(t, map[reflect.Type]bool{}, map[reflect.Type]bool{})
}

// reaches looks for a type among those that it is within.
func (w *world) reaches(t reflect.Type, above, done map[reflect.Type]bool) bool {
	switch {
	case above[t]:
		return true
	case done[t] || t == timeType || w.makers[t] != nil:
		return false
	}
	above[t] = true
	defer func() { delete(above, t); done[t] = true }()
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return w.reaches(t.Elem(), above, done)
	case reflect.Array:
		return t.Len() > 0 && w.reaches(t.Elem(), above, done)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !skipped(f) && w.reaches(f.Type, above, done) {
				return true
			}
		}
	case reflect.Interface:
		for _, m := range w.members[t] {
			if w.reaches(m, above, done) {
				return true
			}
		}
	}
	return false
}
