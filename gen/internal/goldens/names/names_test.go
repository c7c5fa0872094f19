package names

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestImports(t *testing.T) { check.Record(t, ImportsSerializer{}) }
func TestKey(t *testing.T)     { check.Record(t, KeySerializer{}) }
func TestMethods(t *testing.T) { check.Record(t, MethodsSerializer{}) }
func TestCases(t *testing.T)   { check.Record(t, CasesSerializer{}) }
func TestDeep(t *testing.T)    { check.Record(t, DeepSerializer{}) }
func TestNew(t *testing.T)     { check.Record(t, NewSerializer{}) }
func TestNewer(t *testing.T)   { check.Record(t, NewerSerializer{}) }
func TestWays(t *testing.T) {
	check.Ways(t, 3, check.Random[Key](60), NewKeyKWriter, NewKeyReader)
	check.Ways(t, 3, check.Random[Key](60), NewKeyWWriter, NewKeyReader)
}
