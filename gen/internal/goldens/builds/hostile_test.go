package builds

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestAlwaysHostile(t *testing.T) { check.Hostile(t, AlwaysSerializer{}, NewAlwaysReader) }
func TestInTestHostile(t *testing.T) { check.Hostile(t, InTestSerializer{}, NewInTestReader) }
func TestTaggedHostile(t *testing.T) { check.Hostile(t, TaggedSerializer{}, NewTaggedReader) }

func FuzzAlways(f *testing.F) { check.Fuzz(f, AlwaysSerializer{}) }
func FuzzInTest(f *testing.F) { check.Fuzz(f, InTestSerializer{}) }
func FuzzTagged(f *testing.F) { check.Fuzz(f, TaggedSerializer{}) }
