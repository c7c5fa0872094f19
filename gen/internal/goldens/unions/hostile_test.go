package unions

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestDrawingHostile(t *testing.T) {
	check.Hostile(t, DrawingSerializer{}, NewDrawingReader, unions...)
}
func TestCircle64Hostile(t *testing.T) { check.Hostile(t, Circle64Serializer{}, NewCircle64Reader) }
func TestLeafHostile(t *testing.T)     { check.Hostile(t, LeafSerializer{}, NewLeafReader, unions...) }
func TestWideHostile(t *testing.T)     { check.Hostile(t, WideSerializer{}, NewWideReader, wide) }

func FuzzDrawing(f *testing.F)  { check.Fuzz(f, DrawingSerializer{}, unions...) }
func FuzzCircle64(f *testing.F) { check.Fuzz(f, Circle64Serializer{}) }
func FuzzWide(f *testing.F)     { check.Fuzz(f, WideSerializer{}, wide) }
