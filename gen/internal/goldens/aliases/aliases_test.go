package aliases

import (
	"strings"
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestItem(t *testing.T)    { check.Record(t, ItemSerializer{}) }
func TestEntry(t *testing.T)   { check.Record(t, EntrySerializer{}) }
func TestLocal(t *testing.T)   { check.Record(t, LocalSerializer{}) }
func TestDefined(t *testing.T) { check.Record(t, DefinedSerializer{}) }
func TestRecord(t *testing.T)  { check.Record(t, RecordSerializer{}) }
func TestOuter(t *testing.T)   { check.Record(t, OuterSerializer{}) }
func TestWays(t *testing.T) {
	check.Ways(t, 3, check.Random[Item](60), NewItemByNameWriter, NewItemReader)
}

// The schema has the names of the types, not those of aliases.
func TestSchema(t *testing.T) {
	for want, text := range map[string]string{
		"rwgen/1 Item{":               ItemSerializer{}.Schema().Text,
		"rwgen/1 Pair[string,[]Item]": EntrySerializer{}.Schema().Text,
		"rwgen/1 local{":              LocalSerializer{}.Schema().Text,
		"rwgen/1 Defined{":            DefinedSerializer{}.Schema().Text,
	} {
		if !strings.HasPrefix(text, want) {
			t.Errorf("%s does not start with %s", text, want)
		}
	}
}
