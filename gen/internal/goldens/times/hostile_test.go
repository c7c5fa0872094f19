package times

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRecordHostile(t *testing.T)   { check.Hostile(t, RecordSerializer{}, NewRecordReader) }
func TestConstantHostile(t *testing.T) { check.Hostile(t, ConstantSerializer{}, NewConstantReader) }

func FuzzRecord(f *testing.F)   { check.Fuzz(f, RecordSerializer{}) }
func FuzzConstant(f *testing.F) { check.Fuzz(f, ConstantSerializer{}) }
