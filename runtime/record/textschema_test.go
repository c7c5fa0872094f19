package record_test

import (
	"testing"

	"github.com/rwgen/rwgen/runtime/record"
)

func TestTextSchema(t *testing.T) {
	type trip struct {
		From string
		Km   int32 `rw:"default=7"`
	}
	ser, err := record.Reflect[trip]()
	if err != nil {
		t.Fatal(err)
	}
	want := ser.Schema()
	if got := record.TextSchema(want.Text, want.Reading); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
