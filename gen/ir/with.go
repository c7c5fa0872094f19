package ir

import "strings"

// With is a set of what is generated for a record on request.
type With uint16

// The members of the set, named as in the directive.
const (
	WithEqual  With = 1 << iota // Equal of the serializer
	WithClone                   // Clone of the serializer
	WithReset                   // Reset of the serializer
	WithHash                    // Hash of the serializer
	WithBinary                  // AppendBinary, MarshalBinary and UnmarshalBinary of the record's type
	WithTest                    // a test file with round trips
	WithFuzz                    // a test file with fuzz targets
	WithBench                   // a test file with benchmarks
	WithDocs                    // a page about the records
)

// WithFiles are the members that have files of their own, made by the templates of their names; the others are methods.
const WithFiles = WithTest | WithFuzz | WithBench | WithDocs

var withs = [...]string{"equal", "clone", "reset", "hash", "binary", "test", "fuzz", "bench", "docs"}

// Withs returns the names of all members, as written in a directive.
func Withs() []string { return withs[:] }

// ParseWith returns the member of that name, false if there is none.
func ParseWith(name string) (With, bool) {
	for i, known := range withs {
		if name == known {
			return 1 << i, true
		}
	}
	return 0, false
}

// Has reports whether all members of other are in the set.
func (w With) Has(other With) bool { return w&other == other }

// String returns the names of the members with commas between them, in the order of the constants.
func (w With) String() string {
	var names []string
	for i, name := range withs {
		if w.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}
