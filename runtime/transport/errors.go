package transport

import (
	"context"
	"errors"
	"fmt"

	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/transport/internal/credit"
	"github.com/rwgen/rwgen/runtime/transport/internal/message"
)

// Errors of this package. They come wrapped in a [PeerError], which says with whom, and where.
var (
	// ErrProtocol is returned when the peer has said something that the protocol does not allow.
	ErrProtocol = errors.New("transport: protocol violated")
	// ErrVersion is returned when both sides know no common version of the protocol.
	ErrVersion = errors.New("transport: no common version")
	// ErrForbidden is returned when the peer's certificate, name or token is not accepted, or it may not read a partition.
	ErrForbidden = errors.New("transport: not allowed")
	// ErrTooMany is returned when a server has as many connections or channels as it may, and to a reader whose process has no room for an event or a schema.
	ErrTooMany = errors.New("transport: too many")
	// ErrFenced is returned to a process whose place was taken by a newer one of the same name.
	ErrFenced = errors.New("transport: fenced by a newer process of the same name")
	// ErrNotFound is returned when a partition was not published in time.
	ErrNotFound = errors.New("transport: no such partition")
	// ErrTopology is returned when both sides disagree on numbers of producers or consumers, on an index, or on what records are selected by.
	ErrTopology = errors.New("transport: topology differs")
	// ErrPosition is returned when what one side has received does not fit to what the other has sent.
	ErrPosition = errors.New("transport: positions differ")
	// ErrPeerRestarted is returned when the process on the other side is another one than before: what it had in memory is gone.
	ErrPeerRestarted = errors.New("transport: the peer has restarted")
	// ErrPeerLost is returned when the other side could not be reached for as long as it is waited for, or has left.
	ErrPeerLost = errors.New("transport: peer lost")
	// ErrClosed is returned after Close of a [Server] or [Client], and when the peer has shut down before a channel has ended.
	ErrClosed = errors.New("transport: closed")
	// ErrInsecure is returned for plain TCP where that was not allowed.
	ErrInsecure = errors.New("transport: plain TCP is not allowed")
	// ErrRemote is the cause that a producer or reader in another process has given, of which only the text is known here.
	ErrRemote = errors.New("transport: failed in another process")
)

// Position is a place in the stream of a channel: how many bytes of records, and what weight of events, lie before it. See PROTOCOL.md §1.
type Position = credit.Position

// PeerError is an error on the way to or from another process. It unwraps to its cause.
type PeerError struct {
	Peer         string   // name of the other process; empty if it has never said it
	Address      string   // that was dialed, or that the peer has dialed from
	Partition    string   // id; empty if it is about the connection
	Subpartition int      // of Partition
	Position     Position // what has arrived, or what was acknowledged, of the channel
	Err          error
}

func (e *PeerError) Error() string {
	where := ""
	if e.Partition != "" {
		where = fmt.Sprintf(", subpartition %d of %q", e.Subpartition, e.Partition)
	}
	if e.Position.Data > 0 {
		where += fmt.Sprintf(" after %d bytes of records", e.Position.Data)
	}
	return e.who() + where + e.why()
}

// who names the peer.
func (e *PeerError) who() string {
	switch {
	case e.Peer == "" && e.Address == "":
		return "unknown peer"
	case e.Peer == "":
		return "peer " + e.Address
	case e.Address == "" || e.Peer == e.Address:
		return fmt.Sprintf("peer %q", e.Peer)
	}
	return fmt.Sprintf("peer %q (%s)", e.Peer, e.Address)
}

// why returns the cause, with a word if it is the peer who has said it: it then speaks of itself, of its contexts, and of what it was told by others.
func (e *PeerError) why() string {
	if _, ok := e.Err.(*remoteError); ok {
		return fmt.Sprintf(", said: %v", e.Err)
	}
	return fmt.Sprintf(": %v", e.Err)
}

// Unwrap returns the cause.
func (e *PeerError) Unwrap() error { return e.Err }

// meanings pairs codes with errors of Go, for both directions. The order is that in which an error is looked up.
var meanings = [...]struct {
	code message.Code
	err  error
}{
	{message.CodeProtocol, ErrProtocol},
	{message.CodeVersion, ErrVersion},
	{message.CodeForbidden, ErrForbidden},
	{message.CodeTooMany, ErrTooMany},
	{message.CodeTooMany, partition.ErrEventTooLarge},
	{message.CodeFenced, ErrFenced},
	{message.CodeNotFound, ErrNotFound},
	{message.CodeTopology, ErrTopology},
	{message.CodePosition, ErrPosition},
	{message.CodeRestarted, ErrPeerRestarted},
	{message.CodeUnknown, ErrPeerLost},
	{message.CodeSchema, partition.ErrSchema},
	{message.CodeInUse, partition.ErrInUse},
	{message.CodeEnough, partition.ErrEnough},
	{message.CodeCanceled, partition.ErrCanceled},
	{message.CodeCanceled, context.Canceled},
	{message.CodeConsumerGone, partition.ErrConsumerGone},
	{message.CodeClosed, ErrClosed},
}

// faultOf returns what is sent of an error, nothing for nil.
func faultOf(err error) message.Fault {
	if err == nil {
		return message.Fault{}
	}
	for _, m := range meanings {
		if errors.Is(err, m.err) {
			return message.Fault{Code: m.code, Text: err.Error()}
		}
	}
	return message.Fault{Code: message.CodeFailed, Text: err.Error()}
}

// remoteError is an error of another process: its kind, and its text.
type remoteError struct {
	kind error
	text string
}

func (e *remoteError) Error() string {
	if e.text == "" {
		return e.kind.Error()
	}
	return e.text
}

func (e *remoteError) Unwrap() error { return e.kind }

// errorOf returns the error that was sent, nil if it says that there is none.
func errorOf(f message.Fault) error {
	if f.Code == message.CodeNone {
		return nil
	}
	for _, m := range meanings {
		if m.code == f.Code {
			return &remoteError{m.err, f.Text}
		}
	}
	return &remoteError{ErrRemote, f.Text}
}
