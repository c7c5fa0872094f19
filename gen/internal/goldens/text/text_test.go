package text

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestOne(t *testing.T)   { check.Record(t, OneSerializer{}) }
func TestMany(t *testing.T)  { check.Record(t, ManySerializer{}) }
func TestBytes(t *testing.T) { check.Record(t, BytesSerializer{}) }
func TestFixed(t *testing.T) { check.Record(t, FixedSerializer{}) }
func TestLists(t *testing.T) { check.Record(t, ListsSerializer{}) }
