package builds

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestAlways(t *testing.T)  { check.Record(t, AlwaysSerializer{}) }
func TestOnLinux(t *testing.T) { check.Record(t, OnLinuxSerializer{}) }
func TestTagged(t *testing.T)  { check.Record(t, TaggedSerializer{}) }
