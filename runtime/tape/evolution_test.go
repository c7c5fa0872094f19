package tape_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rwgen/rwgen/runtime/exchange"
	"github.com/rwgen/rwgen/runtime/gate"
	"github.com/rwgen/rwgen/runtime/partition"
	"github.com/rwgen/rwgen/runtime/record"
	"github.com/rwgen/rwgen/runtime/tape"
)

// itemV2 is what became of item.
type itemV2 struct {
	Size  int64  `rw:"default=-1"`
	Count uint64 `rw:"alias=Number"`
	Pad   string
	Lane  uint32
}

func (v itemV2) String() string { return fmt.Sprintf("%d/%d+%d", v.Lane, v.Count, len(v.Pad)) }

func itemsV2(t testing.TB) record.Serializer[itemV2] {
	t.Helper()
	ser, err := record.Reflect[itemV2](record.Alias("item"))
	if err != nil {
		t.Fatal(err)
	}
	return ser
}

// TestOldTape: what was recorded under the old version is read and replayed under the new one.
func TestOldTape(t *testing.T) {
	tp := taped(t, 0, 3, 4)
	want, err := contents(t.Context(), t, tp)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tape.NewReader(tp, itemsV2(t))
	if err != nil {
		t.Fatal(err)
	}
	read := make([][]string, 3)
	for v, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if v.Size != -1 {
			t.Errorf("%+v", v)
		}
		lane, _ := r.Last()
		read[lane] = append(read[lane], v.String())
	}
	replay, err := tape.NewReplay(t.Context(), tape.ReplayConfig{Tapes: []*tape.Tape{tp}, Exchange: exchange.Config{MemoryBytes: 64 << 10}})
	if err != nil {
		t.Fatal(err)
	}
	fed := make([][]string, 3)
	g, err := gate.NewReader(replay.Gate(0, 1, 2), itemsV2(t), gate.IgnoreEvents())
	if err != nil {
		t.Fatal(err)
	}
	for v, err := range g.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		lane := g.Last().Channel
		fed[lane] = append(fed[lane], v.String())
	}
	if err := errors.Join(g.Close(), replay.Close(t.Context())); err != nil {
		t.Error(err)
	}
	for lane := range want {
		if w := strings.Join(want[lane], " "); strings.Join(read[lane], " ") != w || strings.Join(fed[lane], " ") != w {
			t.Errorf("lane %d: %d records were read and %d replayed of %d", lane, len(read[lane]), len(fed[lane]), len(want[lane]))
		}
	}
}

// TestOldTapeRefused: a reader that cannot read the tape, or does not want fields that it does not know, is told which.
func TestOldTapeRefused(t *testing.T) {
	tp := taped(t, 0, 3, 4)
	type item struct {
		Lane   uint32
		Number uint16
	}
	ser, err := record.Reflect[item]()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tape.NewReader(tp, ser); !errors.Is(err, partition.ErrSchema) || !strings.Contains(err.Error(), "item.Number: u32 became u16") {
		t.Errorf("%v", err)
	}
	type itemV3 struct{ Lane uint32 }
	less, err := record.Reflect[itemV3](record.Alias("item"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tape.NewReader(tp, less, tape.RefuseUnknown()); !errors.Is(err, partition.ErrSchema) || !strings.Contains(err.Error(), "itemV3.Pad: the field is unknown") {
		t.Errorf("%v", err)
	}
	if _, err := tape.NewReader(tp, less); err != nil {
		t.Error(err)
	}
}
