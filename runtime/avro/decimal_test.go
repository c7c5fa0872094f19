package avro

import (
	"errors"
	"math/big"
	"testing"

	twmb "github.com/twmb/avro"
	"pgregory.net/rapid"

	"github.com/rwgen/rwgen/runtime/wire"
)

// decimals draws a decimal of at most precision digits, and its digits.
func decimals(t *rapid.T, precision, scale int) *big.Rat {
	digits := rapid.IntRange(0, precision).Draw(t, "digits")
	n := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, precision/2+1).Draw(t, "number"))
	n.Mod(n, power10(digits))
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		n.Sub(power10(digits), big.NewInt(1)) // all nines
	case 1:
		n = new(big.Int).Lsh(big.NewInt(1), uint(n.BitLen())) // a power of two
		if n.Cmp(power10(precision)) >= 0 {
			n.SetInt64(1)
		}
	}
	if rapid.Bool().Draw(t, "negative") {
		n.Neg(n)
	}
	return new(big.Rat).SetFrac(n, power10(scale))
}

func TestDecimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		precision := rapid.SampledFrom([]int{1, 2, 4, 9, 17, 18, 19, 20, 38, 77, 199, 250}).Draw(t, "precision")
		scale := rapid.IntRange(0, precision).Draw(t, "scale")
		r := decimals(t, precision, scale)
		schema := twmb.MustParse(`{"type":"bytes","logicalType":"decimal","precision":` + itoa(precision) + `,"scale":` + itoa(scale) + `}`)
		want, err := schema.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if n := DecimalLen(r, precision, scale); n != len(want) {
			t.Fatalf("DecimalLen(%v) = %d, want %d", r, n, len(want))
		}
		dst := make([]byte, len(want)+3)
		n, err := PutDecimal(dst, r, precision, scale)
		if err != nil || string(dst[:n]) != string(want) {
			t.Fatalf("PutDecimal(%v) = % x, %v, want % x", r, dst[:n], err, want)
		}
		for room := range len(want) {
			if _, err := PutDecimal(dst[:room], r, precision, scale); err != wire.ErrShort {
				t.Fatalf("PutDecimal into %d bytes: %v", room, err)
			}
		}
		var got big.Rat
		if n, err := Decimal(append(want, 0xff), &got, precision, scale); err != nil || n != len(want) || got.Cmp(r) != 0 {
			t.Fatalf("Decimal(% x) = %v, %d, %v, want %v", want, &got, n, err, r)
		}
		size := len(want) - LongLen(int64(len(want)-1))
		fixed := make([]byte, size+rapid.IntRange(0, 3).Draw(t, "more"))
		if err := PutFixedDecimal(fixed, r, precision, scale); err != nil {
			t.Fatal(err)
		}
		got = big.Rat{}
		if err := FixedDecimal(fixed, &got, precision, scale); err != nil || got.Cmp(r) != 0 {
			t.Fatalf("FixedDecimal(% x) = %v, %v, want %v", fixed, &got, err, r)
		}
		if size > 1 {
			if err := PutFixedDecimal(fixed[:size-1], r, precision, scale); !errors.Is(err, ErrRange) {
				t.Fatalf("PutFixedDecimal into %d of %d bytes: %v", size-1, size, err)
			}
		}
	})
}

func itoa(n int) string { return big.NewInt(int64(n)).String() }

func TestDecimalRefuses(t *testing.T) {
	rat := func(s string) *big.Rat { r, _ := new(big.Rat).SetString(s); return r }
	for _, tt := range []struct {
		r                *big.Rat
		precision, scale int
	}{
		{rat("0.001"), 9, 2},
		{rat("1/3"), 9, 9},
		{rat("1/3"), 40, 40},
		{rat("1/7000000000000000000000"), 60, 50},
		{rat("100"), 2, 0},
		{rat("-100"), 2, 0},
		{rat("9.995"), 3, 2},
		{rat("10"), 3, 2},
		{rat("1e18"), 18, 0},
		{rat("1e19"), 19, 0},
		{rat("1e38"), 38, 0},
		{rat("1e20"), 38, 18},
		{rat("-1e20"), 38, 18},
		{rat("1e300"), 38, 18},
		{rat("1e-300"), 38, 18},
		{rat("1/1048576"), 38, 19},
	} {
		dst := make([]byte, 100)
		if n, err := PutDecimal(dst, tt.r, tt.precision, tt.scale); !errors.Is(err, ErrRange) {
			t.Errorf("PutDecimal(%v, %d, %d) = %d, %v", tt.r, tt.precision, tt.scale, n, err)
		}
		if n := DecimalLen(tt.r, tt.precision, tt.scale); n != 1 {
			t.Errorf("DecimalLen(%v, %d, %d) = %d", tt.r, tt.precision, tt.scale, n)
		}
	}
	for _, tt := range []struct {
		src       string
		precision int
	}{{"\x02\x0a", 1}, {"\x02\xf6", 1}, {"\x04\x03\xe8", 3}, {"\x14\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00", 19}, {"\x12\x00\x8a\xc7\x23\x04\x89\xe8\x00\x00", 19}} {
		var r big.Rat
		if n, err := Decimal([]byte(tt.src), &r, tt.precision, 0); !errors.Is(err, wire.ErrCorrupt) {
			t.Errorf("Decimal(% x, %d) = %v, %d, %v", tt.src, tt.precision, &r, n, err)
		}
	}
	// Bytes that only repeat the sign are read.
	var r big.Rat
	if _, err := Decimal([]byte("\x14\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfe"), &r, 1, 0); err != nil || r.Cmp(rat("-2")) != 0 {
		t.Errorf("%v, %v", &r, err)
	}
}

