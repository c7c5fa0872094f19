package check

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"
)

var timeType = reflect.TypeFor[time.Time]()

// skipped says that a field is not part of the format.
func skipped(f reflect.StructField) bool { return f.Name == "_" || f.Tag.Get("rw") == "-" }

// field returns a field of an addressable struct, settable also if it is not exported.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// filler sets variables to random values.
type filler struct {
	*world
	rng  *rand.Rand
	key  bool // no NaN, which is a new key each time
	left int  // levels of pointers, slices and maps
}

// fill sets v to a random value. Fields outside the format keep theirs.
func (f filler) fill(v reflect.Value) {
	if v.Type() == timeType {
		v.Set(reflect.ValueOf(f.time()))
		return
	}
	if random := f.makers[v.Type()]; random != nil {
		v.Set(reflect.ValueOf(random(f.rng)))
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
	case reflect.Interface:
		f.fillUnion(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if fld := v.Type().Field(i); !skipped(fld) {
				f.fill(field(v, i))
				f.obey(tagOf(fld), field(v, i))
			}
		}
	}
}

// fillUnion sets an interface to a random value of one of its members. Pointers are not nil.
func (f filler) fillUnion(v reflect.Value) {
	members := f.members[v.Type()]
	v.SetZero()
	if f.left <= 0 || f.rng.IntN(len(members)+1) == 0 {
		return
	}
	m := members[f.rng.IntN(len(members))]
	if m.Kind() == reflect.Pointer {
		x := reflect.New(m.Elem())
		f.deeper().fill(x.Elem())
		v.Set(x)
		return
	}
	x := reflect.New(m).Elem()
	f.deeper().fill(x)
	v.Set(x)
}

// obey changes the value of a field to one that its tag allows.
func (f filler) obey(tag fieldTag, v reflect.Value) {
	if tag.utf8 {
		v.SetString(strings.ToValidUTF8(v.String(), "é"))
	}
	if tag.unixNano && !v.Interface().(time.Time).IsZero() {
		v.Set(reflect.ValueOf(time.Unix(0, int64(f.rng.Uint64()|1)).In(time.FixedZone("there", 3600))))
	}
	if tag.max == 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		for len(s) > tag.max {
			_, n := utf8.DecodeLastRuneInString(s)
			s = s[:len(s)-n]
		}
		v.SetString(s)
	case reflect.Slice:
		if v.Len() > tag.max {
			v.Set(v.Slice(0, tag.max))
		}
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			if v.Len() > tag.max {
				v.SetMapIndex(iter.Key(), reflect.Value{})
			}
		}
	}
}

func (f filler) deeper() filler { f.left--; return f }

// length returns a length, or −1 for nil.
func (f filler) length() int {
	if f.left <= 0 {
		return f.rng.IntN(2) - 1
	}
	return f.rng.IntN(6) - 1
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
	switch f.rng.IntN(5) {
	case 0:
		return time.Time{}
	case 1:
		t := time.Now() // with a monotonic reading, which is dropped
		if f.key {
			t = t.UTC().Round(0)
		}
		return t
	}
	t := time.Unix(int64(f.rng.Uint64()>>20)-1<<43, int64(f.rng.IntN(1e9))).UTC()
	if !f.key && f.rng.IntN(2) == 0 {
		t = t.In(time.FixedZone("there", 3600*(f.rng.IntN(24)-12)))
	}
	return t
}

// multi says that a value holds a map of several entries, whose order in the bytes is open: to its writer.
func (w *world) multi(v reflect.Value) bool { return w.several(v, false) }

// several is multi, and if sorted is set also for maps that are written in the order of their keys: they may be read in any.
func (w *world) several(v reflect.Value, sorted bool) bool {
	if v.Type() == timeType || w.makers[v.Type()] != nil {
		return false
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && w.several(v.Elem(), sorted)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if w.several(v.Index(i), sorted) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fld := v.Type().Field(i)
			if skipped(fld) {
				continue
			}
			if !sorted && tagOf(fld).sorted && !w.severalIn(v.Field(i), sorted) {
				continue
			}
			if w.several(v.Field(i), sorted) {
				return true
			}
		}
	case reflect.Map:
		if v.Len() > 1 {
			return true
		}
		return w.severalIn(v, sorted)
	}
	return false
}

// severalIn is several for the keys and values of a map.
func (w *world) severalIn(v reflect.Value, sorted bool) bool {
	for iter := v.MapRange(); iter.Next(); {
		if w.several(iter.Key(), sorted) || w.several(iter.Value(), sorted) {
			return true
		}
	}
	return false
}

// Random returns n random values.
func Random[T any](n int, opts ...Option) []T {
	list := make([]T, n)
	w := newWorld(opts)
	for i := range list {
		filler{world: w, rng: rand.New(rand.NewPCG(uint64(i), 2)), left: 2}.fill(reflect.ValueOf(&list[i]).Elem())
	}
	return list
}
