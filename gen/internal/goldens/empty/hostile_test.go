package empty

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestVoidHostile(t *testing.T)      { check.Hostile(t, VoidSerializer{}, NewVoidReader) }
func TestElemsHostile(t *testing.T)     { check.Hostile(t, ElemsSerializer{}, NewElemsReader) }
func TestUnreachedHostile(t *testing.T) { check.Hostile(t, UnreachedSerializer{}, NewUnreachedReader) }

func FuzzVoid(f *testing.F)      { check.Fuzz(f, VoidSerializer{}) }
func FuzzElems(f *testing.F)     { check.Fuzz(f, ElemsSerializer{}) }
func FuzzUnreached(f *testing.F) { check.Fuzz(f, UnreachedSerializer{}) }
