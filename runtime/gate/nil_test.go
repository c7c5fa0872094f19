package gate_test

import (
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/record"
)

// A constructor that is given no gate says so.
func TestNoGate(t *testing.T) {
	if _, err := gate.NewCore(nil, gate.Spec{Record: "item"}); !errors.Is(err, gate.ErrNoGate) {
		t.Errorf("NewCore: %v", err)
	}
	ser, err := record.Reflect[struct{ A int32 }]()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gate.NewReader(nil, ser); !errors.Is(err, gate.ErrNoGate) {
		t.Errorf("NewReader: %v", err)
	}
}
