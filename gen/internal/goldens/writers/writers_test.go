package writers

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestEvent(t *testing.T)  { check.Record(t, EventSerializer{}) }
func TestSample(t *testing.T) { check.Record(t, SampleSerializer{}) }
