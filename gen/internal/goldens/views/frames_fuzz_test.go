package views

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func FuzzFrames(f *testing.F) { check.FuzzFrames(f, DeepSerializer{}, NewDeepReader, union) }
