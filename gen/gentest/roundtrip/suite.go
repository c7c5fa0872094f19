package roundtrip

import (
	"reflect"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
)

// Suite is a list of serializers to be tested. The zero value is an empty list. It is filled and run by one goroutine.
type Suite struct {
	records []entry
	options []record.ReflectOption
	// types holds what cannot be seen from a type itself: the members of unions, and the encodings of registered types.
	types knowledge
}

type entry struct {
	name string
	run  func(*testing.T)
}

// knowledge is what was registered with a suite.
type knowledge struct {
	unions map[reflect.Type][]reflect.Type
	codecs map[reflect.Type]own
}

// Record adds a serializer. The name is that of its test. If the format is another one than the native, which the schema tells, the reflective serializer has no part in the test: what
// is written is read, written again, and the bytes are compared.
func Record[T any](s *Suite, name string, ser record.Serializer[T]) {
	s.records = append(s.records, entry{name, func(t *testing.T) { test(t, s, ser) }})
}

// Union says which types the values of the interface type I have in records, as the directive of the union does and in its order: zero values of
// the types, or nil pointers.
func Union[I any](s *Suite, members ...I) {
	types := make([]reflect.Type, len(members))
	for i, m := range members {
		types[i] = reflect.TypeOf(m)
	}
	if s.types.unions == nil {
		s.types.unions = make(map[reflect.Type][]reflect.Type)
	}
	s.types.unions[reflect.TypeFor[I]()] = types
	s.options = append(s.options, record.UnionOf(members...))
}

// Codec says that values of T have the encoding of a registered codec.
func Codec[T any](s *Suite, codec interface {
	Append(dst []byte, v *T) ([]byte, error)
	Consume(src []byte, v *T) error
}) {
	if s.types.codecs == nil {
		s.types.codecs = make(map[reflect.Type]own)
	}
	s.types.codecs[reflect.TypeFor[T]()] = own{
		write: func(p reflect.Value) ([]byte, error) { return codec.Append(nil, p.Interface().(*T)) },
		read:  func(p reflect.Value, b []byte) error { return codec.Consume(b, p.Interface().(*T)) },
	}
	s.options = append(s.options, record.CodecOf[T](codec))
}

// Zero returns the zero value of T. It stands for a member of a union where the name of its type is all that is known.
func Zero[T any]() (zero T) { return zero }

// Run tests each serializer of the suite in a parallel subtest with its name.
func (s *Suite) Run(t *testing.T) {
	for _, e := range s.records {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			e.run(t)
		})
	}
}
