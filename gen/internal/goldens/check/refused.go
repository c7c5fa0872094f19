package check

import (
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

// Refused tests that a generated serializer and the reflective one refuse v for the same reason, which is want, and at the same offset, whatever the room. Paths are not compared: those of generated
// code have no index in maps, whose order is open; so a map of v on the way must have one entry only.
func Refused[T any](t *testing.T, ser record.Serializer[T], v *T, want error, opts ...Option) {
	t.Helper()
	ref, err := record.Reflect[T](newWorld(opts).reflect...)
	if err != nil {
		t.Fatal(err)
	}
	_, refErr := ref.Append(nil, v)
	var place *wire.Error
	if !errors.Is(refErr, want) || !errors.As(refErr, &place) {
		t.Fatalf("reflected: %v, want %v", refErr, want)
	}
	for room := range 2 * place.Offset {
		dst := make([]byte, 3, 3+room)
		b, err := ser.Append(dst, v)
		var got *wire.Error
		if !errors.Is(err, want) || !errors.As(err, &got) || got.Offset != place.Offset {
			t.Fatalf("with room for %d bytes:\ngenerated %v\nreflected %v", room, err, refErr)
		}
		if len(b) != 3 {
			t.Fatalf("Append returned %d bytes of 3", len(b))
		}
	}
}
