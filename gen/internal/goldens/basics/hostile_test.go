package basics

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestNumbersHostile(t *testing.T) { check.Hostile(t, NumbersSerializer{}, NewNumbersReader) }
func TestNamedHostile(t *testing.T)   { check.Hostile(t, NamedSerializer{}, NewNamedReader) }
func TestSampleHostile(t *testing.T)  { check.Hostile(t, SampleSerializer{}, NewSampleReader) }
func TestBitsHostile(t *testing.T)    { check.Hostile(t, BitsSerializer{}, NewBitsReader) }
func TestByteHostile(t *testing.T)    { check.Hostile(t, ByteSerializer{}, NewByteReader) }
func TestOneBoolHostile(t *testing.T) { check.Hostile(t, OneBoolSerializer{}, NewOneBoolReader) }
func TestMixedHostile(t *testing.T)   { check.Hostile(t, MixedSerializer{}, NewMixedReader) }

func FuzzNumbers(f *testing.F) { check.Fuzz(f, NumbersSerializer{}) }
func FuzzNamed(f *testing.F)   { check.Fuzz(f, NamedSerializer{}) }
func FuzzSample(f *testing.F)  { check.Fuzz(f, SampleSerializer{}) }
func FuzzBits(f *testing.F)    { check.Fuzz(f, BitsSerializer{}) }
func FuzzByte(f *testing.F)    { check.Fuzz(f, ByteSerializer{}) }
func FuzzOneBool(f *testing.F) { check.Fuzz(f, OneBoolSerializer{}) }
func FuzzMixed(f *testing.F)   { check.Fuzz(f, MixedSerializer{}) }
