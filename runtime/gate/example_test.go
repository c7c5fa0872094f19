package gate_test

import (
	"context"
	"fmt"

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
