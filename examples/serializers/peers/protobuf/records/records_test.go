package records

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/rwgen/rwgen/examples/serializers/peers/protobuf/pb"
	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/wire"
)

func order(i int) *Order {
	return &Order{
		Id: uint64(i), Customer: fmt.Sprint("customer ", i), Lines: []*pb.Line{{Sku: "a", Qty: int32(i), Tags: []string{"x", "y"}}, {}},
		Attributes: map[string]string{"k": "v"}, Address: &pb.Address{Country: fmt.Sprint("C", i%5)},
	}
}

// The bytes are those of vtprotobuf, in whatever room, and come back as equal messages, without what was there before.
func TestSerializer(t *testing.T) {
	var s OrderSerializer
	used := order(99)
	for i := range 20 {
		v := order(i)
		want, err := v.MarshalVT()
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Append([]byte("pre"), v)
		if err != nil || !bytes.Equal(got[3:], want) || s.Size(v) != len(want) {
			t.Fatalf("%x, %v, want %x", got, err, want)
		}
		for room := range len(want) {
			if n, err := s.Put(make([]byte, room), v); n != 0 || err != wire.ErrShort {
				t.Fatalf("into %d of %d bytes: %d, %v", room, len(want), n, err)
			}
		}
		dst := bytes.Repeat([]byte{0xa5}, len(want)+5)
		if n, err := s.Put(dst, v); n != len(want) || err != nil || !bytes.Equal(dst[:n], want) || !bytes.Equal(dst[n:], bytes.Repeat([]byte{0xa5}, 5)) {
			t.Fatalf("%x, %d, %v", dst, n, err)
		}
		if n, err := s.Consume(want, used); n != len(want) || err != nil || !proto.Equal(used, v) {
			t.Fatalf("%d, %v: %v", n, err, used)
		}
	}
	if n, err := s.Consume([]byte{0x12, 0x7f}, used); n != 0 || err == nil {
		t.Errorf("damaged bytes: %d, %v", n, err)
	}
}

func TestStream(t *testing.T) {
	const channels, records = 3, 100
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: channels})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewOrderByCountryWriter(x.Partition(0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		if err := w.Emit(t.Context(), order(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	read := 0
	for channel := range channels {
		r, err := NewOrderReader(x.Gate(channel))
		if err != nil {
			t.Fatal(err)
		}
		for v, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			read++
			if !proto.Equal(v, order(int(v.Id))) || selector.Scale(selector.HashString(v.Address.Country), channels) != channel {
				t.Errorf("channel %d: %v", channel, v)
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(x.Close(t.Context())); err != nil || read != records {
		t.Errorf("%d records, %v", read, err)
	}
}

// Writing an order costs what vtprotobuf costs: nothing.
func TestAllocs(t *testing.T) {
	room, v := make([]byte, 1000), order(1)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := (OrderSerializer{}).Put(room, v); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
