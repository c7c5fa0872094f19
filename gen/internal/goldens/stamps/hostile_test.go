package stamps

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestEventHostile(t *testing.T) { check.Hostile(t, EventSerializer{}, NewEventReader) }
func TestSpanHostile(t *testing.T)  { check.Hostile(t, SpanSerializer{}, NewSpanReader) }

func FuzzEvent(f *testing.F) { check.Fuzz(f, EventSerializer{}) }
func FuzzSpan(f *testing.F)  { check.Fuzz(f, SpanSerializer{}) }
