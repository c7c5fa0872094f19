package tags

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestVarints(t *testing.T)    { check.Record(t, VarintsSerializer{}) }
func TestSkips(t *testing.T)      { check.Record(t, SkipsSerializer{}) }
func TestBlank(t *testing.T)      { check.Record(t, BlankSerializer{}) }
func TestNestedTags(t *testing.T) { check.Record(t, NestedTagsSerializer{}) }

func FuzzVarints(f *testing.F) { check.Fuzz(f, VarintsSerializer{}) }
