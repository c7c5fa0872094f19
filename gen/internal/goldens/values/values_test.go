package values

import (
	"math/big"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

var (
	shapes = check.Union[Shape](Circle{}, (*Square)(nil), Nothing{}, (*Nothing2)(nil), Label(""), (*Tree)(nil), Points(nil))
	plain  = check.Union[Plain](Circle{}, (*Square)(nil), Label(""), int32(0))
	own    = []check.Option{
		check.Own(address),
		check.Own(func(rng *rand.Rand) netip.Prefix { return netip.PrefixFrom(address(rng), 8) }),
		check.Own(func(rng *rand.Rand) big.Int { return *big.NewInt(rng.Int64() - 1<<62) }),
		check.Own(func(rng *rand.Rand) big.Rat { return *big.NewRat(rng.Int64N(1000), 1+rng.Int64N(1000)) }),
		check.Own(func(rng *rand.Rand) big.Rat { return *big.NewRat(int64(rng.IntN(1000)), 8) }),
	}
)

var odds = append([]check.Option{shapes}, own...)

func address(rng *rand.Rand) netip.Addr {
	var a [16]byte
	for i := range a {
		a[i] = byte(rng.Uint32())
	}
	if rng.IntN(2) == 0 {
		return netip.AddrFrom4([4]byte(a[:4]))
	}
	return netip.AddrFrom16(a).WithZone("eth0")
}

func TestFlight(t *testing.T)     { check.Record(t, FlightSerializer{}) }
func TestSample(t *testing.T)     { check.Record(t, SampleSerializer{}) }
func TestEverything(t *testing.T) { check.Record(t, EverythingSerializer{}) }
func TestOddRecord(t *testing.T)  { check.Record(t, OddSerializer{}, odds...) }
func TestViewed(t *testing.T)     { check.Record(t, ViewedSerializer{}) }
func TestTree(t *testing.T)       { check.Record(t, TreeSerializer{}, shapes) }
func TestDrawing(t *testing.T)    { check.Record(t, DrawingSerializer{}, plain) }
func TestInvoice(t *testing.T)    { check.Record(t, InvoiceSerializer{}, own...) }
func TestPair(t *testing.T)       { check.Record(t, PairStringIntSerializer{}) }
func TestPairViewed(t *testing.T) { check.Record(t, PairTextViewedSerializer{}) }
func TestPairSample(t *testing.T) { check.Record(t, PairInt8PtrSampleSerializer{}) }
func TestPoint(t *testing.T)      { check.Record(t, PointSerializer{}) }
func TestPlainly(t *testing.T)    { check.Record(t, PlainlySerializer{}) }

func TestFlightValues(t *testing.T)     { check.Values(t, FlightSerializer{}) }
func TestSampleValues(t *testing.T)     { check.Values(t, SampleSerializer{}) }
func TestEverythingValues(t *testing.T) { check.Values(t, EverythingSerializer{}) }
func TestOddValues(t *testing.T)        { check.Values(t, OddSerializer{}, odds...) }
func TestViewedValues(t *testing.T)     { check.Values(t, ViewedSerializer{}) }
func TestTreeValues(t *testing.T)       { check.Values(t, TreeSerializer{}, shapes) }
func TestDrawingValues(t *testing.T)    { check.Values(t, DrawingSerializer{}, plain) }
func TestInvoiceValues(t *testing.T)    { check.Values(t, InvoiceSerializer{}, own...) }
func TestPairViewedValues(t *testing.T) { check.Values(t, PairTextViewedSerializer{}) }
func TestPairSampleValues(t *testing.T) { check.Values(t, PairInt8PtrSampleSerializer{}) }
func TestPointValues(t *testing.T)      { check.Values(t, PointSerializer{}) }
