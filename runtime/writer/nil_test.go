package writer_test

import (
	"errors"
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/selector"
	"github.com/rwgen/rwgen/runtime/writer"
)

// A constructor that is given no output says so.
func TestNoOutput(t *testing.T) {
	if _, err := writer.NewCore(nil, writer.Spec{Record: "item"}); !errors.Is(err, writer.ErrNoOutput) {
		t.Errorf("NewCore: %v", err)
	}
	ser, err := record.Reflect[struct{ A int32 }]()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.New(nil, ser); !errors.Is(err, writer.ErrNoOutput) {
		t.Errorf("New: %v", err)
	}
	if err := writer.SetUp(selector.RoundRobin[int](), nil); !errors.Is(err, writer.ErrNoOutput) {
		t.Errorf("SetUp: %v", err)
	}
}
