package credit

import "errors"

// What a peer has said wrong. The errors of this package wrap one of these and have the numbers.
var (
	// ErrAck is an acknowledgement of what was not sent, or of a place that the stream does not have.
	ErrAck = errors.New("credit: acknowledgement does not fit")

	// ErrPosition is a place to resume at that is before what was acknowledged, behind what was sent, or none of the stream. Code 9 of the protocol.
	ErrPosition = errors.New("credit: position does not fit")

	// ErrSequence is a message that does not begin where the one before has ended.
	ErrSequence = errors.New("credit: out of sequence")

	// ErrBeyond is a message that ends above the limit.
	ErrBeyond = errors.New("credit: beyond the limit")
)
