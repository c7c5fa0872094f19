package names

import (
	"testing"

	"github.com/rwgen/rwgen/gen/internal/goldens/check"
)

func TestImportsHostile(t *testing.T) { check.Hostile(t, ImportsSerializer{}, NewImportsReader) }
func TestKeyHostile(t *testing.T)     { check.Hostile(t, KeySerializer{}, NewKeyReader) }
func TestMethodsHostile(t *testing.T) { check.Hostile(t, MethodsSerializer{}, NewMethodsReader) }
func TestCasesHostile(t *testing.T)   { check.Hostile(t, CasesSerializer{}, NewCasesReader) }
func TestDeepHostile(t *testing.T)    { check.Hostile(t, DeepSerializer{}, NewDeepReader) }
func TestNewHostile(t *testing.T)     { check.Hostile(t, NewSerializer{}, NewNewReader) }
func TestNewerHostile(t *testing.T)   { check.Hostile(t, NewerSerializer{}, NewNewerReader) }

func FuzzImports(f *testing.F) { check.Fuzz(f, ImportsSerializer{}) }
func FuzzKey(f *testing.F)     { check.Fuzz(f, KeySerializer{}) }
func FuzzMethods(f *testing.F) { check.Fuzz(f, MethodsSerializer{}) }
func FuzzCases(f *testing.F)   { check.Fuzz(f, CasesSerializer{}) }
func FuzzDeep(f *testing.F)    { check.Fuzz(f, DeepSerializer{}) }
func FuzzNew(f *testing.F)     { check.Fuzz(f, NewSerializer{}) }
func FuzzNewer(f *testing.F)   { check.Fuzz(f, NewerSerializer{}) }
