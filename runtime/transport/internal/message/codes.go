package message

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Code says of what kind a [Fault] is. The numbers are those of PROTOCOL.md §7. Codes that are not among them mean the same as [CodeFailed].
type Code uint16

// The codes.
const (
	CodeNone         Code = iota // no error
	CodeProtocol                 // violation of the protocol
	CodeVersion                  // no common version
	CodeForbidden                // not allowed: certificate, token, or partition not for this peer
	CodeTooMany                  // too many connections or channels
	CodeFenced                   // a newer connection or incarnation of the same name
	CodeNotFound                 // no such partition
	CodeTopology                 // topology or selection differs
	CodeInUse                    // another process reads the subpartition
	CodePosition                 // positions do not fit
	CodeRestarted                // the peer, or the producer, has restarted
	CodeUnknown                  // session not known any more
	CodeSchema                   // schema cannot be read
	CodeFailed                   // a producer or reader gave a cause
	CodeCanceled                 // canceled
	CodeEnough                   // the reader needs no more, the producer shall not fail
	CodeConsumerGone             // consumer gone
	CodeClosed                   // shutting down
)

// String returns the meaning in a few words, or "code 77" for one that there is not.
func (c Code) String() string {
	if int(c) >= len(codes) {
		return "code " + strconv.Itoa(int(c))
	}
	return codes[c]
}

// codes has the meaning of each code at its number.
var codes = [...]string{
	CodeNone:         "no error",
	CodeProtocol:     "violation of the protocol",
	CodeVersion:      "no common version",
	CodeForbidden:    "not allowed",
	CodeTooMany:      "too many",
	CodeFenced:       "fenced",
	CodeNotFound:     "not found",
	CodeTopology:     "topology differs",
	CodeInUse:        "in use",
	CodePosition:     "positions do not fit",
	CodeRestarted:    "restarted",
	CodeUnknown:      "unknown session",
	CodeSchema:       "schema cannot be read",
	CodeFailed:       "failed",
	CodeCanceled:     "canceled",
	CodeEnough:       "enough",
	CodeConsumerGone: "consumer gone",
	CodeClosed:       "shutting down",
}

// Fault is the error that a message carries: what PROTOCOL.md §2 calls error. The zero Fault says that there is none.
type Fault struct {
	Code Code
	// Text is for people. Of a longer one the first [MaxFaultText] bytes are sent, cut between two characters; bytes that are no UTF-8 are sent as U+FFFD.
	// A peer may send texts that are longer, up to the limit of the message.
	Text string
}

// String returns code and text, as "in use (8): held by east-2".
func (f Fault) String() string {
	s := f.Code.String()
	if int(f.Code) < len(codes) && f.Code != CodeNone {
		s = fmt.Sprintf("%s (%d)", s, uint16(f.Code))
	}
	if f.Text != "" {
		s += ": " + f.Text
	}
	return s
}

// append appends the fault as it is sent.
func (f Fault) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(f.Code))
	start := len(dst)
	dst = append(dst, 0, 0)
	for _, r := range f.Text { // what is no UTF-8 comes as U+FFFD
		if len(dst)-start-2+utf8.RuneLen(r) > MaxFaultText {
			break
		}
		dst = utf8.AppendRune(dst, r)
	}
	binary.BigEndian.PutUint16(dst[start:], uint16(len(dst)-start-2))
	return dst
}
