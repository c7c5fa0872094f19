package sorted

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRecordHostile(t *testing.T) { check.Hostile(t, RecordSerializer{}, NewRecordReader) }
func TestMapsHostile(t *testing.T)   { check.Hostile(t, MapsSerializer{}, NewMapsReader) }

func FuzzRecord(f *testing.F) { check.Fuzz(f, RecordSerializer{}) }
func FuzzMaps(f *testing.F)   { check.Fuzz(f, MapsSerializer{}) }
