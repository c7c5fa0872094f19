package writers

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestEventHostile(t *testing.T)  { check.Hostile(t, EventSerializer{}, NewEventReader) }
func TestSampleHostile(t *testing.T) { check.Hostile(t, SampleSerializer{}, NewSampleReader) }

func FuzzEvent(f *testing.F)  { check.Fuzz(f, EventSerializer{}) }
func FuzzSample(f *testing.F) { check.Fuzz(f, SampleSerializer{}) }
