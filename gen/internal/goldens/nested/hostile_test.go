package nested

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestLineHostile(t *testing.T)   { check.Hostile(t, LineSerializer{}, NewLineReader) }
func TestOrderHostile(t *testing.T)  { check.Hostile(t, OrderSerializer{}, NewOrderReader) }
func TestBoxHostile(t *testing.T)    { check.Hostile(t, BoxSerializer{}, NewBoxReader) }
func TestDeeplyHostile(t *testing.T) { check.Hostile(t, DeeplySerializer{}, NewDeeplyReader) }
func TestParcelHostile(t *testing.T) { check.Hostile(t, ParcelSerializer{}, NewParcelReader) }

func FuzzLine(f *testing.F)   { check.Fuzz(f, LineSerializer{}) }
func FuzzBox(f *testing.F)    { check.Fuzz(f, BoxSerializer{}) }
func FuzzDeeply(f *testing.F) { check.Fuzz(f, DeeplySerializer{}) }
func FuzzParcel(f *testing.F) { check.Fuzz(f, ParcelSerializer{}) }
