package v2

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

var extras = check.Union[Extra]((*Bag)(nil), Pet{}, Code(0), Meal{})

func TestTicket(t *testing.T)    { check.Record(t, TicketSerializer{}, extras, check.Alias("Booking")) }
func TestPassenger(t *testing.T) { check.Record(t, PassengerSerializer{}) }

func TestTicketHostile(t *testing.T)    { check.Hostile(t, TicketSerializer{}, NewTicketReader, extras) }
func TestPassengerHostile(t *testing.T) { check.Hostile(t, PassengerSerializer{}, NewPassengerReader) }

func FuzzTicket(f *testing.F)    { check.Fuzz(f, TicketSerializer{}, extras) }
func FuzzPassenger(f *testing.F) { check.Fuzz(f, PassengerSerializer{}) }
