package pointers

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestFieldsHostile(t *testing.T) { check.Hostile(t, FieldsSerializer{}, NewFieldsReader) }
func TestDeepHostile(t *testing.T)   { check.Hostile(t, DeepSerializer{}, NewDeepReader) }
func TestElemsHostile(t *testing.T)  { check.Hostile(t, ElemsSerializer{}, NewElemsReader) }

func FuzzFields(f *testing.F) { check.Fuzz(f, FieldsSerializer{}) }
func FuzzDeep(f *testing.F)   { check.Fuzz(f, DeepSerializer{}) }
func FuzzElems(f *testing.F)  { check.Fuzz(f, ElemsSerializer{}) }
