package views

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestFlightHostile(t *testing.T)  { check.Hostile(t, FlightSerializer{}, NewFlightReader) }
func TestDeepHostile(t *testing.T)    { check.Hostile(t, DeepSerializer{}, NewDeepReader, union) }
func TestStringsHostile(t *testing.T) { check.Hostile(t, StringsSerializer{}, NewStringsReader) }

func FuzzFlight(f *testing.F)  { check.Fuzz(f, FlightSerializer{}) }
func FuzzStrings(f *testing.F) { check.Fuzz(f, StringsSerializer{}) }
