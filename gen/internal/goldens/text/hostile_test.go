package text

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestOneHostile(t *testing.T)    { check.Hostile(t, OneSerializer{}, NewOneReader) }
func TestManyHostile(t *testing.T)   { check.Hostile(t, ManySerializer{}, NewManyReader) }
func TestBytesHostile(t *testing.T)  { check.Hostile(t, BytesSerializer{}, NewBytesReader) }
func TestFixedHostile(t *testing.T)  { check.Hostile(t, FixedSerializer{}, NewFixedReader) }
func TestApartHostile(t *testing.T)  { check.Hostile(t, ApartSerializer{}, NewApartReader) }
func TestAroundHostile(t *testing.T) { check.Hostile(t, AroundSerializer{}, NewAroundReader) }
func TestCloseHostile(t *testing.T)  { check.Hostile(t, CloseSerializer{}, NewCloseReader) }
func TestPartsHostile(t *testing.T)  { check.Hostile(t, PartsSerializer{}, NewPartsReader) }
func TestListsHostile(t *testing.T)  { check.Hostile(t, ListsSerializer{}, NewListsReader) }

func FuzzOne(f *testing.F)    { check.Fuzz(f, OneSerializer{}) }
func FuzzMany(f *testing.F)   { check.Fuzz(f, ManySerializer{}) }
func FuzzBytes(f *testing.F)  { check.Fuzz(f, BytesSerializer{}) }
func FuzzFixed(f *testing.F)  { check.Fuzz(f, FixedSerializer{}) }
func FuzzApart(f *testing.F)  { check.Fuzz(f, ApartSerializer{}) }
func FuzzAround(f *testing.F) { check.Fuzz(f, AroundSerializer{}) }
func FuzzClose(f *testing.F)  { check.Fuzz(f, CloseSerializer{}) }
func FuzzParts(f *testing.F)  { check.Fuzz(f, PartsSerializer{}) }
func FuzzLists(f *testing.F)  { check.Fuzz(f, ListsSerializer{}) }
