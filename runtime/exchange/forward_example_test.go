package exchange_test

import (
	"context"
	"fmt"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// Records are forwarded to another exchange, each to the channel that it came from, without being decoded. Watermarks and events of the first exchange end here: who needs them forwards them from handlers.
func Example_forward() {
	ctx := context.Background()
	trades, err := record.Reflect[Trade]()
	if err != nil {
		fmt.Println(err)
		return
	}
	const channels = 3
	from, to, err := twoExchanges(channels)
	if err != nil {
		fmt.Println(err)
		return
	}
	source, err := writer.New(from.Partition(0), trades, writer.WithSelector(selector.RoundRobin[Trade]()))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 4 {
		if err := source.Emit(ctx, &Trade{"AAA", int64(i)}); err != nil {
			fmt.Println(err)
		}
	}
	if err := source.Close(); err != nil {
		fmt.Println(err)
	}

	// One reader has all channels.
	r, err := gate.NewReader(from.Gate(0, 1, 2), trades)
	if err != nil {
		fmt.Println(err)
		return
	}
	sameChannel := selector.Func(func(*[]byte, int) int { return r.Last().Channel })
	w, err := writer.New(to.Partition(0), record.Raw(trades.Schema()), writer.WithSelector(sameChannel))
	if err != nil {
		fmt.Println(err)
		return
	}
	var payload []byte
	for ok := true; ok; {
		if payload, ok, err = r.NextBytes(ctx); ok {
			err = w.Emit(ctx, &payload)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	_ = r.Close()
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}

	// Behind it everything is as it was written.
	total := 0
	for i := range channels {
		r, err := gate.NewReader(to.Gate(i), trades)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, err := range r.All(ctx) {
			if err != nil {
				fmt.Println(err)
			}
			total++
		}
		_ = r.Close()
	}
	fmt.Println(total, "trades", from.Close(ctx), to.Close(ctx))
	// Output: 4 trades <nil> <nil>
}

// twoExchanges returns two exchanges with one producer and so many channels each.
func twoExchanges(channels int) (a, b *exchange.Exchange, err error) {
	c := exchange.Config{Producers: 1, Consumers: channels, MemoryBytes: 1 << 20}
	if a, err = exchange.New(c); err == nil {
		b, err = exchange.New(c)
	}
	return a, b, err
}
