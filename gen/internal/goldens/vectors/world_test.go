package vectors

import (
	"math/big"
	"math/rand/v2"
	"net/netip"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

var world = []check.Option{
	check.Union[Shape](Circle{}, (*Square)(nil), Kelvin(0), (*Group)(nil), Point{}, Scalars{}),
	check.Own(func(rng *rand.Rand) netip.Addr { return netip.AddrFrom4([4]byte{1, 2, 3, byte(rng.Uint32())}) }),
	check.Own(func(rng *rand.Rand) netip.Prefix {
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{1, 2, 3, byte(rng.Uint32())}), rng.IntN(33))
	}),
	check.Own(func(rng *rand.Rand) big.Int { return *big.NewInt(rng.Int64()) }),
}
