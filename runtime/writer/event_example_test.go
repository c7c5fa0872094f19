package writer_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/writer"
)

// calibration is a user event: a record of any type, generated or not.
type calibration struct{ Offset float64 }

// Between its records, a writer sends an event of another type. The reader has a handler for it, which is called between the same records.
func ExampleSendEvent() {
	ctx := context.Background()
	x, err1 := exchange.New(exchange.Config{Producers: 1, Consumers: 1})
	readings, err2 := record.Reflect[reading]()
	calibrations, err3 := record.Reflect[calibration]()
	if err := errors.Join(err1, err2, err3); err != nil {
		fmt.Println(err)
		return
	}
	w, err := writer.New(x.Partition(0), readings)
	if err != nil {
		fmt.Println(err)
		return
	}
	offset := 0.0
	r, err := gate.NewReader(x.Gate(0), readings, gate.OnEvent(calibrations, func(from gate.Origin, c *calibration) error {
		fmt.Println("from now on", c.Offset, "behind", from.Seq, "readings")
		offset = c.Offset
		return nil
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	err = errors.Join(
		w.Emit(ctx, &reading{1, 20}),
		writer.SendEvent(w, calibrations, &calibration{0.5}), // to every channel
		w.Emit(ctx, &reading{1, 20}),
		w.Close(),
	)
	if err != nil {
		fmt.Println(err)
	}
	for v, err := range r.All(ctx) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v.Value + offset)
	}
	// Output:
	// 20
	// from now on 0.5 behind 1 readings
	// 20.5
}
