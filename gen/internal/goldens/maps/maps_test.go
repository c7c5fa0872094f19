package maps

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestKeys(t *testing.T)   { check.Record(t, KeysSerializer{}) }
func TestValues(t *testing.T) { check.Record(t, ValuesSerializer{}) }
