package limit

import (
	"testing"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

// TestAnyBytes cuts encoded records off at every offset, which is an error, and changes every byte, which may give another record, but never a panic.
func TestAnyBytes(t *testing.T) {
	t.Run("small", func(t *testing.T) { testAnyBytes(t, Small, small.Pool) })
	t.Run("sensor", func(t *testing.T) { testAnyBytes(t, Sensor, sensor.Pool) })
	t.Run("order", func(t *testing.T) { testAnyBytes(t, Order, order.Pool) })
	t.Run("text", func(t *testing.T) { testAnyBytes(t, Text, text.Pool) })
}

func testAnyBytes[T any](t *testing.T, rows func() ([]harness.Row[T], error), pool func() []T) {
	all, err := rows()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if err := r.Codec.Prepare(pool()[:8]); err != nil {
			t.Fatal(err)
		}
		for i := range 8 {
			src := append([]byte(nil), r.Codec.Bytes(i)...)
			for n := range src {
				if _, err := r.Codec.Decode(src[:n:n]); err == nil {
					t.Fatalf("%s, record %d: no error for %d of %d bytes", r.Name, i, n, len(src))
				}
			}
			for n := range src {
				for _, b := range []byte{0, 1, 2, 0x7f, 0x80, 0xff} {
					was := src[n]
					src[n] = b
					_, _ = r.Codec.Decode(src)
					src[n] = was
				}
			}
		}
	}
}

// TestNoRoom encodes into buffers that are too small.
func TestNoRoom(t *testing.T) {
	aSmall, aSensor, anOrder, aText := small.Pool()[0], sensor.Pool()[0], order.Pool()[1], text.Pool()[0]
	for name, put := range map[string]func(dst []byte) ([]byte, error){
		"small":  func(dst []byte) ([]byte, error) { return putSmall(dst, &aSmall) },
		"sensor": func(dst []byte) ([]byte, error) { return putSensor(dst, &aSensor) },
		"order":  func(dst []byte) ([]byte, error) { return putOrder(dst, &anOrder) },
		"text":   func(dst []byte) ([]byte, error) { return putText(dst, &aText) },
	} {
		t.Run(name, func(t *testing.T) {
			all, err := put(make([]byte, 4096))
			if err != nil {
				t.Fatal(err)
			}
			for n := range all {
				if _, err := put(make([]byte, n)); err == nil {
					t.Fatalf("no error in %d bytes, the record takes %d", n, len(all))
				}
			}
		})
	}
}
