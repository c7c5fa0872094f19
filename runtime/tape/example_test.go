package tape_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/tape"
	"github.com/rwgen/rwgen/runtime/writer"
)

type reading struct {
	Sensor uint32
	Value  float64
}

// readings writes a few records to an output.
func readings(out writer.Output, ser record.Serializer[reading]) error {
	w, err := writer.New(out, ser, writer.WithSelector(selector.Global[reading]()))
	if err != nil {
		return err
	}
	for i := range uint32(4) {
		err = errors.Join(err, w.Emit(context.Background(), &reading{i, float64(i) / 2}))
	}
	return errors.Join(err, w.Close())
}

// What is sent to an edge is recorded on its way, and read again from the third record on.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "tape-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "readings.tape")
	ser, err := record.Reflect[reading]()
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := os.Create(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(readings(tape.NewTee(x.Partition(0), file), ser), file.Close())

	t, err := tape.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer t.Close()
	r, err := tape.NewReader(t, ser, tape.From(0, 2))
	if err != nil {
		fmt.Println(err)
		return
	}
	for v, err := range r.All(ctx) {
		lane, record := r.Last()
		fmt.Println(lane, record, v, err)
	}
	// Output:
	// <nil> <nil>
	// 0 2 &{2 1} <nil>
	// 0 3 &{3 1.5} <nil>
}

// A consumer runs again from a tape that was recorded without one.
func ExampleNewReplay() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "tape-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "readings.tape")
	ser, err := record.Reflect[reading]()
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := os.Create(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	rec, err := tape.NewRecorder(tape.RecorderConfig{Topology: selector.Topology{Producers: 1, Consumers: 1}}, file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(readings(rec, ser), file.Close())

	t, err := tape.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer t.Close()
	p, err := tape.NewReplay(ctx, tape.ReplayConfig{Tapes: []*tape.Tape{t}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := gate.NewReader(p.Gate(0), ser)
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := 0.0
	for v, err := range r.All(ctx) {
		if err != nil {
			fmt.Println(err)
			return
		}
		sum += v.Value
	}
	fmt.Println(sum, r.Close(), p.Close(ctx))
	// Output:
	// <nil> <nil>
	// 3 <nil> <nil>
}
