package message

import (
	"errors"
	"fmt"
)

// ErrMalformed is what every error of reading a message is; see [Error]. The protocol calls it a violation.
var ErrMalformed = errors.New("message: malformed")

// Error says where a message is not what the protocol says. It unwraps to [ErrMalformed].
type Error struct {
	Type   Type   // as in the header, also if there is no such type; 0 if the header ends before it
	Offset int    // of the field, or where the body should end, in bytes from the beginning of the header
	Field  string // as PROTOCOL.md calls it
	Reason string // what is wrong with it, with numbers
}

func (e *Error) Error() string {
	return fmt.Sprintf("%v %v, offset %d: %s %s", ErrMalformed, e.Type, e.Offset, e.Field, e.Reason)
}

// Unwrap returns [ErrMalformed].
func (e *Error) Unwrap() error { return ErrMalformed }
