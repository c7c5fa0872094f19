package roundtrip

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"
	"time"
)

// helpers tests what was generated on request, if it was, with a value and its bytes: against the comparison by reflection.
func (c *checker[T]) helpers(v *T, b []byte, multi bool) {
	read := c.detached(v, b)
	other := new(T)
	c.filler.fill(reflect.ValueOf(other).Elem())
	if _, err := c.ser.Append(nil, other); err == nil {
		c.two(v, other)
	}
	c.two(v, read)
	if s, ok := c.ser.(interface{ Clone(*T) *T }); ok {
		clone := s.Clone(v)
		c.same("Clone", v, clone)
		c.two(v, clone)
		for _, rate := range []int{10, 10, 3, 1} {
			c.scramble(reflect.ValueOf(clone).Elem(), rate)
			c.same("the original of a changed Clone", read, v)
			if _, err := c.ser.Append(nil, clone); err == nil {
				c.two(v, clone)
			}
			clone = s.Clone(v)
		}
	}
	if s, ok := c.ser.(interface{ Reset(*T) }); ok {
		r := c.detached(v, b)
		s.Reset(r)
		if at := c.remains("", reflect.ValueOf(r).Elem()); at != "" {
			c.Errorf("Reset leaves %s", at)
		}
		if _, err := c.ser.Consume(bytes.Clone(b), r); err != nil {
			c.Errorf("Consume after Reset: %v", err)
		}
		c.same("Consume after Reset", v, r)
	}
	if generated(methodFile(reflect.TypeFor[*T](), "AppendBinary")) {
		c.binary(v, b, multi)
	}
}

// detached reads a value and destroys the bytes: what is read has none of them, but for views, of which it has copies after Detach.
func (c *checker[T]) detached(v *T, b []byte) *T {
	read, src := new(T), bytes.Clone(b)
	if _, err := c.ser.Consume(src, read); err != nil {
		c.Errorf("Consume: %v", err)
	}
	if s, ok := c.ser.(interface{ Detach(*T) }); ok {
		s.Detach(read)
	}
	for i := range src {
		src[i] ^= 0xff
	}
	c.same("what was read, without its bytes", v, read)
	return read
}

// two tests Equal and Hash with two values.
func (c *checker[T]) two(a, b *T) {
	d := c.comparer.diff("", reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
	if s, ok := c.ser.(interface{ Equal(a, b *T) bool }); ok {
		if got, back := s.Equal(a, b), s.Equal(b, a); got != (d == "") || back != got {
			c.Errorf("Equal is %v, and the other way %v, but the difference is %q", got, back, d)
		}
	}
	if s, ok := c.ser.(interface{ Hash(*T) uint64 }); ok {
		if x, y := s.Hash(a), s.Hash(b); x != s.Hash(a) || (x == y) != (d == "") {
			c.Errorf("the hashes are %x and %x, but the difference is %q", x, y, d)
		}
	}
}

// binary tests the methods of the interfaces of package encoding.
func (c *checker[T]) binary(v *T, b []byte, multi bool) {
	m := any(v).(interface {
		encoding.BinaryAppender
		encoding.BinaryMarshaler
	})
	appended, err := m.AppendBinary([]byte("before"))
	if err != nil || !bytes.HasPrefix(appended, []byte("before")) || len(appended) != len("before")+len(b) || !multi && string(appended[len("before"):]) != string(b) {
		c.Errorf("AppendBinary = %x, %v, want %x", appended, err, b)
	}
	marshalled, err := m.MarshalBinary()
	if err != nil || len(marshalled) != len(b) || !multi && !bytes.Equal(marshalled, b) {
		c.Errorf("MarshalBinary = %x, %v, want %x", marshalled, err, b)
	}
	read := new(T)
	u := any(read).(encoding.BinaryUnmarshaler)
	if err := u.UnmarshalBinary(marshalled); err != nil {
		c.Errorf("UnmarshalBinary: %v", err)
	}
	for i := range marshalled {
		marshalled[i] ^= 0xff
	}
	c.same("UnmarshalBinary", v, read)
	if err := u.UnmarshalBinary(append(bytes.Clone(b), 0)); err == nil {
		c.Error("UnmarshalBinary takes more than a record")
	}
	if len(b) > 0 && u.UnmarshalBinary(b[:len(b)-1]) == nil {
		c.Error("UnmarshalBinary takes less than a record")
	}
}

// scramble changes one in rate of the parts that a variable holds and leads to, in place.
func (c *checker[T]) scramble(v reflect.Value, rate int) {
	leaf := v.Type() == timeType
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Array, reflect.Struct:
	default:
		leaf = true
	}
	if leaf && c.rng.IntN(rate) > 0 {
		return
	}
	if v.Type() == timeType {
		v.Set(reflect.ValueOf(v.Interface().(time.Time).Add(time.Second)))
		return
	}
	if _, ok := c.comparer.ownOf(v.Type(), c.comparer.local); ok {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() ^ 1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(v.Uint() ^ 1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(42)
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(42)
	case reflect.String:
		v.SetString("42")
	case reflect.Pointer, reflect.Interface:
		if e := v; !v.IsNil() {
			if v.Kind() == reflect.Interface {
				if e = v.Elem(); e.Kind() != reflect.Pointer || e.IsNil() {
					return
				}
			}
			c.scramble(e.Elem(), rate)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Size() > 0 {
			for i := range v.Len() {
				c.scramble(v.Index(i), rate)
			}
		}
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			e := variable(iter.Value())
			c.scramble(e, rate)
		}
		v.Clear()
	case reflect.Struct:
		for i := range v.NumField() {
			if !skipped(v.Type().Field(i)) {
				c.scramble(field(v, i), rate)
			}
		}
	}
}

// remains returns what a value holds after Reset, "" for nothing: slices and maps may be empty, all else is zero.
func (c *checker[T]) remains(at string, v reflect.Value) string {
	_, own := c.comparer.ownOf(v.Type(), c.comparer.local)
	switch {
	case own || v.Type() == timeType:
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Map:
		if v.Len() > 0 {
			return fmt.Sprintf("%s: %d elements", at, v.Len())
		}
		return ""
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			if s := c.remains(fmt.Sprintf("%s[%d]", at, i), v.Index(i)); s != "" {
				return s
			}
		}
		return ""
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if skipped(f) {
				continue
			}
			if s := c.remains(at+"."+f.Name, field(v, i)); s != "" {
				return s
			}
		}
		return ""
	}
	if !v.IsZero() {
		return fmt.Sprintf("%s: %v", at, v)
	}
	return ""
}
