package builds_test

import "github.com/rwgen/rwgen/gen/internal/goldens/builds"

// External is in a package of its own, in the same directory.
//
//rwgen:record
type External struct {
	Rare   []builds.Rare
	Part   builds.Part
	Shared *builds.Shared
}