func TestDecimalAllocs(t *testing.T) {
	dst := make([]byte, 200)
	for _, s := range []string{"0", "-12.34", "123456789012345678901234567890.12"} {
		r, _ := new(big.Rat).SetString(s)
		if n := testing.AllocsPerRun(100, func() {
			if _, err := PutDecimal(dst, r, 38, 2); err != nil {
				t.Fatal(err)
			}
			DecimalLen(r, 200, 2)
		}); n > 0 {
			t.Errorf("%s: %v allocations", s, n)
		}
	}
}

func TestBigDecimal(t *testing.T) {
	schema := twmb.MustParse(`{"type":"bytes","logicalType":"big-decimal"}`)
	rapid.Check(t, func(t *rapid.T) {
		r := decimals(t, 60, rapid.IntRange(0, 60).Draw(t, "scale"))
		want, err := schema.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]byte, len(want)+1)
		n, err := PutBigDecimal(dst, r)
		if err != nil || string(dst[:n]) != string(want) || BigDecimalLen(r) != n {
			t.Fatalf("PutBigDecimal(%v) = % x, %v, want % x", r, dst[:n], err, want)
		}
		if _, err := PutBigDecimal(dst[:len(want)-1], r); err != wire.ErrShort {
			t.Fatal(err)
		}
		var got big.Rat
		if n, err := BigDecimal(dst, &got); err != nil || n != len(want) || got.Cmp(r) != 0 {
			t.Fatalf("BigDecimal(% x) = %v, %d, %v", want, &got, n, err)
		}
	})
	for _, s := range []string{"1/3", "1e-5000", "1e20000"} {
		r, _ := new(big.Rat).SetString(s)
		if n, err := PutBigDecimal(make([]byte, 1<<16), r); !errors.Is(err, ErrRange) {
			t.Errorf("PutBigDecimal(%s) = %d, %v", s, n, err)
		}
	}
	var r big.Rat
	for _, tt := range []struct {
		src  string
		want error
	}{
		{"", wire.ErrTruncated},
		{"\x08\x02\x01\x00", wire.ErrTruncated},
		{"\x02\x04", wire.ErrCorrupt},
		{"\x04\x02\x01", wire.ErrCorrupt},
		{"\x08\x02\x01\x00\x00", wire.ErrCorrupt},
		{"\x0e\x02\x01\xff\xff\xff\xff\x0f", wire.ErrLimit},
		{"\x0a\x02\x01\x82\x40\x00"[:5] + "\x00", wire.ErrCorrupt},
	} {
		if _, err := BigDecimal([]byte(tt.src), &r); !errors.Is(err, tt.want) {
			t.Errorf("BigDecimal(% x): %v, want %v", tt.src, err, tt.want)
		}
	}
	// A negative scale, which other implementations write.
	if _, err := BigDecimal([]byte("\x06\x02\x05\x03"), &r); err != nil || r.Cmp(big.NewRat(500, 1)) != 0 {
		t.Errorf("%v, %v", &r, err)
	}
}

// Of every precision, the largest number is taken and the next one refused.
func TestDecimalLargest(t *testing.T) {
	dst := make([]byte, 200)
	for precision := 1; precision <= 400; precision++ {
		bound := power10(precision)
		if certain := new(big.Int).Lsh(big.NewInt(1), uint(certainBits(precision))); certain.Cmp(bound) > 0 {
			t.Errorf("%d digits: numbers of %d bits may have more", precision, certainBits(precision))
		}
		for _, sign := range []int64{1, -1} {
			over := new(big.Rat).SetInt(new(big.Int).Mul(bound, big.NewInt(sign)))
			largest := new(big.Rat).Sub(over, big.NewRat(sign, 1))
			n, err := PutDecimal(dst, largest, precision, 0)
			if err != nil {
				t.Fatal(precision, err)
			}
			var got big.Rat
			if _, err := Decimal(dst[:n], &got, precision, 0); err != nil || got.Cmp(largest) != 0 {
				t.Errorf("%d digits: %v, %v", precision, &got, err)
			}
			if _, err := PutDecimal(dst, over, precision, 0); !errors.Is(err, ErrRange) {
				t.Errorf("%d digits: %v", precision, err)
			}
			if n, err = PutDecimal(dst, over, precision+1, 0); err != nil {
				t.Fatal(precision, err)
			}
			if _, err := Decimal(dst[:n], new(big.Rat), precision, 0); !errors.Is(err, wire.ErrCorrupt) {
				t.Errorf("%d digits: %v", precision, err)
			}
		}
	}
}

// A precision far beyond the number costs nothing.
func BenchmarkDecimalWide(b *testing.B) {
	r := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 80))
	dst := make([]byte, 16)
	for b.Loop() {
		n, err := PutDecimal(dst, r, 65536, 0)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Decimal(dst[:n], new(big.Rat), 65536, 0); err != nil {
			b.Fatal(err)
		}
	}
}
