package gate_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/writer"
)

type event struct{ Name string }

// One reader takes the records of two consumers, and ends when all producers have.
func Example() {
	ctx := context.Background()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	events, err := record.Reflect[event]()
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := writer.New(x.Partition(0), events) // to the two channels in turn
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"start", "stop"} {
		if err := w.Emit(ctx, &event{name}); err != nil {
			fmt.Println(err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	r, err := gate.NewReader(x.Gate(0, 1), events)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for e, err := range r.All(ctx) {
		fmt.Println(e.Name, err)
	}
	// Unordered output:
	// start <nil>
	// stop <nil>
}

type rate struct{ Percent int32 }

// One goroutine reads two streams of different types, whichever has something.
func ExampleSelect() {
	ctx := context.Background()
	x, err1 := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	y, err2 := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	events, err3 := record.Reflect[event]()
	rates, err4 := record.Reflect[rate]()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		fmt.Println(err)
		return
	}
	we, err1 := writer.New(x.Partition(0), events)
	wr, err2 := writer.New(y.Partition(0), rates)
	re, err3 := gate.NewReader(x.Gate(0), events)
	rr, err4 := gate.NewReader(y.Gate(0), rates)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		fmt.Println(err)
		return
	}
	defer re.Close()
	defer rr.Close()
	if err := errors.Join(we.Emit(ctx, &event{"start"}), we.Emit(ctx, &event{"stop"}), wr.Emit(ctx, &rate{5}), we.Close(), wr.Close()); err != nil {
		fmt.Println(err)
	}
	for {
		i, err := gate.Select(ctx, re, rr)
		var e event
		var r rate
		var ok bool
		switch {
		case err != nil:
			fmt.Println(err)
			return
		case i == 0:
			if ok, _, err = re.TryNext(&e); ok {
				fmt.Println("event", e.Name)
			}
		case i == 1:
			if ok, _, err = rr.TryNext(&r); ok {
				fmt.Println("rate", r.Percent)
			}
		default:
			fmt.Println("both have ended")
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// event start
	// rate 5
	// event stop
	// both have ended
}

// A reader is told of event time between the records.
func ExampleOnWatermark() {
	ctx := context.Background()
	x, err1 := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	events, err2 := record.Reflect[event]()
	if err := errors.Join(err1, err2); err != nil {
		fmt.Println(err)
		return
	}
	w, err1 := writer.New(x.Partition(0), events)
	r, err2 := gate.NewReader(x.Gate(0), events,
		gate.OnWatermark(func(w time.Time) {
			fmt.Println("nothing before", w.Add(time.Microsecond).Format(time.TimeOnly), "follows")
		}),
		gate.OnEndOfData(func(e gate.EndOfData) { fmt.Println("end of data, drained:", e.Drained) }))
	if err := errors.Join(err1, err2); err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	noon := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	err := errors.Join(
		w.Emit(ctx, &event{"morning"}),
		w.Watermark(noon.Add(-time.Microsecond)),
		w.EndOfData(true),
	)
	if err != nil {
		fmt.Println(err)
	}
	var e event
	for {
		if ok, ended, err := r.TryNext(&e); !ok || ended || err != nil {
			break
		}
		fmt.Println(e.Name)
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// morning
	// nothing before 12:00:00 follows
	// end of data, drained: true
}

// Records are passed on without being decoded: a tap that copies the frames of a stream to a file, and counts them. What is borrowed is written before the next call.
func ExampleReader_NextBytes() {
	ctx := context.Background()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	events, err := record.Reflect[event]()
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := writer.New(x.Partition(0), events)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := errors.Join(w.Emit(ctx, &event{"start"}), w.Emit(ctx, &event{"stop"}), w.Close()); err != nil {
		fmt.Println(err)
	}
	r, err := gate.NewReader(x.Gate(0), events)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	var file bytes.Buffer
	records := 0
	for {
		payload, ok, err := r.NextBytes(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		if !ok {
			break
		}
		file.Write(binary.BigEndian.AppendUint32(nil, uint32(len(payload))))
		file.Write(payload)
		records++
	}
	fmt.Println(records, "records,", file.Len(), "bytes")
	// Output:
	// 2 records, 19 bytes
}
