package nested

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestLine(t *testing.T)   { check.Record(t, LineSerializer{}) }
func TestOrder(t *testing.T)  { check.Record(t, OrderSerializer{}) }
func TestBox(t *testing.T)    { check.Record(t, BoxSerializer{}) }
func TestDeeply(t *testing.T) { check.Record(t, DeeplySerializer{}) }
func TestParcel(t *testing.T) { check.Record(t, ParcelSerializer{}) }

func FuzzOrder(f *testing.F) { check.Fuzz(f, OrderSerializer{}) }
