package empty

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestVoid(t *testing.T)      { check.Record(t, VoidSerializer{}) }
func TestElems(t *testing.T)     { check.Record(t, ElemsSerializer{}) }
func TestUnreached(t *testing.T) { check.Record(t, UnreachedSerializer{}) }
