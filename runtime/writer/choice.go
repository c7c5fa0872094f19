package writer

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrSelector is returned when the user's function that selects channels failed or panicked; see [SelectorError].
var ErrSelector = errors.New("writer: selector failed")

// SelectorError says that the user's function that selects the channel of a record failed or panicked. Nothing of the record was written, and the writer can go
// on. It is [ErrSelector] and unwraps to what the function returned, or panicked with if that was an error.
type SelectorError struct {
	Record string // Go name of the record type
	By     string // what was asked: the selection, with its key fields if the writer has any
	Cause  error  // what the function returned, or panicked with; never nil
	Stack  []byte // of the panic; nil if the function returned an error
}

func (e *SelectorError) Error() string {
	if e.Stack != nil {
		return fmt.Sprintf("writer: selecting the channel of a %s by %s: panic: %v", e.Record, e.By, e.Cause)
	}
	return fmt.Sprintf("writer: selecting the channel of a %s by %s: %v", e.Record, e.By, e.Cause)
}

// Unwrap returns [ErrSelector] and the cause.
func (e *SelectorError) Unwrap() []error { return []error{ErrSelector, e.Cause} }

// CatchPanic is deferred around a user's function that selects a channel. It turns a panic into an error, which OutOfRange returns, and sets *channel to −1.
func (c *Core) CatchPanic(channel *int) {
	r := recover()
	if r == nil {
		return
	}
	err, ok := r.(error)
	if !ok {
		err = fmt.Errorf("%v", r)
	}
	c.failure = &SelectorError{Record: c.spec.Record, By: c.by(), Cause: err, Stack: debug.Stack()}
	*channel = -1
}

// Failed keeps the error of a user's function that selects a channel, for OutOfRange, and returns −1.
func (c *Core) Failed(err error) int {
	c.failure = &SelectorError{Record: c.spec.Record, By: c.by(), Cause: err}
	return -1
}

// OutOfRange returns the error for a channel that does not exist: that of the user's function if it failed, else [ErrChannel] with the numbers. Nothing
// was written.
func (c *Core) OutOfRange(channel int) error {
	if err := c.failure; err != nil {
		c.failure = nil
		return err
	}
	if c.failer != nil {
		if err := c.failer.Err(); err != nil {
			return &SelectorError{Record: c.spec.Record, By: c.by(), Cause: err}
		}
	}
	return fmt.Errorf("%w: the selector of %s chose channel %d of %d", ErrChannel, c.spec.Record, channel, len(c.builders))
}

// by names what selects the channel.
func (c *Core) by() string {
	switch {
	case c.spec.Key != "":
		return "key " + c.spec.Key
	case c.spec.Func != "":
		return c.spec.Func
	}
	return c.spec.Selection.String()
}
