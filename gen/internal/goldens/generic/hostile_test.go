package generic

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestPhantomsHostile(t *testing.T) { check.Hostile(t, PhantomsSerializer{}, NewPhantomsReader) }
func TestRecordHostile(t *testing.T)   { check.Hostile(t, RecordSerializer{}, NewRecordReader) }

func FuzzPhantoms(f *testing.F) { check.Fuzz(f, PhantomsSerializer{}) }
func FuzzRecord(f *testing.F)   { check.Fuzz(f, RecordSerializer{}) }
