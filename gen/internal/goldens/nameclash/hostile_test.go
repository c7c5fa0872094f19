package nameclash

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestFieldsHostile(t *testing.T) { check.Hostile(t, FieldsSerializer{}, NewFieldsReader) }
func TestLowerHostile(t *testing.T)  { check.Hostile(t, LowerSerializer{}, NewLowerReader) }
func TestTypesHostile(t *testing.T)  { check.Hostile(t, TypesSerializer{}, NewTypesReader) }
func TestRecordHostile(t *testing.T) { check.Hostile(t, recordSerializer{}, newRecordReader) }
func TestBinaryHostile(t *testing.T) { check.Hostile(t, binarySerializer{}, newBinaryReader) }

func FuzzFields(f *testing.F) { check.Fuzz(f, FieldsSerializer{}) }
func FuzzLower(f *testing.F)  { check.Fuzz(f, LowerSerializer{}) }
func FuzzTypes(f *testing.F)  { check.Fuzz(f, TypesSerializer{}) }
func FuzzRecord(f *testing.F) { check.Fuzz(f, recordSerializer{}) }
func FuzzBinary(f *testing.F) { check.Fuzz(f, binarySerializer{}) }
