package check

import (
	"encoding"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/rwgen/rwgen/runtime/record"
)

// Option tells the tests what they cannot see in a type: the members of unions, the types with encodings of their own, and the names of before.
type Option func(*world)

// world is what options say.
type world struct {
	members map[reflect.Type][]reflect.Type
	makers  map[reflect.Type]func(*rand.Rand) any
	codecs  map[reflect.Type]func(reflect.Value) []byte
	reflect []record.ReflectOption
}

func newWorld(opts []Option) *world {
	w := &world{
		members: map[reflect.Type][]reflect.Type{},
		makers:  map[reflect.Type]func(*rand.Rand) any{},
		codecs:  map[reflect.Type]func(reflect.Value) []byte{},
	}
	for _, o := range opts {
		o(w)
	}
	return w
}

// Union says that the interface I is a union of the types of members.
func Union[I any](members ...I) Option {
	return func(w *world) {
		for _, m := range members {
			w.members[reflect.TypeFor[I]()] = append(w.members[reflect.TypeFor[I]()], reflect.TypeOf(m))
		}
		w.reflect = append(w.reflect, record.UnionOf(members...))
	}
}

// Alias says that the record had other names before.
func Alias(names ...string) Option {
	return func(w *world) { w.reflect = append(w.reflect, record.Alias(names...)) }
}

// Own says that T has methods that encode it, and how to make random values. Two values are the same if their encodings are.
func Own[T any](random func(*rand.Rand) T) Option {
	return func(w *world) { w.makers[reflect.TypeFor[T]()] = func(rng *rand.Rand) any { return random(rng) } }
}

// Registered is Own for a type with a registered codec.
func Registered[T any](codec interface {
	Append(dst []byte, v *T) ([]byte, error)
	Consume(src []byte, v *T) error
}, random func(*rand.Rand) T,
) Option {
	return func(w *world) {
		Own(random)(w)
		w.codecs[reflect.TypeFor[T]()] = func(v reflect.Value) []byte {
			b, _ := codec.Append(nil, v.Addr().Interface().(*T))
			return b
		}
		w.reflect = append(w.reflect, record.CodecOf[T](codec))
	}
}

// encoding returns the encoding of a value of a type that has one of its own; ok is false for other types.
func (w *world) encoding(v reflect.Value) (b []byte, ok bool) {
	if w.makers[v.Type()] == nil {
		return nil, false
	}
	v = variable(v)
	if codec := w.codecs[v.Type()]; codec != nil {
		return codec(v), true
	}
	switch m := v.Addr().Interface().(type) {
	case encoding.BinaryAppender:
		b, _ = m.AppendBinary(nil)
	case encoding.BinaryMarshaler:
		b, _ = m.MarshalBinary()
	case encoding.TextAppender:
		b, _ = m.AppendText(nil)
	case encoding.TextMarshaler:
		b, _ = m.MarshalText()
	default:
		panic("no methods: " + v.Type().String())
	}
	return b, true
}

// variable returns v as a variable of which everything may be asked: v itself without regard to who exports it, or a copy.
func variable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// fieldTag is what the tag of a field demands of its values.
type fieldTag struct {
	max                    int // 0: nothing
	utf8, sorted, unixNano bool
}

var maxOption = regexp.MustCompile(`\bmax=(\d+)`)

func tagOf(f reflect.StructField) fieldTag {
	tag := f.Tag.Get("rw")
	has := func(option string) bool {
		for o := range strings.SplitSeq(tag, ",") {
			if o == option {
				return true
			}
		}
		return false
	}
	t := fieldTag{utf8: has("utf8"), sorted: has("sorted"), unixNano: has("unixnano")}
	if m := maxOption.FindStringSubmatch(tag); m != nil {
		t.max, _ = strconv.Atoi(m[1])
	}
	return t
}
