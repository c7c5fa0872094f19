package stdtypes

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func addr(rng *rand.Rand) netip.Addr {
	var b [16]byte
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	switch rng.IntN(4) {
	case 0:
		return netip.Addr{}
	case 1:
		return netip.AddrFrom4([4]byte(b[:4]))
	case 2:
		return netip.AddrFrom16(b).WithZone("eth0")
	}
	return netip.AddrFrom16(b)
}

func number(rng *rand.Rand) *big.Int {
	return new(big.Int).Lsh(big.NewInt(rng.Int64()-1<<62), rng.UintN(400))
}

var world = []check.Option{
	check.Own(addr),
	check.Own(func(rng *rand.Rand) netip.AddrPort { return netip.AddrPortFrom(addr(rng), uint16(rng.Uint32())) }),
	check.Own(func(rng *rand.Rand) netip.Prefix {
		return netip.PrefixFrom(addr(rng).WithZone(""), rng.IntN(33)).Masked()
	}),
	check.Own(func(rng *rand.Rand) url.URL {
		if rng.IntN(4) == 0 {
			return url.URL{}
		}
		return url.URL{Scheme: "https", Host: "example.com", Path: fmt.Sprintf("/p/%d", rng.Int()), RawQuery: "q=1"}
	}),
	check.Own(func(rng *rand.Rand) big.Int { return *number(rng) }),
	check.Own(func(rng *rand.Rand) big.Rat {
		return *new(big.Rat).SetFrac(number(rng), big.NewInt(1+rng.Int64N(1000)))
	}),
}

func TestRecord(t *testing.T) { check.Record(t, RecordSerializer{}, world...) }
