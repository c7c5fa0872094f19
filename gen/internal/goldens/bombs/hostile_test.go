package bombs

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

var shapes = check.Union[Shape]((*Silent)(nil), (*Chain)(nil))

func TestBomb(t *testing.T)        { check.Record(t, BombSerializer{}, shapes) }
func TestBombHostile(t *testing.T) { check.Hostile(t, BombSerializer{}, NewBombReader, shapes) }

func FuzzBomb(f *testing.F) { check.Fuzz(f, BombSerializer{}, shapes) }
