package text

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestOne(t *testing.T)    { check.Record(t, OneSerializer{}) }
func TestMany(t *testing.T)   { check.Record(t, ManySerializer{}) }
func TestBytes(t *testing.T)  { check.Record(t, BytesSerializer{}) }
func TestFixed(t *testing.T)  { check.Record(t, FixedSerializer{}) }
func TestApart(t *testing.T)  { check.Record(t, ApartSerializer{}) }
func TestAround(t *testing.T) { check.Record(t, AroundSerializer{}) }
func TestClose(t *testing.T)  { check.Record(t, CloseSerializer{}) }
func TestParts(t *testing.T)  { check.Record(t, PartsSerializer{}) }
func TestLists(t *testing.T)  { check.Record(t, ListsSerializer{}) }
