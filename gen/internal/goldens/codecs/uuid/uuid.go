// Package uuid has a type like the one that programs use most: an array with methods on values and on pointers.
package uuid

import (
	"errors"
	"fmt"
)

// UUID has 16 bytes.
type UUID [16]byte

// MarshalBinary returns the bytes.
func (u UUID) MarshalBinary() ([]byte, error) { return u[:], nil }

// UnmarshalBinary wants exactly the bytes.
func (u *UUID) UnmarshalBinary(p []byte) error {
	if len(p) != len(u) {
		return fmt.Errorf("uuid: %d bytes", len(p))
	}
	copy(u[:], p)
	return nil
}

// MarshalText returns hexadecimal digits, which the format does not use.
func (u UUID) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%x", u[:]), nil }

// UnmarshalText is not used.
func (u *UUID) UnmarshalText([]byte) error { return errors.New("uuid: text") }
