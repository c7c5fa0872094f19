package byhand

import (
	"bytes"
	"testing"

	"github.com/rwgen/rwgen/examples/serializers/internal/harness"
	"github.com/rwgen/rwgen/examples/serializers/peers/rwgen"
	"github.com/rwgen/rwgen/examples/serializers/shapes/order"
	"github.com/rwgen/rwgen/examples/serializers/shapes/sensor"
	"github.com/rwgen/rwgen/examples/serializers/shapes/small"
	"github.com/rwgen/rwgen/examples/serializers/shapes/text"
)

// TestSame compares with generated code: both make the same bytes, and make the same of any bytes, of which they accept the same.
func TestSame(t *testing.T) {
	long := harness.Letters(harness.NewRand(), 300)
	t.Run("small", func(t *testing.T) {
		testSame(t, Small, rwgen.Small, append(small.Pool()[:4], small.Record{}, small.Record{Name: long}, small.Record{Name: "n", Phone: long}), small.Equal)
	})
	t.Run("sensor", func(t *testing.T) {
		testSame(t, Sensor, rwgen.Sensor, append(sensor.Pool()[:4], sensor.Record{}), sensor.Equal)
	})
	t.Run("order", func(t *testing.T) {
		few := order.Pool()[:6]
		for i := range few { // of several entries the order is open
			for key := range few[i].Attributes {
				if len(few[i].Attributes) > 1 {
					delete(few[i].Attributes, key)
				}
			}
		}
		testSame(t, Order, rwgen.Order, append(few, order.Record{}, order.Record{Customer: long},
			order.Record{Lines: []order.Line{{SKU: long}, {Tags: []string{"", long}}}, Address: &order.Address{City: long}},
			order.Record{Lines: make([]order.Line, 200), Attributes: map[string]string{long: long}}), order.Equal)
	})
	t.Run("text", func(t *testing.T) {
		testSame(t, Text, rwgen.Text, append(text.Pool()[:2], text.Record{}, text.Record{Text: long}, text.Record{Data: []byte(long)}), text.Equal)
	})
}

func testSame[T any](t *testing.T, byHand, generated func() ([]harness.Row[T], error), records []T, equal func(a, b *T) bool) {
	hand, err := byHand()
	if err != nil {
		t.Fatal(err)
	}
	others, err := generated()
	if err != nil {
		t.Fatal(err)
	}
	for k := range hand {
		h, g := hand[k], others[k]
		if h.View != g.View {
			t.Fatalf("%s is compared with %s", h.Name, g.Name)
		}
		for _, r := range []harness.Row[T]{h, g} {
			if err := r.Codec.Prepare(records); err != nil {
				t.Fatal(err)
			}
		}
		for i := range records {
			src := h.Codec.Bytes(i)
			if want := g.Codec.Bytes(i); !h.View && !bytes.Equal(src, want) { // records of views know no nil maps
				t.Fatalf("%s, record %d: %x, want %x", h.Name, i, src, want)
			}
			testBytes(t, h, g, src, equal)
			for n := range min(len(src), 400) {
				testBytes(t, h, g, src[:n:n], equal)
				for _, x := range []byte{1, 0x80, 0xff} {
					changed := bytes.Clone(src)
					changed[n] ^= x
					testBytes(t, h, g, changed, equal)
				}
			}
			testBytes(t, h, g, append(bytes.Clone(src), 0), equal)
		}
	}
}

// testBytes decodes src both ways.
func testBytes[T any](t *testing.T, h, g harness.Row[T], src []byte, equal func(a, b *T) bool) {
	t.Helper()
	got, err := h.Codec.Decode(src)
	want, wantErr := g.Codec.Decode(src)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%s of %x: %v, generated code says %v", h.Name, src, err, wantErr)
	}
	if err == nil && !equal(&got, &want) {
		t.Fatalf("%s of %x: %+v, want %+v", h.Name, src, got, want)
	}
}
