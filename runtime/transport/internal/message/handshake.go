package message

import "encoding/binary"

// Magic is what a HELLO begins with: "RWGX".
const Magic = 0x52574758

// Hello is the first message of a client.
type Hello struct {
	Lowest, Highest uint16      // versions of the protocol that the client knows
	Name            string      // of the client's process, 1 to [MaxName] bytes
	Incarnation     Incarnation // of the client's process
	Token           []byte      // what the server asks for; empty: none
	DataMax         uint32      // most bytes of records in a DATA that the client takes
	KeepAliveMillis uint32      // how long the client sends nothing, in milliseconds
}

// Type returns [TypeHello].
func (Hello) Type() Type { return TypeHello }

// Append appends the message; its channel is always 0. A name or token that is too long is cut, see [Hello.Check].
func (m Hello) Append(dst []byte, _ uint32) []byte {
	start := len(dst)
	dst = begin(dst, TypeHello, 0, 0)
	dst = binary.BigEndian.AppendUint32(dst, Magic)
	dst = binary.BigEndian.AppendUint16(dst, m.Lowest)
	dst = binary.BigEndian.AppendUint16(dst, m.Highest)
	dst = appendText(dst, m.Name)
	dst = append(dst, m.Incarnation[:]...)
	dst = appendBytes(dst, m.Token)
	dst = binary.BigEndian.AppendUint32(dst, m.DataMax)
	dst = binary.BigEndian.AppendUint32(dst, m.KeepAliveMillis)
	return end(dst, start)
}

// Check returns the [*Error] for which a server would refuse the message, nil if there is none.
func (m Hello) Check() error {
	c := checker{t: TypeHello}
	c.skip(4 + 2 + 2)
	c.name("name", m.Name)
	c.skip(len(m.Incarnation))
	c.short("token", len(m.Token))
	c.skip(4 + 4)
	return c.done()
}

// ParseHello reads the body of a HELLO. The token aliases the body. That the versions make sense is not checked.
func ParseHello(body []byte) (Hello, error) {
	f := fields{t: TypeHello, body: body}
	if magic := f.u32("magic"); magic != Magic {
		f.fail(0, "magic", "is %#08x, must be %#08x", magic, uint32(Magic))
	}
	var m Hello
	m.Lowest = f.u16("lowest version")
	m.Highest = f.u16("highest version")
	m.Name = f.name("name")
	m.Incarnation = f.incarnation("incarnation")
	m.Token = f.bytes("token")
	m.DataMax = f.u32("most bytes of records")
	m.KeepAliveMillis = f.u32("keep-alive")
	if err := f.done(); err != nil {
		return Hello{}, err
	}
	return m, nil
}

// Welcome is the first message of a server that takes the client.
type Welcome struct {
	Version         uint16      // of the protocol, for the rest of the connection
	Name            string      // of the server's process, 1 to [MaxName] bytes
	Incarnation     Incarnation // of the server's process
	DataMax         uint32      // most bytes of records in a DATA that the server sends
	KeepAliveMillis uint32      // how long the server sends nothing, in milliseconds
}

// Type returns [TypeWelcome].
func (Welcome) Type() Type { return TypeWelcome }

// Append appends the message; its channel is always 0. A name that is too long is cut, see [Welcome.Check].
func (m Welcome) Append(dst []byte, _ uint32) []byte {
	start := len(dst)
	dst = begin(dst, TypeWelcome, 0, 0)
	dst = binary.BigEndian.AppendUint16(dst, m.Version)
	dst = appendText(dst, m.Name)
	dst = append(dst, m.Incarnation[:]...)
	dst = binary.BigEndian.AppendUint32(dst, m.DataMax)
	dst = binary.BigEndian.AppendUint32(dst, m.KeepAliveMillis)
	return end(dst, start)
}

// Check returns the [*Error] for which a client would refuse the message, nil if there is none.
func (m Welcome) Check() error {
	c := checker{t: TypeWelcome}
	c.skip(2)
	c.name("name", m.Name)
	c.skip(len(m.Incarnation) + 4 + 4)
	return c.done()
}

// ParseWelcome reads the body of a WELCOME.
func ParseWelcome(body []byte) (Welcome, error) {
	f := fields{t: TypeWelcome, body: body}
	var m Welcome
	m.Version = f.u16("version")
	m.Name = f.name("name")
	m.Incarnation = f.incarnation("incarnation")
	m.DataMax = f.u32("most bytes of records")
	m.KeepAliveMillis = f.u32("keep-alive")
	if err := f.done(); err != nil {
		return Welcome{}, err
	}
	return m, nil
}

// Refused is the last message of a side that closes the connection for a reason.
type Refused struct{ Fault Fault }

// Type returns [TypeRefused].
func (Refused) Type() Type { return TypeRefused }

// Append appends the message; its channel is always 0.
func (m Refused) Append(dst []byte, _ uint32) []byte {
	start := len(dst)
	return end(m.Fault.append(begin(dst, TypeRefused, 0, 0)), start)
}

// ParseRefused reads the body of a REFUSED.
func ParseRefused(body []byte) (Refused, error) {
	fault, err := parseFault(TypeRefused, body)
	return Refused{fault}, err
}

// parseFault reads a body that is an error and nothing else.
func parseFault(t Type, body []byte) (Fault, error) {
	f := fields{t: t, body: body}
	fault := f.fault()
	if err := f.done(); err != nil {
		return Fault{}, err
	}
	return fault, nil
}
