// Package decimal has a number like those of well-known packages, with fields that nobody sees, and others that have no methods.
package decimal

import (
	"encoding/binary"
	"errors"
	"math/big"
)

// Decimal is a number of any size. Its zero value is 0.
type Decimal struct {
	value *big.Int
	exp   int32
}

// New returns value · 10^exp.
func New(value int64, exp int32) Decimal { return Decimal{big.NewInt(value), exp} }

// MarshalBinary returns the exponent and the integer.
func (d Decimal) MarshalBinary() ([]byte, error) {
	value := d.value
	if value == nil {
		value = new(big.Int)
	}
	b, err := value.GobEncode()
	return append(binary.BigEndian.AppendUint32(nil, uint32(d.exp)), b...), err
}

// UnmarshalBinary reads what MarshalBinary returns.
func (d *Decimal) UnmarshalBinary(p []byte) error {
	if len(p) < 5 {
		return errors.New("decimal: too short")
	}
	d.exp, d.value = int32(binary.BigEndian.Uint32(p)), new(big.Int)
	return d.value.GobDecode(p[4:])
}

// Money has no methods and hides its field.
type Money struct{ cents int64 }

// Cents returns an amount.
func Cents(n int64) Money { return Money{n} }

// Cents returns the amount.
func (m Money) Cents() int64 { return m.cents }
