package shapes

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestArraysHostile(t *testing.T) { check.Hostile(t, ArraysSerializer{}, NewArraysReader) }
func TestLargeHostile(t *testing.T)  { check.Hostile(t, LargeSerializer{}, NewLargeReader) }
func TestMapsHostile(t *testing.T)   { check.Hostile(t, MapsSerializer{}, NewMapsReader) }
func TestStuffHostile(t *testing.T)  { check.Hostile(t, StuffSerializer{}, NewStuffReader) }
func TestSlicesHostile(t *testing.T) { check.Hostile(t, SlicesSerializer{}, NewSlicesReader) }
func TestEvenHostile(t *testing.T)   { check.Hostile(t, EvenSerializer{}, NewEvenReader) }

func FuzzArrays(f *testing.F) { check.Fuzz(f, ArraysSerializer{}) }
func FuzzLarge(f *testing.F)  { check.Fuzz(f, LargeSerializer{}) }
func FuzzMaps(f *testing.F)   { check.Fuzz(f, MapsSerializer{}) }
func FuzzStuff(f *testing.F)  { check.Fuzz(f, StuffSerializer{}) }
func FuzzSlices(f *testing.F) { check.Fuzz(f, SlicesSerializer{}) }
func FuzzEven(f *testing.F)   { check.Fuzz(f, EvenSerializer{}) }
