package instances

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestPairStringIntHostile(t *testing.T) {
	check.Hostile(t, PairStringIntSerializer{}, NewPairStringIntReader)
}
func TestPairInt64OrderHostile(t *testing.T) {
	check.Hostile(t, PairInt64OrderSerializer{}, NewPairInt64OrderReader)
}
func TestSeriesAmountHostile(t *testing.T) {
	check.Hostile(t, SeriesAmountSerializer{}, NewSeriesAmountReader)
}
func TestTreeStringHostile(t *testing.T) {
	check.Hostile(t, TreeStringSerializer{}, NewTreeStringReader)
}
func TestEnvelopeOrderHostile(t *testing.T) {
	check.Hostile(t, EnvelopeOrderSerializer{}, NewEnvelopeOrderReader)
}
func TestHolderHostile(t *testing.T) { check.Hostile(t, HolderSerializer{}, NewHolderReader, union) }

func FuzzPairStringInt(f *testing.F)  { check.Fuzz(f, PairStringIntSerializer{}) }
func FuzzPairInt64Order(f *testing.F) { check.Fuzz(f, PairInt64OrderSerializer{}) }
func FuzzSeriesAmount(f *testing.F)   { check.Fuzz(f, SeriesAmountSerializer{}) }
func FuzzTreeString(f *testing.F)     { check.Fuzz(f, TreeStringSerializer{}) }
func FuzzEnvelopeOrder(f *testing.F)  { check.Fuzz(f, EnvelopeOrderSerializer{}) }
func FuzzHolder(f *testing.F)         { check.Fuzz(f, HolderSerializer{}, union) }
