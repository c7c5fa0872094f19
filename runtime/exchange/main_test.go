package exchange_test

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"github.com/rwgen/rwgen/runtime/exchange"
)

// TestMain fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newExchange returns an exchange that must be closed, with everything given back, when the test ends.
func newExchange(t testing.TB, c exchange.Config) *exchange.Exchange {
	t.Helper()
	x, err := exchange.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// mustClose closes an exchange whose writers and readers are closed.
func mustClose(t testing.TB, x *exchange.Exchange) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // nothing is left to wait for
	if err := x.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
	if s := x.Stats().Pool; s.Used != 0 {
		t.Errorf("%d bytes of blocks were not given back", s.Used)
	}
}
