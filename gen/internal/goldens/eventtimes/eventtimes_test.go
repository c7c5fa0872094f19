package eventtimes

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestReading(t *testing.T) { check.Record(t, ReadingSerializer{}) }
func TestNote(t *testing.T)    { check.Record(t, NoteSerializer{}) }
