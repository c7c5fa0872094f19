package writer_test

import (
	"context"
	"fmt"
	"time"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

type reading struct {
	Sensor uint32
	Value  float64
}

// A writer sends every record to every consumer, and its readers see what it wrote at most a millisecond later.
func Example() {
	ctx := context.Background()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	readings, err := record.Reflect[reading]()
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := writer.New(x.Partition(0), readings,
		writer.WithSelector(selector.Broadcast[reading]()), writer.FlushAfter(time.Millisecond), writer.WithName("readings"))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Emit(ctx, &reading{7, 1.5}); err != nil {
		fmt.Println(err)
	}
	for i := range 2 {
		r, err := gate.NewReader(x.Gate(i), readings)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer r.Close()
		var v reading
		ok, err := r.Next(ctx, &v)
		fmt.Println(i, v, ok, err)
	}
	fmt.Println(w.Close())
	// Output:
	// 0 {7 1.5} true <nil>
	// 1 {7 1.5} true <nil>
	// <nil>
}
