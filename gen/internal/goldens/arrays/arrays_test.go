package arrays

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestConstant(t *testing.T) { check.Record(t, ConstantSerializer{}) }
func TestVariable(t *testing.T) { check.Record(t, VariableSerializer{}) }
