package gate

import (
	"context"
	"fmt"

	"github.com/rwgen/rwgen/runtime/partition"
)

// Input is a reader: any generated one, and [Reader] of any type.
type Input interface{ Core() *Core }

// union is a set of readers that one goroutine waits for.
type union struct {
	cores []*Core
	wait  *partition.Union
	turn  int // the next to be asked first
}

// Select returns the index of a reader from which something can be read without waiting: a record, its end, or an error. It waits until there is one, and fails with ctx's error when it would
// have to. Readers that are ready get their turns one after the other, so that none starves if the caller reads a bounded amount, a record or a batch, and then asks again. A reader whose end
// was returned is passed over; if none is left Select returns −1 and no error.
//
//	for {
//		i, err := gate.Select(ctx, orders, payments)
//		…
//		switch i {
//		case 0:
//			ok, _, err := orders.TryNext(&order)
//		case 1:
//			ok, _, err := payments.TryNext(&payment)
//		case -1:
//			return nil
//		}
//	}
//
// A reader that has failed, or was closed before its end, is ready, since its error can be read, and stays so: take it out of the inputs when you have read the error, or Select returns it for ever.
//
// All readers belong to the caller's goroutine. It panics if an input is nil. Select calls their handlers, and gives back what they have read, like their own methods: what was borrowed from the last record of any of them ends.
// What one set of readers needs is made by its first Select; after that Select allocates nothing.
func Select(ctx context.Context, inputs ...Input) (int, error) {
	if len(inputs) == 0 {
		return -1, nil
	}
	u := unionOf(inputs)
	if checked {
		for _, c := range u.cores {
			c.loans.end()
		}
	}
	for {
		if i, left := u.pick(); i >= 0 || !left {
			return i, nil
		}
		if err := u.wait.Wait(ctx); err != nil {
			return -1, err
		}
	}
}

// unionOf returns the union of the readers, a new one unless they are those of the last time.
func unionOf(inputs []Input) *union {
	for i, in := range inputs {
		if in == nil {
			panic(fmt.Sprintf("gate: input %d of Select is nil", i))
		}
	}
	if u := inputs[0].Core().union; u != nil && u.is(inputs) {
		return u
	}
	u := &union{}
	inboxes := make([]*partition.Inbox, len(inputs))
	for i, in := range inputs {
		c := in.Core()
		c.union = u // leaves another one, which is made anew when it is asked for
		u.cores = append(u.cores, c)
		inboxes[i] = c.gate.inbox
	}
	u.wait = partition.NewUnion(inboxes...)
	return u
}

func (u *union) is(inputs []Input) bool {
	if len(u.cores) != len(inputs) {
		return false
	}
	for i, in := range inputs {
		if c := in.Core(); c != u.cores[i] || c.union != u {
			return false
		}
	}
	return true
}

// pick returns the next reader in turn that is ready, −1 if none is, and whether there are readers left that have not ended. What is held back until a reader has nothing else to do is looked at
// when none has.
func (u *union) pick() (i int, left bool) {
	for _, idle := range [...]bool{false, true} {
		left = false
		for k := range u.cores {
			i := u.turn + k
			if i >= len(u.cores) {
				i -= len(u.cores)
			}
			c := u.cores[i]
			if c.ended {
				if !c.closed {
					c.gate.inbox.Drain()
				}
				continue
			}
			left = true
			if c.ready(idle) {
				u.turn = i + 1
				return i, true
			}
		}
		if !left {
			break
		}
	}
	return -1, left
}

// ready reports whether a record, the end or an error can be read without waiting. idle: the goroutine has nothing else to do.
func (c *Core) ready(idle bool) bool {
	if c.inside {
		_ = c.reentered() // it is sticky
		return true
	}
	for {
		if c.err != nil || c.closed || c.held.is || c.whole() {
			return true
		}
		c.finish()
		if c.unread() > 0 {
			p, ok, err := c.cut()
			if err != nil {
				_ = c.corrupt(err) // it is sticky
				return true
			}
			if ok {
				c.hold(p)
				return true
			}
		}
		if c.settle() != nil || c.left == 0 {
			return true
		}
		v, err := c.gate.inbox.Try(idle)
		if err != nil {
			_ = c.fail(err) // it is sticky
			return true
		}
		if v == nil {
			return false
		}
		c.take(v)
	}
}
