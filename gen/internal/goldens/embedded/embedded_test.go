package embedded

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestRecord(t *testing.T)  { check.Record(t, RecordSerializer{}) }
func TestPointer(t *testing.T) { check.Record(t, PointerSerializer{}) }
func TestTime(t *testing.T)    { check.Record(t, TimeSerializer{}) }
func TestAliases(t *testing.T) { check.Record(t, AliasesSerializer{}) }
