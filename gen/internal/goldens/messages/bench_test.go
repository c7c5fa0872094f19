package messages

import (
	"testing"

	"google.golang.org/protobuf/proto"
)

// What a serializer costs beyond what the runtime of Protobuf does.
func BenchmarkQuake(b *testing.B) {
	q := quake(0)
	room := make([]byte, 1000)
	src, err := proto.Marshal(q)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Put", func(b *testing.B) {
		for b.Loop() {
			if _, err := (QuakeSerializer{}).Put(room, q); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("MarshalAppend", func(b *testing.B) {
		for b.Loop() {
			if _, err := (proto.MarshalOptions{}).MarshalAppend(room[:0], q); err != nil {
				b.Fatal(err)
			}
		}
	})
	var v Quake
	b.Run("Consume", func(b *testing.B) {
		for b.Loop() {
			if _, err := (QuakeSerializer{}).Consume(src, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Unmarshal", func(b *testing.B) {
		for b.Loop() {
			if err := proto.Unmarshal(src, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}
