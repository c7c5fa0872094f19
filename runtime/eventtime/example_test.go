package eventtime_test

import (
	"fmt"
	"time"

	"github.com/rwgen/rwgen/runtime/eventtime"
)

func ExampleBounded() {
	g := eventtime.NewBounded(10 * time.Microsecond)
	for _, micros := range []int64{100, 95, 130} {
		g.Hurry()
		if w, emit := g.Observe(micros); emit {
			fmt.Println(w)
		}
	}
	// Output:
	// 89
	// 89
	// 119
}
