package embedded

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRecordHostile(t *testing.T)  { check.Hostile(t, RecordSerializer{}, NewRecordReader) }
func TestPointerHostile(t *testing.T) { check.Hostile(t, PointerSerializer{}, NewPointerReader) }
func TestTimeHostile(t *testing.T)    { check.Hostile(t, TimeSerializer{}, NewTimeReader) }
func TestAliasesHostile(t *testing.T) { check.Hostile(t, AliasesSerializer{}, NewAliasesReader) }

func FuzzRecord(f *testing.F)  { check.Fuzz(f, RecordSerializer{}) }
func FuzzPointer(f *testing.F) { check.Fuzz(f, PointerSerializer{}) }
func FuzzTime(f *testing.F)    { check.Fuzz(f, TimeSerializer{}) }
func FuzzAliases(f *testing.F) { check.Fuzz(f, AliasesSerializer{}) }
