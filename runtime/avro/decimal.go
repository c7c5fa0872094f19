package avro

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/rwgen/rwgen/runtime/wire"
)

// Decimals: the value times ten to the power of the scale, which must be an integer of at most precision digits, in two's complement with the highest byte first.

// DecimalLen returns how many bytes r takes as a decimal of type bytes, with their length. It is 1 for values that cannot be written.
func DecimalLen(r *big.Rat, precision, scale int) int {
	var s scratch
	x, err := s.unscaled(r, precision, scale)
	if err != nil {
		return 1
	}
	n := x.len()
	return wire.UvarintLen(uint64(n)<<1) + n
}

// PutDecimal writes r as a decimal of type bytes to the start of dst, in as few bytes as possible, and returns how many bytes that took. The error is [wire.ErrShort] if it does not fit into len(dst), and [ErrRange] for more digits before or
// behind the point than precision and scale allow. It allocates for a precision of more than 200 only, unless it fails.
func PutDecimal(dst []byte, r *big.Rat, precision, scale int) (int, error) {
	var s scratch
	x, err := s.unscaled(r, precision, scale)
	if err != nil {
		return 0, err
	}
	size := x.len()
	n := PutLong(dst, int64(size))
	if n == 0 || size > len(dst)-n {
		return 0, wire.ErrShort
	}
	x.put(dst[n : n+size])
	return n + size, nil
}

// PutFixedDecimal writes r as a decimal of type fixed to all of dst. The error is [ErrRange] as for [PutDecimal], and if dst is too small for the value.
func PutFixedDecimal(dst []byte, r *big.Rat, precision, scale int) error {
	var s scratch
	x, err := s.unscaled(r, precision, scale)
	if err != nil {
		return err
	}
	if x.len() > len(dst) {
		return fmt.Errorf("decimal of %d bytes in %d: %w", x.len(), len(dst), ErrRange)
	}
	x.put(dst)
	return nil
}

// Decimal reads a decimal of type bytes from the start of src into r, which must be zero, and returns how many bytes it took. Errors are those of [LengthError], and [wire.ErrCorrupt] for more than precision
// digits.
func Decimal(src []byte, r *big.Rat, precision, scale int) (int, error) {
	p, n := Span(src)
	if n <= 0 {
		return 0, LengthError(n)
	}
	return n, FixedDecimal(p, r, precision, scale)
}

// FixedDecimal reads a decimal that is all of p into r, which must be zero. The error is [wire.ErrCorrupt] for more than precision digits.
func FixedDecimal(p []byte, r *big.Rat, precision, scale int) error {
	p = trimSign(p)
	if len(p) > decimalBytes(precision) {
		return digitsError(precision)
	}
	if len(p) <= 8 {
		v := shortInteger(p)
		if precision < len(powers) {
			if m := magnitude(v); m >= powers[precision] {
				return digitsError(precision)
			}
		}
		switch {
		case scale == 0 || v == 0:
			r.SetInt64(v)
			return nil
		case scale < len(powers)-1:
			r.SetFrac64(v, int64(powers[scale]))
			return nil
		}
	}
	v := longInteger(p)
	if v.BitLen() > certainBits(precision) && v.CmpAbs(power10(precision)) >= 0 {
		return digitsError(precision)
	}
	r.SetFrac(v, power10(scale))
	return nil
}

//go:noinline
func digitsError(precision int) error {
	return fmt.Errorf("decimal of more than %d digits: %w", precision, wire.ErrCorrupt)
}

// decimalBytes returns how many bytes a decimal of that many digits takes at most.
func decimalBytes(precision int) int { return decimalBits(precision)/8 + 1 }

// decimalBits returns a bound of the bits of numbers of that many digits: ten digits are less than 33.22 bits.
func decimalBits(precision int) int { return int(int64(precision)*3322/1000) + 1 }

// certainBits is a bound below decimalBits: numbers of no more bits have no more digits, as ten digits are more than 33.21 bits. The power of ten itself takes time that goes with the square of its digits, and schemas have
// precisions far beyond their numbers.
func certainBits(precision int) int { return int(int64(precision) * 3321 / 1000) }

