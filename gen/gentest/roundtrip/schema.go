package roundtrip

import (
	"errors"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/rwgen/rwgen/runtime/wire"
)

var ratType = reflect.TypeFor[big.Rat]()

// maxUnions is how many unions may stand in one another where nothing else is drawn any more.
const maxUnions = 4

// plainMembers returns the members of a union that are no structs.
func plainMembers(members []reflect.Type) []reflect.Type {
	var plain []reflect.Type
	for _, m := range members {
		if m.Kind() != reflect.Struct && m.Kind() != reflect.Pointer {
			plain = append(plain, m)
		}
	}
	return plain
}

// fillDecimal sets a [big.Rat] to a decimal of a few digits, which most decimals of schemas have room for.
func (f filler) fillDecimal(v reflect.Value) {
	powers := [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}
	unscaled, scale := f.rng.Int64N(powers[1+f.rng.IntN(9)]), 0
	if f.rng.IntN(2) == 0 {
		unscaled = -unscaled
	}
	if f.rng.IntN(2) == 0 {
		scale = f.rng.IntN(5)
	}
	v.Set(reflect.ValueOf(big.NewRat(unscaled, powers[scale])).Elem())
}

// maxSymbols is how many values of an enum are drawn from.
const maxSymbols = 256

// fillEnum sets v to a value that its method Valid takes, if it is of such a type whose values begin at 0, as those are that rwgen generates.
func (f filler) fillEnum(v reflect.Value) bool {
	if !v.CanInt() {
		return false
	}
	if _, ok := v.Interface().(interface{ Valid() bool }); !ok {
		return false
	}
	n := 0
	for candidate := variable(v); n < maxSymbols; n++ {
		candidate.SetInt(int64(n))
		if candidate.Int() != int64(n) || !candidate.Interface().(interface{ Valid() bool }).Valid() {
			break
		}
	}
	if n > 0 {
		v.SetInt(int64(f.rng.IntN(n)))
	}
	return n > 0
}

// redraw draws the place again that an error of writing names, and reports whether it names one.
func (f filler) redraw(v reflect.Value, err error) bool {
	var at *wire.Error
	if !errors.As(err, &at) || at.Path == "" {
		return false
	}
	place, tag := v, reflect.StructField{}
	for rest := at.Path; rest != ""; {
		var part string
		if part, rest = nextPart(rest); part == "" {
			break
		}
		next, sf, ok := inner(place, part)
		if !ok {
			break
		}
		place = next
		if sf.Name != "" {
			tag = sf
		} else {
			tag = reflect.StructField{}
		}
	}
	if place == v {
		return false
	}
	f.left = max(f.left-1, 1)
	f.fill(place)
	if tag.Name != "" {
		f.obey(tag, place)
	}
	return true
}

// nextPart splits a path of [wire.Error] behind its first part: the name of a field, or an index in brackets.
func nextPart(path string) (part, rest string) {
	path = strings.TrimPrefix(path, ".")
	end := strings.IndexAny(path[min(1, len(path)):], ".[")
	if end < 0 {
		return path, ""
	}
	return path[:end+1], path[end+1:]
}

// inner returns the variable that a part of a path leads to; ok is false if there is none, as in a map, and for what a union holds by value.
func inner(v reflect.Value, part string) (place reflect.Value, sf reflect.StructField, ok bool) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return v, sf, false
		}
		v = v.Elem()
	}
	if !v.CanSet() {
		return v, sf, false
	}
	switch {
	case part[0] == '[':
		i, err := strconv.Atoi(strings.Trim(part, "[]"))
		if v.Kind() != reflect.Slice && v.Kind() != reflect.Array || err != nil || i < 0 || i >= v.Len() {
			return v, sf, false
		}
		return v.Index(i), sf, true
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if sf := v.Type().Field(i); sf.Name == part && !hidden(v.Type(), sf) {
				return field(v, i), sf, true
			}
		}
	}
	return v, sf, false
}
