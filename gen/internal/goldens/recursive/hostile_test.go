package recursive

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestListHostile(t *testing.T)   { check.Hostile(t, ListSerializer{}, NewListReader) }
func TestTreeHostile(t *testing.T)   { check.Hostile(t, TreeSerializer{}, NewTreeReader) }
func TestPersonHostile(t *testing.T) { check.Hostile(t, PersonSerializer{}, NewPersonReader) }
func TestEvenHostile(t *testing.T)   { check.Hostile(t, EvenSerializer{}, NewEvenReader) }
func TestOddHostile(t *testing.T)    { check.Hostile(t, OddSerializer{}, NewOddReader) }
func TestForestHostile(t *testing.T) { check.Hostile(t, ForestSerializer{}, NewForestReader) }
func TestLoopHostile(t *testing.T)   { check.Hostile(t, LoopSerializer{}, NewLoopReader) }
func TestArraysHostile(t *testing.T) { check.Hostile(t, ArraysSerializer{}, NewArraysReader) }
func TestRingHostile(t *testing.T)   { check.Hostile(t, RingSerializer{}, NewRingReader) }

func FuzzList(f *testing.F)   { check.Fuzz(f, ListSerializer{}) }
func FuzzPerson(f *testing.F) { check.Fuzz(f, PersonSerializer{}) }
func FuzzEven(f *testing.F)   { check.Fuzz(f, EvenSerializer{}) }
func FuzzOdd(f *testing.F)    { check.Fuzz(f, OddSerializer{}) }
func FuzzForest(f *testing.F) { check.Fuzz(f, ForestSerializer{}) }
func FuzzLoop(f *testing.F)   { check.Fuzz(f, LoopSerializer{}) }
func FuzzArrays(f *testing.F) { check.Fuzz(f, ArraysSerializer{}) }
func FuzzRing(f *testing.F)   { check.Fuzz(f, RingSerializer{}) }
