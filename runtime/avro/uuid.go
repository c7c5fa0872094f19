package avro

import (
	"encoding/hex"
	"fmt"
)

// UUID is a value of the logical type uuid: the sixteen bytes of RFC 9562 in their order. It is comparable, so it can be a key of a map. The zero UUID is the nil UUID, which is a value like all others.
type UUID [16]byte

// uuidText is the length of a UUID as text.
const uuidText = 36

// ParseUUID returns the UUID that s is the text of: 32 hexadecimal digits of either case, with dashes behind the 8th, 12th, 16th and 20th. Other forms, such as those with braces or without dashes, are
// errors.
func ParseUUID(s string) (UUID, error) { return parseUUID(s) }

func parseUUID[T string | []byte](s T) (u UUID, err error) {
	if len(s) != uuidText {
		return UUID{}, fmt.Errorf("avro: UUID of %d bytes, want %d", len(s), uuidText)
	}
	i := 0 // in s
	for j := range u {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return UUID{}, fmt.Errorf("avro: UUID %q: %q at index %d, want a dash", string(s), s[i], i)
			}
			i++
		}
		hi, lo := hexDigit(s[i]), hexDigit(s[i+1])
		if hi|lo > 0x0f {
			if hi <= 0x0f {
				i++
			}
			return UUID{}, fmt.Errorf("avro: UUID %q: %q at index %d is no hexadecimal digit", string(s), s[i], i)
		}
		u[j] = hi<<4 | lo
		i += 2
	}
	return u, nil
}

// hexDigit returns the value of a hexadecimal digit, 0xff for other bytes.
func hexDigit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 0xff
}

// put writes the text of u to dst.
func (u *UUID) put(dst *[uuidText]byte) {
	hex.Encode(dst[:8], u[:4])
	dst[8] = '-'
	hex.Encode(dst[9:13], u[4:6])
	dst[13] = '-'
	hex.Encode(dst[14:18], u[6:8])
	dst[18] = '-'
	hex.Encode(dst[19:23], u[8:10])
	dst[23] = '-'
	hex.Encode(dst[24:], u[10:])
}

// String returns the text of u: lower-case digits with dashes.
func (u UUID) String() string {
	var text [uuidText]byte
	u.put(&text)
	return string(text[:])
}

// AppendText implements [encoding.TextAppender] with the text of [UUID.String]. The error is always nil.
func (u UUID) AppendText(dst []byte) ([]byte, error) {
	var text [uuidText]byte
	u.put(&text)
	return append(dst, text[:]...), nil
}

// MarshalText implements [encoding.TextMarshaler]. The error is always nil.
func (u UUID) MarshalText() ([]byte, error) { return u.AppendText(nil) }

// UnmarshalText implements [encoding.TextUnmarshaler] for what [ParseUUID] takes. After an error u is as it was.
func (u *UUID) UnmarshalText(text []byte) error {
	v, err := parseUUID(text)
	if err != nil {
		return err
	}
	*u = v
	return nil
}

// AppendBinary implements [encoding.BinaryAppender] with the sixteen bytes. The error is always nil.
func (u UUID) AppendBinary(dst []byte) ([]byte, error) { return append(dst, u[:]...), nil }

// MarshalBinary implements [encoding.BinaryMarshaler]. The error is always nil.
func (u UUID) MarshalBinary() ([]byte, error) { return u.AppendBinary(nil) }

// UnmarshalBinary implements [encoding.BinaryUnmarshaler] for exactly sixteen bytes. After an error u is as it was.
func (u *UUID) UnmarshalBinary(data []byte) error {
	if len(data) != len(u) {
		return fmt.Errorf("avro: binary UUID of %d bytes, want %d", len(data), len(u))
	}
	copy(u[:], data)
	return nil
}
