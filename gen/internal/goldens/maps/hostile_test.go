package maps

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestKeysHostile(t *testing.T)   { check.Hostile(t, KeysSerializer{}, NewKeysReader) }
func TestValuesHostile(t *testing.T) { check.Hostile(t, ValuesSerializer{}, NewValuesReader) }

func FuzzKeys(f *testing.F)   { check.Fuzz(f, KeysSerializer{}) }
func FuzzValues(f *testing.F) { check.Fuzz(f, ValuesSerializer{}) }
