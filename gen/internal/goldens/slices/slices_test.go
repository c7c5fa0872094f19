package slices

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestNumbers(t *testing.T) { check.Record(t, NumbersSerializer{}) }
func TestNamed(t *testing.T)   { check.Record(t, NamedSerializer{}) }
func TestStructs(t *testing.T) { check.Record(t, StructsSerializer{}) }
func TestDeep(t *testing.T)    { check.Record(t, DeepSerializer{}) }
