package unexported

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRowHostile(t *testing.T)      { check.Hostile(t, rowSerializer{}, newRowReader) }
func TestExportedHostile(t *testing.T) { check.Hostile(t, ExportedSerializer{}, NewExportedReader) }

func FuzzRow(f *testing.F)      { check.Fuzz(f, rowSerializer{}) }
func FuzzExported(f *testing.F) { check.Fuzz(f, ExportedSerializer{}) }
