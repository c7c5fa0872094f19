package reference

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestInvoiceHostile(t *testing.T) {
	check.Hostile(t, InvoiceSerializer{}, NewInvoiceReader, invoice...)
}
func TestFlightHostile(t *testing.T) { check.Hostile(t, FlightSerializer{}, NewFlightReader) }
func TestPairStringIntHostile(t *testing.T) {
	check.Hostile(t, PairStringIntSerializer{}, NewPairStringIntReader)
}
func TestPairInt64FlightHostile(t *testing.T) {
	check.Hostile(t, PairInt64FlightSerializer{}, NewPairInt64FlightReader)
}
func TestEntryHostile(t *testing.T)    { check.Hostile(t, EntrySerializer{}, NewEntryReader) }
func TestCharterHostile(t *testing.T)  { check.Hostile(t, CharterSerializer{}, NewCharterReader) }
func TestStopHostile(t *testing.T)     { check.Hostile(t, StopSerializer{}, NewStopReader) }
func TestSkippedHostile(t *testing.T)  { check.Hostile(t, SkippedSerializer{}, NewSkippedReader) }
func TestRenamedHostile(t *testing.T)  { check.Hostile(t, RenamedSerializer{}, NewRenamedReader) }
func TestEvolvedHostile(t *testing.T)  { check.Hostile(t, EvolvedSerializer{}, NewEvolvedReader) }
func TestTicketHostile(t *testing.T)   { check.Hostile(t, TicketSerializer{}, NewTicketReader) }
func TestNumbersHostile(t *testing.T)  { check.Hostile(t, NumbersSerializer{}, NewNumbersReader) }
func TestBoundedHostile(t *testing.T)  { check.Hostile(t, BoundedSerializer{}, NewBoundedReader) }
func TestSortedHostile(t *testing.T)   { check.Hostile(t, SortedSerializer{}, NewSortedReader) }
func TestStampedHostile(t *testing.T)  { check.Hostile(t, StampedSerializer{}, NewStampedReader) }
func TestInternedHostile(t *testing.T) { check.Hostile(t, InternedSerializer{}, NewInternedReader) }
func TestViewedHostile(t *testing.T)   { check.Hostile(t, ViewedSerializer{}, NewViewedReader) }
func TestDrawingHostile(t *testing.T) {
	check.Hostile(t, DrawingSerializer{}, NewDrawingReader, drawing)
}

func FuzzInvoice(f *testing.F)         { check.Fuzz(f, InvoiceSerializer{}, invoice...) }
func FuzzFlight(f *testing.F)          { check.Fuzz(f, FlightSerializer{}) }
func FuzzPairStringInt(f *testing.F)   { check.Fuzz(f, PairStringIntSerializer{}) }
func FuzzPairInt64Flight(f *testing.F) { check.Fuzz(f, PairInt64FlightSerializer{}) }
func FuzzEntry(f *testing.F)           { check.Fuzz(f, EntrySerializer{}) }
func FuzzCharter(f *testing.F)         { check.Fuzz(f, CharterSerializer{}) }
func FuzzStop(f *testing.F)            { check.Fuzz(f, StopSerializer{}) }
func FuzzSkipped(f *testing.F)         { check.Fuzz(f, SkippedSerializer{}) }
func FuzzRenamed(f *testing.F)         { check.Fuzz(f, RenamedSerializer{}) }
func FuzzEvolved(f *testing.F)         { check.Fuzz(f, EvolvedSerializer{}) }
func FuzzTicket(f *testing.F)          { check.Fuzz(f, TicketSerializer{}) }
func FuzzNumbers(f *testing.F)         { check.Fuzz(f, NumbersSerializer{}) }
func FuzzBounded(f *testing.F)         { check.Fuzz(f, BoundedSerializer{}) }
func FuzzSorted(f *testing.F)          { check.Fuzz(f, SortedSerializer{}) }
func FuzzStamped(f *testing.F)         { check.Fuzz(f, StampedSerializer{}) }
func FuzzInterned(f *testing.F)        { check.Fuzz(f, InternedSerializer{}) }
func FuzzViewed(f *testing.F)          { check.Fuzz(f, ViewedSerializer{}) }
func FuzzDrawing(f *testing.F)         { check.Fuzz(f, DrawingSerializer{}, drawing) }
