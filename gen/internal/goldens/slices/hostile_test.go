package slices

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestNumbersHostile(t *testing.T) { check.Hostile(t, NumbersSerializer{}, NewNumbersReader) }
func TestNamedHostile(t *testing.T)   { check.Hostile(t, NamedSerializer{}, NewNamedReader) }
func TestStructsHostile(t *testing.T) { check.Hostile(t, StructsSerializer{}, NewStructsReader) }
func TestDeepHostile(t *testing.T)    { check.Hostile(t, DeepSerializer{}, NewDeepReader) }

func FuzzNumbers(f *testing.F) { check.Fuzz(f, NumbersSerializer{}) }
func FuzzNamed(f *testing.F)   { check.Fuzz(f, NamedSerializer{}) }
func FuzzStructs(f *testing.F) { check.Fuzz(f, StructsSerializer{}) }
func FuzzDeep(f *testing.F)    { check.Fuzz(f, DeepSerializer{}) }
