package avro

import (
	"fmt"
	"math/big"

	"github.com/rwgen/rwgen/runtime/wire"
)

// Big decimals, of the logical type big-decimal, are bytes that hold their scale as well: the value times ten to the power of the scale as a decimal of type bytes, and the scale as an int. The least scale that expresses the value is written.

// The bounds of big decimals, written and read: without any, few bytes would be a number of gigabytes.
const (
	// MaxBigDecimalScale is the most digits behind the point, and as a negative scale the most zeros before it.
	MaxBigDecimalScale = 4096
	// MaxBigDecimalBytes bounds the bytes of the value without its point.
	MaxBigDecimalBytes = 4096
)

// bigDecimal returns r·10^scale, in two's complement, and the scale.
func bigDecimal(r *big.Rat) (unscaled []byte, scale int, err error) {
	five, rest := big.NewInt(5), new(big.Int)
	den := new(big.Int).Set(r.Denom())
	twos := int(den.TrailingZeroBits())
	if den.BitLen() > 4*MaxBigDecimalScale {
		return nil, 0, inexactError(r, MaxBigDecimalScale)
	}
	den.Rsh(den, uint(twos))
	fives := 0
	for ; den.BitLen() > 1; fives++ {
		if den.QuoRem(den, five, rest); rest.Sign() != 0 {
			return nil, 0, fmt.Errorf("%s with a finite number of digits: %w", ratText(r), ErrRange)
		}
	}
	if scale = max(twos, fives); scale > MaxBigDecimalScale {
		return nil, 0, inexactError(r, MaxBigDecimalScale)
	}
	if r.Num().BitLen() > 8*MaxBigDecimalBytes {
		return nil, 0, fmt.Errorf("big decimal of more than %d bytes: %w", MaxBigDecimalBytes, ErrRange)
	}
	x := new(big.Int).Mul(r.Num(), power10(scale))
	x.Quo(x, r.Denom())
	v := integer{limbsOf(nil, x), x.Sign() < 0}
	if v.len() > MaxBigDecimalBytes {
		return nil, 0, fmt.Errorf("big decimal of %d bytes, more than %d: %w", v.len(), MaxBigDecimalBytes, ErrRange)
	}
	unscaled = make([]byte, v.len())
	v.put(unscaled)
	return unscaled, scale, nil
}

// BigDecimalLen returns how many bytes r takes as a big decimal, with their length. It is 1 for values that cannot be written.
func BigDecimalLen(r *big.Rat) int {
	unscaled, scale, err := bigDecimal(r)
	if err != nil {
		return 1
	}
	n := BytesLen(unscaled) + LongLen(int64(scale))
	return LongLen(int64(n)) + n
}

// PutBigDecimal writes r as a big decimal to the start of dst and returns how many bytes that took. The error is [wire.ErrShort] if it does not fit into len(dst), and [ErrRange] for a value without a finite number of digits, or beyond the bounds. It
// allocates.
func PutBigDecimal(dst []byte, r *big.Rat) (int, error) {
	unscaled, scale, err := bigDecimal(r)
	if err != nil {
		return 0, err
	}
	size := BytesLen(unscaled) + LongLen(int64(scale))
	n := PutLong(dst, int64(size))
	if n == 0 || size > len(dst)-n {
		return 0, wire.ErrShort
	}
	n += PutBytes(dst[n:], unscaled)
	return n + PutLong(dst[n:], int64(scale)), nil
}

// BigDecimal reads a big decimal from the start of src into r, which must be zero, and returns how many bytes it took. Errors are those of [LengthError], and [wire.ErrCorrupt].
func BigDecimal(src []byte, r *big.Rat) (int, error) {
	p, n := Span(src)
	if n <= 0 {
		return 0, LengthError(n)
	}
	unscaled, m := Span(p)
	if m <= 0 {
		return 0, fmt.Errorf("big decimal: %w", inside(LengthError(m)))
	}
	scale, k := Int(p[m:])
	switch {
	case k <= 0:
		return 0, fmt.Errorf("scale of a big decimal: %w", inside(NumberError(k)))
	case m+k != len(p):
		return 0, fmt.Errorf("%d bytes behind a big decimal: %w", len(p)-m-k, wire.ErrCorrupt)
	case scale > MaxBigDecimalScale || scale < -MaxBigDecimalScale:
		return 0, fmt.Errorf("big decimal of scale %d, beyond %d: %w", scale, MaxBigDecimalScale, wire.ErrLimit)
	case len(unscaled) > MaxBigDecimalBytes:
		return 0, fmt.Errorf("big decimal of %d bytes, more than %d: %w", len(unscaled), MaxBigDecimalBytes, wire.ErrLimit)
	}
	v := longInteger(unscaled)
	if scale < 0 {
		r.SetInt(v.Mul(v, power10(int(-scale))))
		return n, nil
	}
	r.SetFrac(v, power10(int(scale)))
	return n, nil
}

// inside makes the end of bytes within the source an error of the bytes.
func inside(err error) error {
	if err == wire.ErrTruncated {
		return wire.ErrCorrupt
	}
	return err
}
