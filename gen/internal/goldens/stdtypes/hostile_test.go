package stdtypes

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRecordHostile(t *testing.T) { check.Hostile(t, RecordSerializer{}, NewRecordReader, world...) }

func FuzzRecord(f *testing.F) { check.Fuzz(f, RecordSerializer{}, world...) }
