// Command user is what a user's module may look like after the sixty-second start.
package main

import (
	"context"
	"fmt"
	"log"
	"sync"
	"sync/atomic"

	"github.com/rwgen/rwgen/runtime/exchange"
)

func main() {
	ctx := context.Background()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 2})
	if err != nil {
		log.Fatal(err)
	}
	var flights, delay atomic.Int64
	var readers sync.WaitGroup
	for i := range 2 {
		r, err := NewFlightReader(x.Gate(i))
		if err != nil {
			log.Fatal(err)
		}
		readers.Go(func() {
			defer r.Close()
			for f, err := range r.All(ctx) {
				if err != nil {
					log.Fatal(err)
				}
				flights.Add(1)
				delay.Add(int64(f.Delay))
			}
		})
	}
	w, err := NewFlightByOriginWriter(x.Partition(0))
	if err != nil {
		log.Fatal(err)
	}
	for i, origin := range []string{"ATL", "ORD", "DFW"} {
		if err := w.Emit(ctx, &Flight{Origin: origin, Delay: int32(i)}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	readers.Wait()
	if err := x.Close(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("flights=%d delay=%d\n", flights.Load(), delay.Load())
}
