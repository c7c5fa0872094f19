package record_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/wire"
)

type Flight struct {
	Date   time.Time
	Delay  int32 `rw:"varint"`
	Origin string
	Legs   []Leg
	Remark *string
	crew   string
}

type Leg struct {
	To       string
	Distance int32
	cache    []byte `rw:"-"`
}

// A reflective serializer writes and reads the bytes that generated code does.
func Example() {
	s, err := record.Reflect[Flight]()
	if err != nil {
		fmt.Println(err)
		return
	}
	buf, err := s.Append(nil, &Flight{
		Date:   time.Unix(1000000000, 0),
		Delay:  -3,
		Origin: "ORD",
		Legs:   []Leg{{To: "JFK", Distance: 740}},
		crew:   "A",
	})
	fmt.Printf("%x %v\n", buf, err)

	var f Flight
	n, err := s.Consume(buf, &f)
	fmt.Println(n, err)
	fmt.Println(f.Date, f.Delay, f.Origin, f.Legs[0].To, f.Remark, f.crew, f.Legs[0].cache)
	fmt.Println(s.Schema().Text)
	// Output:
	// 0000ca9a3b000000000000000005034f524402034a464be40200000141 <nil>
	// 29 <nil>
	// 2001-09-09 01:46:40 +0000 UTC -3 ORD JFK <nil> A []
	// rwgen/1 Flight{Date time,Delay vi32,Origin string,Legs []Leg{To string,Distance i32},Remark *string,crew string}
}

// Types without encoding are errors that name the place.
func ExampleReflect_error() {
	type Job struct {
		Name  string
		Steps []struct{ Done chan bool }
	}
	_, err := record.Reflect[Job]()
	fmt.Println(err)
	// Output: record: Job.Steps[].Done: chan bool has no encoding
}

// Bytes that hold no record are errors that name the place.
func ExampleReflect_corrupt() {
	s, err := record.Reflect[Leg]()
	if err != nil {
		fmt.Println(err)
		return
	}
	var leg Leg
	_, err = s.Consume([]byte{3, 'J', 'F', 'K', 0}, &leg)
	fmt.Println(err, errors.Is(err, wire.ErrTruncated))
	// Output: Distance: offset 4: wire: source ends early true
}

func ExampleLimits() {
	type Node struct{ Next *Node }
	s, err := record.Reflect[Node]()
	if err != nil {
		fmt.Println(err)
		return
	}
	var n Node
	_, err = s.ConsumeLimits([]byte{1, 1, 1, 0}, &n, record.Limits{MaxDepth: 3})
	fmt.Println(err)
	// Output: Next.Next.Next: offset 3: more than 3 levels: wire: nested too deeply
}

func ExampleNewSchema() {
	point := &record.Type{Kind: record.KindStruct, Name: "Point", Fields: []record.Field{
		{Name: "X", Type: &record.Type{Kind: record.KindInt32}, Varint: true},
		{Name: "Next", Type: &record.Type{Kind: record.KindPointer}},
	}}
	point.Fields[1].Type.Elem = point
	schema := record.NewSchema("Point", point)
	fmt.Println(schema.Text)
	fmt.Println(schema.Hex())
	// Output:
	// rwgen/1 Point{X vi32,Next *@Point}
	// ccc56e1a7640eccc
}
