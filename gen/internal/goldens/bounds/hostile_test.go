package bounds

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRecordHostile(t *testing.T) { check.Hostile(t, RecordSerializer{}, NewRecordReader, union) }
func TestNamedHostile(t *testing.T)  { check.Hostile(t, NamedSerializer{}, NewNamedReader) }

func FuzzNamed(f *testing.F) { check.Fuzz(f, NamedSerializer{}) }
