package values

import (
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rwgen/rwgen/gen/internal/goldens/foreign/a/model"
)

// The hashes of FORMAT.md, section 7. They are the same on every machine, and will not change.
func TestHashVectors(t *testing.T) {
	text := Text("key")
	vectors := []struct {
		name string
		hash uint64
		want string
	}{
		{"Sample{}", SampleSerializer{}.Hash(&Sample{}), "d5c2f83af591da5a"},
		{"Sample{ID: 1, Value: 0.5}", SampleSerializer{}.Hash(&Sample{1, 0.5}), "92c41c870f59560a"},
		{"Sample{ID: 1, Value: −0}", SampleSerializer{}.Hash(&Sample{1, math.Copysign(0, -1)}), "12e1d748a5595f95"},
		{"Point{X: NaN 7ff8000000000001, Y: −Inf}", PointSerializer{}.Hash(&model.Point{X: math.Float64frombits(0x7ff8000000000001), Y: math.Inf(-1)}), "af6831d10b906a51"},
		{"Flight{}", FlightSerializer{}.Hash(&Flight{}), "fd57087a04b236d4"},
		{"Flight{…}", FlightSerializer{}.Hash(&Flight{
			Date: time.Date(2026, 11, 30, 1, 2, 3, 4, time.FixedZone("there", 3600)), Origin: "ZRH", Dest: "JFK", Seats: -3, Fare: 199.5, Late: true,
			Raw: []byte{1, 2, 3}, Stops: []string{"", "KEF"}, Note: "does not count",
		}), "09dc73854c18a118"},
		{"Viewed{…}", ViewedSerializer{}.Hash(&Viewed{
			Name: "view", Own: []byte{}, List: []Line{{"a"}}, Keys: map[Line]int8{{"b"}: 1, {"c"}: -1},
		}), "e031a3c9700deaa8"},
		{"Odd{…}", OddSerializer{}.Hash(&Odd{
			Structs: map[ByFloat][]int8{{X: 1, T: &text}: {1}, {X: 2}: nil}, Pointing: map[*Many]Nothing{}, Nothing: map[Nothing]Nothing{{}: {}},
		}), "9559286704b7f04c"},
		{"Tree{…}", TreeSerializer{}.Hash(&Tree{Name: "a", Left: &Tree{Shape: Label("b")}, Shape: (*Nothing2)(nil)}), "d6e2a8a5da2e5b5d"},
		{"Drawing{…}", DrawingSerializer{}.Hash(&Drawing{Any: &Square{Side: 2, Tags: []string{"t"}}, List: []Plain{nil, int32(-1)}}), "38608556d4c6ed21"},
		{"Invoice{…}", InvoiceSerializer{}.Hash(&Invoice{From: netip.MustParseAddr("192.0.2.1"), Units: *big.NewInt(-12)}), "026fffd1ab7ac363"},
		{"Everything{…}", EverythingSerializer{}.Hash(&Everything{
			Bool: true, I8: -1, I16: -2, I32: -3, I64: -4, Int: -5, U8: 6, U16: 7, U32: 8, U64: 9, Uint: 10, Ptr: 11, F32: 1.5, C64: complex(1, -1),
			Text: "text", Octets: []Octet{1, 2}, Digest: [16]byte{15: 1}, Marks: [5]Octet{1}, Smalls: []Small{{1, 2, true}},
		}), "63f4b1a6a9434b90"},
	}
	format, err := os.ReadFile("../../../../runtime/wire/FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		if got := fmt.Sprintf("%016x", v.hash); got != v.want {
			t.Errorf("%s: %s, want %s", v.name, got, v.want)
		}
		if !strings.Contains(string(format), v.want) {
			t.Errorf("%s: FORMAT.md does not have %s", v.name, v.want)
		}
	}
}
