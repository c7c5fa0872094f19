package nameclash

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestFields(t *testing.T) { check.Record(t, FieldsSerializer{}) }
func TestLower(t *testing.T)  { check.Record(t, LowerSerializer{}) }
func TestTypes(t *testing.T)  { check.Record(t, TypesSerializer{}) }
func TestRecord(t *testing.T) { check.Record(t, recordSerializer{}) }
func TestBinary(t *testing.T) { check.Record(t, binarySerializer{}) }
