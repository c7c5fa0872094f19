package v1

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

var extras = check.Union[Extra](Meal{}, (*Bag)(nil), Code(0))

func TestBooking(t *testing.T)   { check.Record(t, BookingSerializer{}, extras) }
func TestPassenger(t *testing.T) { check.Record(t, PassengerSerializer{}) }

func TestBookingHostile(t *testing.T) {
	check.Hostile(t, BookingSerializer{}, NewBookingReader, extras)
}
func TestPassengerHostile(t *testing.T) { check.Hostile(t, PassengerSerializer{}, NewPassengerReader) }

func FuzzBooking(f *testing.F)   { check.Fuzz(f, BookingSerializer{}, extras) }
func FuzzPassenger(f *testing.F) { check.Fuzz(f, PassengerSerializer{}) }
