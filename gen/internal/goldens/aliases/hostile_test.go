package aliases

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestItemHostile(t *testing.T)    { check.Hostile(t, ItemSerializer{}, NewItemReader) }
func TestEntryHostile(t *testing.T)   { check.Hostile(t, EntrySerializer{}, NewEntryReader) }
func TestLocalHostile(t *testing.T)   { check.Hostile(t, LocalSerializer{}, NewLocalReader) }
func TestDefinedHostile(t *testing.T) { check.Hostile(t, DefinedSerializer{}, NewDefinedReader) }
func TestRecordHostile(t *testing.T)  { check.Hostile(t, RecordSerializer{}, NewRecordReader) }
func TestOuterHostile(t *testing.T)   { check.Hostile(t, OuterSerializer{}, NewOuterReader) }

func FuzzItem(f *testing.F)    { check.Fuzz(f, ItemSerializer{}) }
func FuzzEntry(f *testing.F)   { check.Fuzz(f, EntrySerializer{}) }
func FuzzLocal(f *testing.F)   { check.Fuzz(f, LocalSerializer{}) }
func FuzzDefined(f *testing.F) { check.Fuzz(f, DefinedSerializer{}) }
func FuzzRecord(f *testing.F)  { check.Fuzz(f, RecordSerializer{}) }
func FuzzOuter(f *testing.F)   { check.Fuzz(f, OuterSerializer{}) }
