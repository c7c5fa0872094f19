package unexported

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRow(t *testing.T)      { check.Record(t, rowSerializer{}) }
func TestExported(t *testing.T) { check.Record(t, ExportedSerializer{}) }
