package hashes

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRecordHostile(t *testing.T) { check.Hostile(t, RecordSerializer{}, NewRecordReader) }

func FuzzRecord(f *testing.F) { check.Fuzz(f, RecordSerializer{}) }
