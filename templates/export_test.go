package templates

import (
	"maps"
	"slices"
)

// FunctionNames returns the names of the functions that rwgen adds, but for those that only bound what there is.
func FunctionNames() []string {
	funcs := stubs()
	for _, name := range []string{"print", "printf", "println", stepName} {
		delete(funcs, name)
	}
	return slices.Sorted(maps.Keys(funcs))
}
