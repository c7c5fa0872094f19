package unions

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func FuzzFrames(f *testing.F) { check.FuzzFrames(f, LeafSerializer{}, NewLeafReader, unions...) }
