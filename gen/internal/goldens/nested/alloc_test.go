package nested

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

// The strings of structs that are fields of the record are part of the one allocation.
func TestAllocs(t *testing.T) {
	address := Address{Street: "a street", City: "a city"}
	check.Allocs(t, OrderSerializer{}, &Order{Customer: "a customer", Home: address, First: Line{Sku: "a sku"}}, 1)
	var d Deeply
	d.A.B.G, d.I = "deep down", "higher up"
	check.Allocs(t, DeeplySerializer{}, &d, 1)
	check.Allocs(t, BoxSerializer{}, &Box{Order{Customer: "a customer", Home: address}}, 1)
	// The strings within slices are parts of a copy of the record; the slices are reused.
	check.Allocs(t, ParcelSerializer{}, &Parcel{From: []Address{address, address}, Owner: Owner{Name: "an owner", Stats: make([]Stats, 3)}}, 1)
}
