package roundtrip

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/rwgen/rwgen/runtime/record"
)

var timeType = reflect.TypeFor[time.Time]()

// skipped says that a field is not part of the format.
func skipped(f reflect.StructField) bool { return f.Name == "_" || f.Tag.Get("rw") == "-" }

// hidden says that a field of a struct is not looked at: one that is not part of the format, or of a Protobuf message, whose state is not exported.
func hidden(rt reflect.Type, f reflect.StructField) bool {
	return skipped(f) || !f.IsExported() && message(rt)
}

// message says that a struct is a message of protoc-gen-go.
func message(rt reflect.Type) bool {
	_, ok := reflect.PointerTo(rt).MethodByName("ProtoReflect")
	return ok
}

// field returns a field of an addressable struct, settable also if it is not exported.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// filler sets variables to random values.
type filler struct {
	*knowledge
	rng   *rand.Rand
	local string // package of the record
	key   bool   // no NaN, which is a new key each time
	left  int    // levels of pointers, slices, maps and unions
	wild  bool   // now and then break what tags ask for
	// schema says that the format has a schema of its own, which may know fewer values than the Go types: symbols of an enum, times within 64 bits, decimals of some digits,
	// and unions without nil. Values are drawn from what such schemas have.
	schema bool
}

// fill sets v to a random value. Fields outside the format keep theirs.
func (f filler) fill(v reflect.Value) {
	if v.Type() == timeType {
		v.Set(reflect.ValueOf(f.time()))
		return
	}
	if f.schema && v.Type() == ratType && f.rng.IntN(8) > 0 {
		f.fillDecimal(v)
		return
	}
	if o, ok := f.ownOf(v.Type(), f.local); ok {
		o.fill(f.rng, v.Addr())
		return
	}
	if f.schema && f.fillEnum(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.rng.IntN(2) == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.word()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(f.word())
	case reflect.Float32:
		// By its bits: a conversion from float64 would lose payloads of NaN.
		*(v.Addr().Convert(reflect.TypeFor[*float32]()).Interface().(*float32)) = f.float32()
	case reflect.Float64:
		v.SetFloat(f.float64())
	case reflect.Complex64:
		*(v.Addr().Convert(reflect.TypeFor[*complex64]()).Interface().(*complex64)) = complex(f.float32(), f.float32())
	case reflect.Complex128:
		v.SetComplex(complex(f.float64(), f.float64()))
	case reflect.String:
		v.SetString(string(f.bytes()))
	case reflect.Pointer:
		v.SetZero()
		if f.left > 0 && f.rng.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.deeper().fill(v.Elem())
		}
	case reflect.Slice:
		f.fillSlice(v)
	case reflect.Map:
		f.fillMap(v)
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if sf := v.Type().Field(i); !hidden(v.Type(), sf) {
				f.fill(field(v, i))
				f.obey(sf, field(v, i))
			}
		}
	case reflect.Interface:
		f.fillUnion(v)
	}
}

func (f filler) deeper() filler { f.left--; return f }

// length returns a length, or −1 for nil.
func (f filler) length() int {
	if f.left <= 0 {
		return f.rng.IntN(2) - 1
	}
	return f.rng.IntN(5) - 1
}

func (f filler) fillSlice(v reflect.Value) {
	n := f.length()
	if n < 0 {
		v.SetZero()
		return
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		n = len(f.bytes())
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		f.deeper().fill(v.Index(i))
	}
}

func (f filler) fillMap(v reflect.Value) {
	n := f.length()
	if n < 0 {
		v.SetZero()
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		k := f.deeper()
		k.key = true
		k.fill(key)
		f.deeper().fill(val)
		v.SetMapIndex(key, val)
	}
}

// fillUnion sets v to a value of one of the registered members, or to nil.
func (f filler) fillUnion(v reflect.Value) {
	v.SetZero()
	members := f.unions[v.Type()]
	switch {
	case len(members) == 0 || f.rng.IntN(5) == 0:
		return
	case f.left <= 0 && f.schema && f.left > -maxUnions:
		// Nil may be no value of the union. A member without parts ends it.
		if plain := plainMembers(members); len(plain) > 0 {
			members = plain
		}
	case f.left <= 0:
		return
	}
	m := members[f.rng.IntN(len(members))]
	value := reflect.New(m).Elem()
	if m.Kind() == reflect.Pointer {
		if !f.wild || f.rng.IntN(20) > 0 { // otherwise a nil pointer, which is an error
			value.Set(reflect.New(m.Elem()))
			f.deeper().fill(value.Elem())
		}
	} else {
		f.deeper().fill(value)
	}
	v.Set(value)
}

