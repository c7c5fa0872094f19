package basics

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestNumbers(t *testing.T) { check.Record(t, NumbersSerializer{}) }
func TestNamed(t *testing.T)   { check.Record(t, NamedSerializer{}) }
func TestSample(t *testing.T)  { check.Record(t, SampleSerializer{}) }
func TestBits(t *testing.T)    { check.Record(t, BitsSerializer{}) }
func TestByte(t *testing.T)    { check.Record(t, ByteSerializer{}) }
func TestOneBool(t *testing.T) { check.Record(t, OneBoolSerializer{}) }
func TestMixed(t *testing.T)   { check.Record(t, MixedSerializer{}) }
