package exchange_test

import (
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
)

// TestNoSuch: asking for what there is not panics with the numbers.
func TestNoSuch(t *testing.T) {
	x, err := exchange.New(exchange.Config{Producers: 2, Consumers: 1, MemoryBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	for want, ask := range map[string]func(){
		"exchange: consumer 5 of 1":        func() { x.Gate(5) },
		"exchange: consumer 1 of 1":        func() { x.Gate(0, 1) },
		"exchange: consumer -1 of 1":       func() { x.Gate(-1) },
		"exchange: a gate of no consumers": func() { x.Gate() },
		"exchange: producer 2 of 2":        func() { x.Partition(2) },
		"exchange: producer -1 of 2":       func() { x.Partition(-1) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("recovered %v, want %s", got, want)
				}
			}()
			ask()
		}()
	}
	if err := x.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
