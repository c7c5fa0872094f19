package tags

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestVarintsHostile(t *testing.T) { check.Hostile(t, VarintsSerializer{}, NewVarintsReader) }
func TestSkipsHostile(t *testing.T)   { check.Hostile(t, SkipsSerializer{}, NewSkipsReader) }
func TestBlankHostile(t *testing.T)   { check.Hostile(t, BlankSerializer{}, NewBlankReader) }
func TestNestedTagsHostile(t *testing.T) {
	check.Hostile(t, NestedTagsSerializer{}, NewNestedTagsReader)
}

func FuzzSkips(f *testing.F)      { check.Fuzz(f, SkipsSerializer{}) }
func FuzzBlank(f *testing.F)      { check.Fuzz(f, BlankSerializer{}) }
func FuzzNestedTags(f *testing.F) { check.Fuzz(f, NestedTagsSerializer{}) }
