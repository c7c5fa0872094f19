package check

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/rwgen/rwgen/runtime/record"
)

// Valuer is a serializer with all that is generated on request.
type Valuer[T any] interface {
	record.Serializer[T]
	Equal(a, b *T) bool
	Clone(v *T) *T
	Reset(v *T)
	Hash(v *T) uint64
}

// Values tests Equal, Clone, Reset and Hash on random values: against a comparison by reflection, and with every part of a value changed.
func Values[T any](t *testing.T, ser Valuer[T], opts ...Option) {
	t.Helper()
	w := newWorld(opts)
	n := values
	if testing.Short() {
		n /= 10
	}
	var last *T
	for seed := range uint64(n) {
		c := &valueChecker[T]{T: t, world: w, ser: ser, rng: rand.New(rand.NewPCG(seed, 3))}
		v := new(T)
		if seed > 0 {
			filler{world: w, rng: c.rng, left: 3}.fill(reflect.ValueOf(v).Elem())
		}
		c.one(v)
		if last != nil {
			c.two(v, last)
		}
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
		last = v
	}
}

type valueChecker[T any] struct {
	*testing.T
	*world
	ser Valuer[T]
	rng *rand.Rand
}

// one tests with one value and copies of it.
func (c *valueChecker[T]) one(v *T) {
	b, err := c.ser.Append(nil, v)
	if err != nil {
		c.Fatalf("Append: %v", err)
	}
	read := new(T)
	if _, err := c.ser.Consume(b, read); err != nil {
		c.Fatalf("Consume: %v", err)
	}
	c.same("what was read", v, read)
	clone := c.ser.Clone(v)
	c.same("the clone", v, clone)
	if at := c.shared(v, clone); at != "" {
		c.Errorf("the clone shares memory: %s", at)
	}
	// Views lie in b, and the clone does not.
	kept := c.ser.Clone(read)
	clear(b)
	c.same("the clone of what was read", v, kept)
	for range 12 {
		c.changed(v, kept)
	}
	c.reset(v)
}

// two tests with two values.
func (c *valueChecker[T]) two(a, b *T) {
	want := c.difference(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()) == ""
	if got, back := c.ser.Equal(a, b), c.ser.Equal(b, a); got != want || back != want {
		c.Errorf("Equal is %v, and the other way %v, want %v", got, back, want)
	}
	if !want && c.ser.Hash(a) == c.ser.Hash(b) {
		c.Errorf("%x is the hash of two values", c.ser.Hash(a))
	}
}

// same tests that two values are equal.
func (c *valueChecker[T]) same(what string, a, b *T) {
	if d := c.difference(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()); d != "" {
		c.Errorf("%s differs: %s", what, d)
	}
	if !c.ser.Equal(a, b) || !c.ser.Equal(b, a) || !c.ser.Equal(a, a) {
		c.Errorf("%s is not Equal", what)
	}
	if x, y := c.ser.Hash(a), c.ser.Hash(b); x != y {
		c.Errorf("%s has the hash %x, want %x", what, y, x)
	}
}

// changed changes one part of a copy of v. kept is equal to v and stays what it is.
func (c *valueChecker[T]) changed(v, kept *T) {
	m := c.ser.Clone(v)
	var parts int
	(&changer{world: c.world, target: -1, count: &parts}).walk("", reflect.ValueOf(m).Elem())
	if parts == 0 {
		return
	}
	ch := &changer{world: c.world, target: c.rng.IntN(parts), count: new(int)}
	ch.walk("", reflect.ValueOf(m).Elem())
	if c.ser.Equal(v, m) || c.ser.Equal(m, v) {
		c.Errorf("Equal does not see %s", ch.what)
	}
	if c.ser.Hash(v) == c.ser.Hash(m) {
		c.Errorf("Hash does not see %s", ch.what)
	}
	c.same("the original of a changed clone", kept, v)
}

