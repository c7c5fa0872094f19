package exchange_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Trade is a record for which no code was generated: it is written and read through reflection.
type Trade struct {
	Symbol string
	Amount int64
}

// One producer sends records to two consumers by key. With generated code, writer.New and gate.NewReader are NewTradeBySymbolWriter and NewTradeReader.
func Example() {
	ctx := context.Background()
	x, err := exchange.New(exchange.Config{Producers: 1, Consumers: 2, MemoryBytes: 1 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	trades, err := record.Reflect[Trade]()
	if err != nil {
		fmt.Println(err)
		return
	}
	bySymbol := selector.Key(func(t *Trade) uint64 { return selector.HashString(t.Symbol) })
	w, err := writer.New(x.Partition(0), trades, writer.WithSelector(bySymbol))
	if err != nil {
		fmt.Println(err)
		return
	}
	var readers sync.WaitGroup
	sums := make([]int64, 2)
	for i := range sums {
		r, err := gate.NewReader(x.Gate(i), trades)
		if err != nil {
			fmt.Println(err)
			return
		}
		readers.Go(func() {
			defer r.Close()
			for t, err := range r.All(ctx) {
				if err != nil {
					fmt.Println(err)
					return
				}
				sums[i] += t.Amount
			}
		})
	}
	for i, symbol := range []string{"AAA", "BBB", "CCC", "AAA"} {
		if err := w.Emit(ctx, &Trade{symbol, int64(i + 1)}); err != nil {
			fmt.Println(err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	readers.Wait()
	if err := x.Close(ctx); err != nil {
		fmt.Println(err)
	}
	fmt.Println("sum", sums[0]+sums[1])
	// Output: sum 10
}
