// Package message holds the messages of the exchange protocol, version 1, as Go types: how they are written, and how they are read
// from a peer that may send anything. PROTOCOL.md, two directories up, is the protocol; this package is its §2 and the table of codes of its §7. What messages mean for
// channels and sessions is not known here.
//
// A message is read in two steps, so that nothing is allocated for a length that was not checked: [ParseHeader] takes the 12 bytes
// of a header and refuses every length above the limit of its type, and the Parse function of the type takes the body. Slices in what
// these return alias the body; strings are copies. Every error is an [*Error], wraps [ErrMalformed], and says at which byte of the message what is wrong.
//
// A message is written by the Append method of its type, which appends header and body. The bytes of records in a DATA and the record in an EVENT
// need not be copied for that: [AppendDataHeader] and [Event.AppendHeader] append everything before them.
//
//	b := message.Credit{Acknowledged: acknowledged, Limit: limit}.Append(nil, 7)
//	h, err := message.ParseHeader(b[:message.HeaderBytes], message.Client, message.Limits{})
//	if err != nil {
//		return err
//	}
//	c, err := message.ParseCredit(b[message.HeaderBytes:])
//
// Writing and reading DATA, CREDIT, MARK and PING allocates nothing, if the destination has room. All functions are safe for concurrent use.
package message
