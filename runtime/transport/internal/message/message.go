package message

import "math"

// Message is any message.
type Message interface {
	// Type says which.
	Type() Type
	// Append appends header and body and returns the extended slice. Messages that are about no channel do not look at the number of the channel.
	Append(dst []byte, channel uint32) []byte
}

// Parse reads the body of the message that h is the header of, of whatever type. It fails as the Parse function of the type does, for a body whose length is not
// that of the header, and for types that there are not. Slices in the message alias the body.
// Messages that are many are better read by their own functions: this one allocates.
func Parse(h Header, body []byte) (Message, error) {
	if uint64(len(body)) != uint64(h.Length) {
		return nil, h.wrong(HeaderBytes+min(len(body), int(min(h.Length, math.MaxInt32))), "body", "has %d bytes, the header says %d", len(body), h.Length)
	}
	switch h.Type {
	case TypeHello:
		return parsed(ParseHello(body))
	case TypeWelcome:
		return parsed(ParseWelcome(body))
	case TypeRefused:
		return parsed(ParseRefused(body))
	case TypeOpen:
		return parsed(ParseOpen(h.Flags, body))
	case TypeOpened:
		return parsed(ParseOpened(body))
	case TypeDenied:
		return parsed(ParseDenied(body))
	case TypeSchema:
		return parsed(ParseSchema(body))
	case TypeWriter:
		return parsed(ParseWriter(body))
	case TypeData:
		return parsed(ParseData(body))
	case TypeEvent:
		return parsed(ParseEvent(body))
	case TypeMark:
		return parsed(ParseMark(body))
	case TypeEnd:
		return parsed(ParseEnd(body))
	case TypeCredit:
		return parsed(ParseCredit(body))
	case TypeCancel:
		return parsed(ParseCancel(body))
	case TypeClosed:
		return parsed(ParseClosed(body))
	case TypePing:
		return parsed(ParsePing(body))
	case TypePong:
		return parsed(ParsePong(body))
	case TypeGoodbye:
		return parsed(ParseGoodbye(body))
	}
	return nil, h.wrong(offsetType, "type", "is not one of the protocol")
}

// parsed makes a message of what a Parse function returns, nil with an error.
func parsed[M Message](m M, err error) (Message, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
