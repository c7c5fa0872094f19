package reference

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/rwgen/rwgen/gen/internal/goldens/messages/pb"
)

func TestFormats(t *testing.T) {
	quake := &Quake{Id: "q", Place: &pb.Place{Country: "IS"}}
	want, err := proto.Marshal(quake)
	if err != nil {
		t.Fatal(err)
	}
	got, err := QuakeSerializer{}.Append(nil, quake)
	if err != nil || string(got) != string(want) {
		t.Errorf("%x, %v, want %x", got, err, want)
	}
	point := Point{Name: "n", pos: [2]int32{1, -1}}
	b, err := PointSerializer{}.Append(nil, &point)
	var back Point
	if err == nil {
		_, err = PointSerializer{}.Consume(b, &back)
	}
	if err != nil || back != point {
		t.Errorf("%+v, %v", back, err)
	}
}