// trimSign takes bytes from the start of an integer in two's complement that only repeat its sign.
func trimSign(p []byte) []byte {
	for len(p) > 1 && (p[0] == 0 && p[1] < 0x80 || p[0] == 0xff && p[1] >= 0x80) {
		p = p[1:]
	}
	return p
}

// shortInteger returns the integer of at most eight bytes p. No bytes are 0.
func shortInteger(p []byte) int64 {
	v := int64(0)
	if len(p) > 0 && p[0] >= 0x80 {
		v = -1
	}
	for _, b := range p {
		v = v<<8 | int64(b)
	}
	return v
}

// longInteger is shortInteger for any number of bytes.
func longInteger(p []byte) *big.Int {
	v := new(big.Int).SetBytes(p)
	if len(p) > 0 && p[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(p))))
	}
	return v
}

func power10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// magnitude returns |v|.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// powers are the powers of ten that 64 bits hold.
var powers = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// scratch is memory for the arithmetic of one decimal of about 200 digits, so that writing it takes none from the heap.
type scratch struct{ x, y, z [22]uint32 }

// integer is an integer: limbs of its magnitude, the lowest one first and the highest one not 0.
type integer struct {
	limbs    []uint32
	negative bool
}

// inexactError is the error for a value that the scale does not express.
//
//go:noinline
func inexactError(r *big.Rat, scale int) error {
	return fmt.Errorf("%s with %d digits behind the point: %w", ratText(r), scale, ErrRange)
}

//go:noinline
func precisionError(r *big.Rat, precision int) error {
	return fmt.Errorf("%s in %d digits: %w", ratText(r), precision, ErrRange)
}

// ratText returns r for errors, which do not show numbers of unbounded length.
func ratText(r *big.Rat) string {
	if r.Num().BitLen()+r.Denom().BitLen() > 500 {
		return "a decimal"
	}
	return "decimal " + r.RatString()
}

// unscaled returns r·10^scale. The error is [ErrRange] if that is no integer, or one of more than precision digits.
func (s *scratch) unscaled(r *big.Rat, precision, scale int) (integer, error) {
	if r.Sign() == 0 {
		return integer{}, nil
	}
	num, den := r.Num(), r.Denom()
	if num.IsInt64() && den.IsInt64() && scale < len(powers) {
		power, d := powers[scale], uint64(den.Int64())
		if power%d != 0 {
			return integer{}, inexactError(r, scale)
		}
		if hi, lo := bits.Mul64(magnitude(num.Int64()), power/d); hi == 0 {
			if precision < len(powers) && lo >= powers[precision] {
				return integer{}, precisionError(r, precision)
			}
			s.x[0], s.x[1] = uint32(lo), uint32(lo>>32)
			return integer{trimLimbs(s.x[:2]), num.Sign() < 0}, nil
		}
	}
	return s.long(r, num, den, precision, scale)
}

// long is unscaled for numbers of any length. As the denominator has no factor in common with the numerator, it must divide 10^scale.
//
//go:noinline
func (s *scratch) long(r *big.Rat, num, den *big.Int, precision, scale int) (integer, error) {
	most := decimalBits(precision)
	if num.BitLen() > most {
		return integer{}, precisionError(r, precision)
	}
	if den.BitLen() > decimalBits(scale) {
		return integer{}, inexactError(r, scale)
	}
	d := limbsOf(s.y[:0], den)
	twos := 0
	for d[0] == 0 {
		d = d[1:]
		twos += 32
	}
	if k := bits.TrailingZeros32(d[0]); k > 0 {
		d = shiftRight(d, k)
		twos += k
	}
	fives := 0
	for ; len(d) > 1 || d[0] != 1; fives++ {
		if fives == scale || divide(d, 5) != 0 {
			return integer{}, inexactError(r, scale)
		}
		d = trimLimbs(d)
	}
	if twos > scale {
		return integer{}, inexactError(r, scale)
	}
	x := limbsOf(s.x[:0], num)
	limit := most/32 + 2
	for k := scale - fives; k > 0; k -= 13 {
		if x = multiply(x, powerOf5(min(k, 13))); len(x) > limit {
			return integer{}, precisionError(r, precision)
		}
	}
	for k := scale - twos; k > 0; k -= 31 {
		if x = multiply(x, 1<<min(k, 31)); len(x) > limit {
			return integer{}, precisionError(r, precision)
		}
	}
	if bitsOf(x) <= certainBits(precision) {
		return integer{x, num.Sign() < 0}, nil
	}
	bound := append(s.z[:0], 1) // 10^precision
	for k := precision; k > 0; k -= 9 {
		bound = multiply(bound, uint32(powers[min(k, 9)]))
	}
	if compareLimbs(x, bound) >= 0 {
		return integer{}, precisionError(r, precision)
	}
	return integer{x, num.Sign() < 0}, nil
}

