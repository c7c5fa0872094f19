package arrays

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestConstantHostile(t *testing.T) { check.Hostile(t, ConstantSerializer{}, NewConstantReader) }
func TestVariableHostile(t *testing.T) { check.Hostile(t, VariableSerializer{}, NewVariableReader) }

func FuzzConstant(f *testing.F) { check.Fuzz(f, ConstantSerializer{}) }
func FuzzVariable(f *testing.F) { check.Fuzz(f, VariableSerializer{}) }
