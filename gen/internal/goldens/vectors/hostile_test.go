package vectors

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestValuesHostile(t *testing.T)   { check.Hostile(t, ValuesSerializer{}, NewValuesReader, world...) }
func TestBitsHostile(t *testing.T)     { check.Hostile(t, BitsSerializer{}, NewBitsReader) }
func TestMixedHostile(t *testing.T)    { check.Hostile(t, MixedSerializer{}, NewMixedReader) }
func TestNestedHostile(t *testing.T)   { check.Hostile(t, NestedSerializer{}, NewNestedReader) }
func TestNamedHostile(t *testing.T)    { check.Hostile(t, NamedSerializer{}, NewNamedReader) }
func TestBoolHostile(t *testing.T)     { check.Hostile(t, BoolSerializer{}, NewBoolReader) }
func TestTwiceHostile(t *testing.T)    { check.Hostile(t, TwiceSerializer{}, NewTwiceReader) }
func TestIntHostile(t *testing.T)      { check.Hostile(t, IntSerializer{}, NewIntReader, world...) }
func TestEmbeddedHostile(t *testing.T) { check.Hostile(t, EmbeddedSerializer{}, NewEmbeddedReader) }
func TestBetweenHostile(t *testing.T) {
	check.Hostile(t, BetweenSerializer{}, NewBetweenReader, world...)
}
func TestSomeHostile(t *testing.T)    { check.Hostile(t, SomeSerializer{}, NewSomeReader, world...) }
func TestStampedHostile(t *testing.T) { check.Hostile(t, StampedSerializer{}, NewStampedReader) }
func TestHiddenHostile(t *testing.T)  { check.Hostile(t, HiddenSerializer{}, NewHiddenReader) }
func TestNodeHostile(t *testing.T)    { check.Hostile(t, NodeSerializer{}, NewNodeReader) }
func TestSkipsHostile(t *testing.T)   { check.Hostile(t, SkipsSerializer{}, NewSkipsReader) }
func TestNineHostile(t *testing.T)    { check.Hostile(t, NineSerializer{}, NewNineReader) }

func FuzzValues(f *testing.F)   { check.Fuzz(f, ValuesSerializer{}, world...) }
func FuzzBits(f *testing.F)     { check.Fuzz(f, BitsSerializer{}) }
func FuzzMixed(f *testing.F)    { check.Fuzz(f, MixedSerializer{}) }
func FuzzNested(f *testing.F)   { check.Fuzz(f, NestedSerializer{}) }
func FuzzNamed(f *testing.F)    { check.Fuzz(f, NamedSerializer{}) }
func FuzzBool(f *testing.F)     { check.Fuzz(f, BoolSerializer{}) }
func FuzzTwice(f *testing.F)    { check.Fuzz(f, TwiceSerializer{}) }
func FuzzInt(f *testing.F)      { check.Fuzz(f, IntSerializer{}, world...) }
func FuzzEmbedded(f *testing.F) { check.Fuzz(f, EmbeddedSerializer{}) }
func FuzzBetween(f *testing.F)  { check.Fuzz(f, BetweenSerializer{}, world...) }
func FuzzSome(f *testing.F)     { check.Fuzz(f, SomeSerializer{}, world...) }
func FuzzStamped(f *testing.F)  { check.Fuzz(f, StampedSerializer{}) }
func FuzzHidden(f *testing.F)   { check.Fuzz(f, HiddenSerializer{}) }
func FuzzNode(f *testing.F)     { check.Fuzz(f, NodeSerializer{}) }
func FuzzSkips(f *testing.F)    { check.Fuzz(f, SkipsSerializer{}) }
func FuzzNine(f *testing.F)     { check.Fuzz(f, NineSerializer{}) }
