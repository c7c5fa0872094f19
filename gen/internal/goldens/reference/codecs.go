package reference

import (
	"encoding/binary"
	"errors"
	"math/big"
	"net/netip"

	"github.com/rwgen/rwgen/gen/internal/goldens/reference/money"
)

// AmountCodec encodes amounts, wherever they stand in records of this package.
//
//rwgen:codec money.Amount
type AmountCodec struct{}

// Append appends the bytes of v.
func (AmountCodec) Append(dst []byte, v *money.Amount) ([]byte, error) {
	return binary.AppendVarint(dst, v.Cents()), nil
}

// Consume reads all of src, which it must not keep, into v, which is zero.
func (AmountCodec) Consume(src []byte, v *money.Amount) error {
	cents, n := binary.Varint(src)
	if n <= 0 || n != len(src) {
		return errors.New("no amount")
	}
	*v = money.Cents(cents)
	return nil
}

//rwgen:record
type Invoice struct {
	Total money.Amount           // by the codec above
	From  netip.Addr             // by its methods AppendBinary and UnmarshalBinary
	Units big.Int                // by its methods AppendText and UnmarshalText
	Rates map[netip.Addr]big.Rat // anywhere, also as keys of maps
}
