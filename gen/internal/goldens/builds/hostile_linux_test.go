package builds

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestOnLinuxHostile(t *testing.T) { check.Hostile(t, OnLinuxSerializer{}, NewOnLinuxReader) }

func FuzzOnLinux(f *testing.F) { check.Fuzz(f, OnLinuxSerializer{}) }
