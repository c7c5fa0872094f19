package hashes

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRecord(t *testing.T) { check.Record(t, RecordSerializer{}) }
