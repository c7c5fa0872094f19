package builds_test

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestExternalHostile(t *testing.T) { check.Hostile(t, ExternalSerializer{}, NewExternalReader) }

func FuzzExternal(f *testing.F) { check.Fuzz(f, ExternalSerializer{}) }
