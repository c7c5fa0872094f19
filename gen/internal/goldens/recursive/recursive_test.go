package recursive

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestList(t *testing.T)   { check.Record(t, ListSerializer{}) }
func TestTree(t *testing.T)   { check.Record(t, TreeSerializer{}) }
func TestPerson(t *testing.T) { check.Record(t, PersonSerializer{}) }
func TestEven(t *testing.T)   { check.Record(t, EvenSerializer{}) }
func TestOdd(t *testing.T)    { check.Record(t, OddSerializer{}) }
func TestForest(t *testing.T) { check.Record(t, ForestSerializer{}) }
func TestLoop(t *testing.T)   { check.Record(t, LoopSerializer{}) }
func TestArrays(t *testing.T) { check.Record(t, ArraysSerializer{}) }
func TestRing(t *testing.T)   { check.Record(t, RingSerializer{}) }

func FuzzTree(f *testing.F) { check.Fuzz(f, TreeSerializer{}) }
