package gate

import "context"

// NextBytes returns the payload of the next record: its encoding, without the length before it. It waits, calls handlers and fails like Next, and may be mixed with it. The record is not decoded,
// so bytes that are no record are not noticed.
//
// The payload is borrowed: it lies where the producer or the reader has put it, it may be shared with other readers, and must not be written to. It is valid until the next call that reads or
// ends (Next, NextBytes, NextBatch, their Try forms, Select, Close); who needs it for longer copies it. So records are passed on or counted without being decoded:
//
//	for {
//		payload, ok, err := r.NextBytes(ctx)
//		if !ok {
//			return err
//		}
//		if _, err := file.Write(payload); err != nil { … }
//	}
//
// With the build tag invariants the payload is a private copy that is overwritten with 0xdb at that call, so tests notice who keeps it.
func (c *Core) NextBytes(ctx context.Context) ([]byte, bool, error) {
	p, ok := c.Frame()
	if !ok {
		var err error
		if p, ok, err = c.Fill(ctx); !ok {
			return nil, false, err
		}
	}
	return c.loan(p), true, nil
}

// TryNextBytes is NextBytes without waiting. It returns false and no error if there is no record now; ended: because all channels have ended.
func (c *Core) TryNextBytes() (payload []byte, ok, ended bool, err error) {
	p, ok := c.Frame()
	if !ok {
		if p, ok, ended, err = c.TryFill(); !ok {
			return nil, false, ended, err
		}
	}
	return c.loan(p), true, false, nil
}

// Same returns the payload of a further record if it lies whole in the current chunk and is within the limits, without giving back what was returned before: that stays valid as long as this one. It is
// for batches of records that borrow from their payloads (Spec.Borrow): the first record of a batch comes from Frame, Fixed or Fill, all others from Same.
func (c *Core) Same() ([]byte, bool) {
	if checked {
		before := c.loans.hold()
		p, ok := c.Frame()
		c.loans.join(before)
		return p, ok
	}
	return c.Frame()
}

// lent returns a payload to generated code, which decodes it.
func (c *Core) lent(p []byte) []byte {
	if checked && c.borrow {
		return c.loans.lend(p)
	}
	return p
}

// loan returns a payload that is lent to the user: nothing can be appended to it in place.
func (c *Core) loan(p []byte) []byte {
	if checked && !c.borrow {
		return c.loans.lend(p)
	}
	return p[:len(p):len(p)]
}