// reset tests that a reset value holds nothing, and that the next one is not mixed with it.
func (c *valueChecker[T]) reset(v *T) {
	m := c.ser.Clone(v)
	c.ser.Reset(m)
	if at := c.remains("", reflect.ValueOf(m).Elem()); at != "" {
		c.Errorf("Reset leaves %s", at)
	}
	b, err := c.ser.Append(nil, v)
	if err != nil {
		c.Fatalf("Append: %v", err)
	}
	if _, err := c.ser.Consume(b, m); err != nil {
		c.Fatalf("Consume after Reset: %v", err)
	}
	c.same("what is read after Reset", v, m)
}

// remains returns what a reset value still holds, "" for nothing. Slices and maps may be empty, and the memory of slices must be zero.
func (w *world) remains(at string, v reflect.Value) string {
	switch {
	case v.Type() == timeType || w.makers[v.Type()] != nil:
	case v.Kind() == reflect.Slice:
		if v.Len() > 0 {
			return fmt.Sprintf("%s: %d elements", at, v.Len())
		}
		if all := v.Slice(0, v.Cap()); refers(v.Type().Elem()) {
			for i := range all.Len() {
				if !all.Index(i).IsZero() {
					return fmt.Sprintf("%s[%d] behind the end", at, i)
				}
			}
		}
		return ""
	case v.Kind() == reflect.Map:
		if v.Len() > 0 {
			return fmt.Sprintf("%s: %d entries", at, v.Len())
		}
		return ""
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			if s := w.remains(fmt.Sprintf("%s[%d]", at, i), v.Index(i)); s != "" {
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
			if s := w.remains(at+"."+f.Name, field(v, i)); s != "" {
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

// refers says that values of a type hold pointers.
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return refers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if refers(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// span is some memory that a value refers to.
type span struct {
	start, size uintptr
	at          string
}

// shared returns memory that two values share, "" for none. Strings other than views may be shared, and what is behind types with encodings of their own is
// not looked at.
func (c *valueChecker[T]) shared(a, b *T) string {
	var inA, inB []span
	c.memory("", reflect.ValueOf(a).Elem(), &inA)
	c.memory("", reflect.ValueOf(b).Elem(), &inB)
	for _, x := range inA {
		for _, y := range inB {
			if x.start < y.start+y.size && y.start < x.start+x.size {
				return x.at + " and " + y.at
			}
		}
	}
	return ""
}

func (w *world) memory(at string, v reflect.Value, list *[]span) {
	if v.Type() == timeType || w.makers[v.Type()] != nil {
		return
	}
	add := func(p unsafe.Pointer, size uintptr) {
		if size > 0 {
			*list = append(*list, span{uintptr(p), size, at})
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			add(v.UnsafePointer(), v.Type().Elem().Size())
			w.memory("*"+at, v.Elem(), list)
		}
	case reflect.Interface:
		if !v.IsNil() {
			w.memory(at, variable(v.Elem()), list)
		}
	case reflect.Slice:
		if !v.IsNil() {
			add(v.UnsafePointer(), uintptr(v.Cap())*v.Type().Elem().Size())
		}
		fallthrough
	case reflect.Array:
		if v.Type().Elem().Size() == 0 {
			return
		}
		for i := range v.Len() {
			w.memory(fmt.Sprintf("%s[%d]", at, i), v.Index(i), list)
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		add(v.UnsafePointer(), 1)
		for iter := v.MapRange(); iter.Next(); {
			w.memory(at+"[key]", variable(iter.Key()), list)
			w.memory(at+"[value]", variable(iter.Value()), list)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if skipped(f) {
				continue
			}
			fv := variable(v.Field(i))
			if f.Type.Kind() == reflect.String && tagHas(f, "view") {
				add(unsafe.Pointer(unsafe.StringData(fv.String())), uintptr(fv.Len()))
			}
			w.memory(at+"."+f.Name, fv, list)
		}
	}
}

// changer changes one part of a value, the one with the number target of those that it comes by. It counts them.
type changer struct {
	*world
	target int
	count  *int
	what   string // that was changed
}

// here reports whether the part that the walk comes by is the one.
func (c *changer) here(at string) bool {
	*c.count++
	if *c.count-1 == c.target {
		c.what = at
		return true
	}
	return false
}

func (c *changer) walk(at string, v reflect.Value) {
	if v.Type() == timeType {
		if c.here(at) {
			v.Set(reflect.ValueOf(v.Interface().(time.Time).Add(time.Nanosecond)))
		}
		return
	}
	if random := c.makers[v.Type()]; random != nil {
		before, _ := c.encoding(v)
		if !c.here(at) {
			return
		}
		for seed := uint64(0); ; seed++ {
			v.Set(reflect.ValueOf(random(rand.New(rand.NewPCG(seed, 4)))))
			if after, _ := c.encoding(v); !bytes.Equal(before, after) {
				return
			}
		}
	}
	if v.Type().Size() == 0 {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		if c.here(at) {
			v.SetBool(!v.Bool())
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if c.here(at) {
			v.SetInt(v.Int() ^ 1)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if c.here(at) {
			v.SetUint(v.Uint() ^ 1)
		}
	case reflect.Float32:
		if c.here(at) {
			p := v.Addr().Convert(reflect.TypeFor[*float32]()).Interface().(*float32)
			*p = math.Float32frombits(math.Float32bits(*p) ^ 1<<31) // the sign, of zero and NaN as well
		}
	case reflect.Float64:
		if c.here(at) {
			v.SetFloat(math.Float64frombits(math.Float64bits(v.Float()) ^ 1<<63))
		}
	case reflect.Complex64, reflect.Complex128:
		if c.here(at) {
			v.SetComplex(complex(real(v.Complex()), -imag(v.Complex())))
		}
	case reflect.String:
		if c.here(at) {
			v.SetString(v.String() + "x")
		}
	case reflect.Pointer:
		c.pointer(at, v)
	case reflect.Interface:
		c.union(at, v)
	case reflect.Slice:
		c.slice(at, v)
	case reflect.Array:
		for i := range v.Len() {
			c.walk(fmt.Sprintf("%s[%d]", at, i), v.Index(i))
		}
	case reflect.Map:
		c.entries(at, v)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); !skipped(f) {
				c.walk(at+"."+f.Name, field(v, i))
			}
		}
	}
}

func (c *changer) pointer(at string, v reflect.Value) {
	switch {
	case !c.here(at + " is nil"):
		if !v.IsNil() {
			c.walk("*"+at, v.Elem())
		}
	case v.IsNil():
		v.Set(reflect.New(v.Type().Elem()))
	default:
		v.SetZero()
	}
}

func (c *changer) slice(at string, v reflect.Value) {
	switch {
	case c.here(at + " is nil"):
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		} else {
			v.SetZero()
		}
	case c.here(at + " is longer"):
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	default:
		for i := range v.Len() {
			c.walk(fmt.Sprintf("%s[%d]", at, i), v.Index(i))
		}
	}
}

func (c *changer) entries(at string, v reflect.Value) {
	switch {
	case c.here(at + " is nil"):
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		} else {
			v.SetZero()
		}
	default:
		for iter := v.MapRange(); iter.Next(); {
			val := variable(iter.Value())
			c.walk(at+"[…]", val)
			v.SetMapIndex(iter.Key(), val)
		}
	}
}

// union sets a union to nil, to another member, or changes the member that it has.
func (c *changer) union(at string, v reflect.Value) {
	switch {
	case c.here(at + " is nil"):
		if !v.IsNil() {
			v.SetZero()
			return
		}
		m := c.members[v.Type()][0]
		if m.Kind() == reflect.Pointer {
			v.Set(reflect.New(m.Elem()))
		} else {
			v.Set(reflect.Zero(m))
		}
	case v.IsNil():
	case v.Elem().Kind() == reflect.Pointer:
		if !v.Elem().IsNil() {
			c.walk(at+".(*)", v.Elem().Elem())
		}
	default:
		m := variable(v.Elem())
		c.walk(at+".()", m)
		v.Set(m)
	}
}

// tagHas says that the tag of a field has an option.
func tagHas(f reflect.StructField, option string) bool {
	for _, o := range bytes.Split([]byte(f.Tag.Get("rw")), []byte(",")) {
		if string(o) == option {
			return true
		}
	}
	return false
}
