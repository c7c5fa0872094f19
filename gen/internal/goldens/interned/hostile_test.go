package interned

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestFlightHostile(t *testing.T) { check.Hostile(t, FlightSerializer{}, NewFlightReader) }
func TestPlanHostile(t *testing.T)   { check.Hostile(t, PlanSerializer{}, NewPlanReader, union) }

func FuzzFlight(f *testing.F) { check.Fuzz(f, FlightSerializer{}) }
