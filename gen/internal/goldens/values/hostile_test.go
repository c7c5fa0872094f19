package values

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestFlightHostile(t *testing.T) { check.Hostile(t, FlightSerializer{}, NewFlightReader) }
func TestSampleHostile(t *testing.T) { check.Hostile(t, SampleSerializer{}, NewSampleReader) }
func TestEverythingHostile(t *testing.T) {
	check.Hostile(t, EverythingSerializer{}, NewEverythingReader)
}
func TestOddHostile(t *testing.T)     { check.Hostile(t, OddSerializer{}, NewOddReader, odds...) }
func TestViewedHostile(t *testing.T)  { check.Hostile(t, ViewedSerializer{}, NewViewedReader) }
func TestTreeHostile(t *testing.T)    { check.Hostile(t, TreeSerializer{}, NewTreeReader, shapes) }
func TestDrawingHostile(t *testing.T) { check.Hostile(t, DrawingSerializer{}, NewDrawingReader, plain) }
func TestInvoiceHostile(t *testing.T) {
	check.Hostile(t, InvoiceSerializer{}, NewInvoiceReader, own...)
}
func TestPairStringIntHostile(t *testing.T) {
	check.Hostile(t, PairStringIntSerializer{}, NewPairStringIntReader)
}
func TestPairTextViewedHostile(t *testing.T) {
	check.Hostile(t, PairTextViewedSerializer{}, NewPairTextViewedReader)
}
func TestPairInt8PtrSampleHostile(t *testing.T) {
	check.Hostile(t, PairInt8PtrSampleSerializer{}, NewPairInt8PtrSampleReader)
}
func TestPointHostile(t *testing.T)   { check.Hostile(t, PointSerializer{}, NewPointReader) }
func TestPlainlyHostile(t *testing.T) { check.Hostile(t, PlainlySerializer{}, NewPlainlyReader) }

func FuzzFlight(f *testing.F)            { check.Fuzz(f, FlightSerializer{}) }
func FuzzSample(f *testing.F)            { check.Fuzz(f, SampleSerializer{}) }
func FuzzEverything(f *testing.F)        { check.Fuzz(f, EverythingSerializer{}) }
func FuzzOdd(f *testing.F)               { check.Fuzz(f, OddSerializer{}, odds...) }
func FuzzViewed(f *testing.F)            { check.Fuzz(f, ViewedSerializer{}) }
func FuzzTree(f *testing.F)              { check.Fuzz(f, TreeSerializer{}, shapes) }
func FuzzDrawing(f *testing.F)           { check.Fuzz(f, DrawingSerializer{}, plain) }
func FuzzInvoice(f *testing.F)           { check.Fuzz(f, InvoiceSerializer{}, own...) }
func FuzzPairStringInt(f *testing.F)     { check.Fuzz(f, PairStringIntSerializer{}) }
func FuzzPairTextViewed(f *testing.F)    { check.Fuzz(f, PairTextViewedSerializer{}) }
func FuzzPairInt8PtrSample(f *testing.F) { check.Fuzz(f, PairInt8PtrSampleSerializer{}) }
func FuzzPoint(f *testing.F)             { check.Fuzz(f, PointSerializer{}) }
func FuzzPlainly(f *testing.F)           { check.Fuzz(f, PlainlySerializer{}) }
