package message

import (
	"math"
	"strconv"
)

// Type says what a message is. The numbers are those of PROTOCOL.md §2.
type Type uint8

// The types of messages.
const (
	TypeHello Type = 1 + iota
	TypeWelcome
	TypeRefused
	TypeOpen
	TypeOpened
	TypeDenied
	TypeSchema
	TypeWriter
	TypeData
	TypeEvent
	TypeMark
	TypeEnd
	TypeCredit
	TypeCancel
	TypeClosed
	TypePing
	TypePong
	TypeGoodbye
)

// String returns the name in PROTOCOL.md, as "HELLO", or "type 77" for a type that there is not.
func (t Type) String() string {
	if !t.Known() {
		return "type " + strconv.Itoa(int(t))
	}
	return rules[t].name
}

// Known says whether the protocol has the type.
func (t Type) Known() bool { return t >= TypeHello && t <= TypeGoodbye }

// Own says whether messages of the type are about one channel, whose number is in the header. Those of the other types, and of types that there are not, have the number 0.
func (t Type) Own() bool { return t.Known() && rules[t].own }

// Role says who sends: who dials is the client. There is no role 0.
type Role uint8

// The roles. They are bits, because some messages are sent by either.
const (
	Client Role = 1 << iota
	Server

	either = Client | Server
)

// String returns "client" or "server", or "role 0" for one that there is not.
func (r Role) String() string {
	switch r {
	case Client:
		return "client"
	case Server:
		return "server"
	}
	return "role " + strconv.Itoa(int(r))
}

// Flags of an OPEN. Messages of other types have none.
const (
	FlagResume   uint8 = 1 << iota // the channel goes on; the body has the incarnation of the partition
	FlagReattach                   // the channel may go on behind what a client of the same name and another incarnation has received
)

// Bounds of lengths, in bytes.
const (
	MaxName      = 255            // of the names of processes and the ids of partitions, which have at least one
	MaxFaultText = 4 << 10        // of the text of a [Fault] that is sent
	maxText      = math.MaxUint16 // what the length of a text can say
	maxLong      = math.MaxInt32  // more than any long has room for in its message
	maxHandshake = 4 << 10        // of the body of HELLO, WELCOME, OPEN and WRITER
	maxError     = 8 << 10        // of the body of messages that end with an error
	maxSchema    = 2 << 20        // of the body of SCHEMA
	maxEvent     = 17 + 1<<20     // of the body of EVENT
	maxNegotiate = math.MaxUint32 // stands for the limit of DATA in the table
)

// rule is one row of the table of PROTOCOL.md §2.
type rule struct {
	name  string
	from  Role
	own   bool   // it is about a channel
	flags uint8  // that it may have
	least uint32 // of the body, in bytes: what its fields take when all texts are empty that may be
	most  uint32 // of the body, in bytes
}

// rules has the rule of each type at its number.
var rules = [...]rule{
	TypeHello:   {name: "HELLO", from: Client, least: 4 + 2 + 2 + 3 + 16 + 2 + 4 + 4, most: maxHandshake},
	TypeWelcome: {name: "WELCOME", from: Server, least: 2 + 3 + 16 + 4 + 4, most: maxHandshake},
	TypeRefused: {name: "REFUSED", from: either, least: 4, most: maxError},
	TypeOpen:    {name: "OPEN", from: Client, own: true, flags: FlagResume | FlagReattach, least: 3 + 5*4 + 2 + 2 + 4 + 4 + 2*16, most: maxHandshake},
	TypeOpened:  {name: "OPENED", from: Server, own: true, least: 32, most: 64},
	TypeDenied:  {name: "DENIED", from: Server, own: true, least: 4, most: maxError},
	TypeSchema:  {name: "SCHEMA", from: Server, least: 4 + 2 + 4 + 4, most: maxSchema},
	TypeWriter:  {name: "WRITER", from: Server, own: true, least: 4 + 2 + 2, most: maxHandshake},
	TypeData:    {name: "DATA", from: Server, own: true, least: DataPrefixBytes + 1, most: maxNegotiate},
	TypeEvent:   {name: "EVENT", from: Server, own: true, least: eventPrefixBytes + 1, most: maxEvent},
	TypeMark:    {name: "MARK", from: Server, own: true, least: markBytes, most: markBytes},
	TypeEnd:     {name: "END", from: Server, own: true, least: 16 + 4, most: maxError},
	TypeCredit:  {name: "CREDIT", from: Client, own: true, least: creditBytes, most: creditBytes},
	TypeCancel:  {name: "CANCEL", from: Client, own: true, least: 4, most: maxError},
	TypeClosed:  {name: "CLOSED", from: Server, own: true},
	TypePing:    {name: "PING", from: either, least: pingBytes, most: pingBytes},
	TypePong:    {name: "PONG", from: either, least: pingBytes, most: pingBytes},
	TypeGoodbye: {name: "GOODBYE", from: either},
}