// obey changes the value of a field so that it meets what the tag asks for, but for a few of a wild filler's.
func (f filler) obey(sf reflect.StructField, v reflect.Value) {
	if sf.Tag.Get("protobuf") != "" {
		valid(v)
	}
	tag, err := record.ParseTag(string(sf.Tag))
	if err != nil || f.wild && f.rng.IntN(10) == 0 {
		return
	}
	if tag.UTF8 {
		v.SetString(strings.ToValidUTF8(v.String(), "é"))
	}
	if tag.UnixNano && !v.Interface().(time.Time).IsZero() {
		v.Set(reflect.ValueOf(time.Unix(0, int64(f.rng.Uint64()>>1)).UTC()))
	}
	if tag.Max > 0 && v.Len() > tag.Max {
		switch v.Kind() {
		case reflect.String:
			v.SetString(strings.ToValidUTF8(v.String()[:tag.Max], ""))
		case reflect.Slice:
			v.SetLen(tag.Max)
		case reflect.Map:
			for _, key := range v.MapKeys()[tag.Max:] {
				v.SetMapIndex(key, reflect.Value{})
			}
		}
	}
}

// valid makes the value of a message's field one that has an encoding: strings are UTF-8, and no element is nil.
func valid(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.ToValidUTF8(v.String(), "é"))
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem().Kind() == reflect.String {
			valid(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			if e := v.Index(i); e.Kind() == reflect.Pointer && e.IsNil() {
				e.Set(reflect.New(e.Type().Elem()))
			} else {
				valid(e)
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			k, e := variable(key), variable(v.MapIndex(key))
			v.SetMapIndex(key, reflect.Value{})
			if e.Kind() == reflect.Pointer && e.IsNil() {
				e.Set(reflect.New(e.Type().Elem()))
			}
			valid(k)
			valid(e)
			v.SetMapIndex(k, e)
		}
	}
}

func (f filler) word() uint64 {
	switch f.rng.IntN(8) {
	case 0:
		return 0
	case 1:
		return math.MaxUint64
	case 2:
		return 1 << f.rng.IntN(64)
	case 3:
		return 1<<f.rng.IntN(64) - 1
	}
	return f.rng.Uint64() >> f.rng.IntN(64)
}

func (f filler) float64() float64 {
	x := math.Float64frombits(f.rng.Uint64())
	switch f.rng.IntN(8) {
	case 0:
		x = math.Copysign(0, -1)
	case 1:
		x = math.Inf(1)
	case 2:
		x = math.Float64frombits(0x7ff8000000000001 | f.rng.Uint64()>>13)
	}
	if f.key && (x != x || x == 0) {
		return 1.5
	}
	return x
}

func (f filler) float32() float32 {
	x := math.Float32frombits(f.rng.Uint32())
	switch f.rng.IntN(8) {
	case 0:
		x = float32(math.Copysign(0, -1))
	case 1:
		x = float32(math.Inf(-1))
	}
	if x != x {
		// Quiet: a signalling NaN does not survive every move through a register.
		x = math.Float32frombits(math.Float32bits(x) | 0x400000)
	}
	if f.key && (x != x || x == 0) {
		return 1.5
	}
	return x
}

func (f filler) bytes() []byte {
	n := f.rng.IntN(12)
	if f.rng.IntN(40) == 0 {
		n = f.rng.IntN(300) // longer than a length of one byte says
	}
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(f.rng.Uint32())
	}
	return p
}

func (f filler) time() time.Time {
	if f.rng.IntN(5) == 0 {
		return time.Time{}
	}
	t := time.Unix(int64(f.rng.Uint64()>>20)-1<<43, int64(f.rng.IntN(1e9))).UTC()
	if f.schema && f.rng.IntN(4) > 0 {
		t = time.Unix(0, int64(f.rng.Uint64())).UTC() // from 1677 to 2262: any unit has a number for it
	}
	if !f.key && f.rng.IntN(2) == 0 {
		t = t.In(time.FixedZone("there", 3600*(f.rng.IntN(24)-12)))
	}
	return t
}
