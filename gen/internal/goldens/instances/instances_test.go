package instances

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
	"github.com/rwgen/rwgen/runtime/record"
)

var union = check.Union[PairUnion](Pair[string, int]{}, (*G[string, Order])(nil))

func TestPairStringInt(t *testing.T)  { check.Record(t, PairStringIntSerializer{}) }
func TestPairInt64Order(t *testing.T) { check.Record(t, PairInt64OrderSerializer{}) }
func TestSeries(t *testing.T)         { check.Record(t, SeriesAmountSerializer{}) }
func TestTree(t *testing.T)           { check.Record(t, TreeStringSerializer{}) }
func TestEnvelope(t *testing.T)       { check.Record(t, EnvelopeOrderSerializer{}) }
func TestHolder(t *testing.T)         { check.Record(t, HolderSerializer{}, union) }
func TestWays(t *testing.T) {
	check.Ways(t, 3, check.Random[Pair[string, int]](60), NewPairStringIntByKeyWriter, NewPairStringIntReader)
	check.Ways(t, 3, check.Random[Pair[int64, Order]](60), NewPairInt64OrderByKeyWriter, NewPairInt64OrderReader)
}

// A serializer of an instance is one for that type.
var _ record.Serializer[Pair[string, int]] = PairStringIntSerializer{}
