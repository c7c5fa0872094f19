package pointers

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestFields(t *testing.T) { check.Record(t, FieldsSerializer{}) }
func TestDeep(t *testing.T)   { check.Record(t, DeepSerializer{}) }
func TestElems(t *testing.T)  { check.Record(t, ElemsSerializer{}) }
