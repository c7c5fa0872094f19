package generic

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestPhantoms(t *testing.T) { check.Record(t, PhantomsSerializer{}) }
func TestRecord(t *testing.T)   { check.Record(t, RecordSerializer{}) }