// limbsOf appends the limbs of |x|.
func limbsOf(limbs []uint32, x *big.Int) []uint32 {
	for _, w := range x.Bits() {
		for k := 0; k < bits.UintSize; k += 32 {
			limbs = append(limbs, uint32(uint64(w)>>k))
		}
	}
	return trimLimbs(limbs)
}

func trimLimbs(x []uint32) []uint32 {
	for len(x) > 0 && x[len(x)-1] == 0 {
		x = x[:len(x)-1]
	}
	return x
}

// bitsOf returns the length of x in bits.
func bitsOf(x []uint32) int {
	if len(x) == 0 {
		return 0
	}
	return 32*(len(x)-1) + bits.Len32(x[len(x)-1])
}

// multiply multiplies x by m in place, in a limb more if need be.
func multiply(x []uint32, m uint32) []uint32 {
	carry := uint64(0)
	for i, v := range x {
		carry += uint64(v) * uint64(m)
		x[i] = uint32(carry)
		carry >>= 32
	}
	if carry > 0 {
		x = append(x, uint32(carry))
	}
	return x
}

// divide divides x by m in place and returns the remainder.
func divide(x []uint32, m uint32) uint32 {
	rest := uint64(0)
	for i := len(x) - 1; i >= 0; i-- {
		rest = rest<<32 | uint64(x[i])
		x[i] = uint32(rest / uint64(m))
		rest %= uint64(m)
	}
	return uint32(rest)
}

// shiftRight shifts x by 1 to 31 bits in place.
func shiftRight(x []uint32, k int) []uint32 {
	for i := range x {
		x[i] >>= k
		if i+1 < len(x) {
			x[i] |= x[i+1] << (32 - k)
		}
	}
	return trimLimbs(x)
}

func compareLimbs(a, b []uint32) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	for i := len(a) - 1; i >= 0; i-- {
		switch {
		case a[i] < b[i]:
			return -1
		case a[i] > b[i]:
			return 1
		}
	}
	return 0
}

// powerOf5 returns 5^k for k up to 13.
func powerOf5(k int) uint32 {
	p := uint32(1)
	for range k {
		p *= 5
	}
	return p
}

// len returns the least number of bytes that hold x in two's complement; it is 1 for 0.
func (x integer) len() int {
	n := len(x.limbs)
	if n == 0 {
		return 1
	}
	size := bitsOf(x.limbs)
	if x.negative && x.isPowerOf2() {
		size-- // −2^k needs as many bits as 2^k−1
	}
	return size/8 + 1
}

func (x integer) isPowerOf2() bool {
	top := len(x.limbs) - 1
	for _, v := range x.limbs[:top] {
		if v != 0 {
			return false
		}
	}
	return x.limbs[top]&(x.limbs[top]-1) == 0
}

// put writes x to all of dst, which is long enough, in two's complement.
func (x integer) put(dst []byte) {
	carry := uint32(0)
	if x.negative {
		carry = 1
	}
	for i := range dst { // from the end
		b := uint32(0)
		if i/4 < len(x.limbs) {
			b = x.limbs[i/4] >> (8 * (i % 4)) & 0xff
		}
		if x.negative {
			b = b ^ 0xff + carry
			carry = b >> 8
		}
		dst[len(dst)-1-i] = byte(b)
	}
}
