package main

import (
	"context"
	"fmt"

	"github.com/rwgen/rwgen/runtime/exchange"
)

// consumer is what one consumer of an edge has received.
type consumer struct {
	payments []int64          // IDs, in the order in which they came
	cents    int64            // of all payments
	limits   int              // settings
	limit    int64            // the last one
	above    []int64          // IDs of the payments above the limit that was in force when they came
	balances map[string]int64 // cents by card
}

// consume reads one channel of an exchange to its end. each is called for every payment, after it was counted.
func (c *consumer) consume(ctx context.Context, x *exchange.Exchange, index int, each func(context.Context, *Entry) error) (err error) {
	r, err := NewEntryReader(x.Gate(index))
	if err != nil {
		return err
	}
	// If this consumer fails, the task learns why.
	defer func() { _ = r.CloseWithError(err) }()
	var e Entry
	for {
		ok, err := r.Next(ctx, &e)
		if !ok {
			return err
		}
		switch e.Kind {
		case Limit:
			c.limits++
			c.limit = e.Cents
		case Payment:
			c.count(&e)
			if err := each(ctx, &e); err != nil {
				return err
			}
		default:
			return fmt.Errorf("an entry of kind %d", e.Kind)
		}
	}
}

func (c *consumer) count(p *Entry) {
	c.payments = append(c.payments, p.ID)
	c.cents += p.Cents
	c.balances[p.Card] += p.Cents
	if p.Cents > c.limit {
		c.above = append(c.above, p.ID)
	}
}
