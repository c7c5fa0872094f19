package eventtimes

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestReadingHostile(t *testing.T) { check.Hostile(t, ReadingSerializer{}, NewReadingReader) }
func TestNoteHostile(t *testing.T)    { check.Hostile(t, NoteSerializer{}, NewNoteReader) }

func FuzzReading(f *testing.F) { check.Fuzz(f, ReadingSerializer{}) }
func FuzzNote(f *testing.F)    { check.Fuzz(f, NoteSerializer{}) }
