package schema

import (
	"go/token"
	"maps"
	"slices"

	"github.com/rwgen/rwgen/gen/diag"
)

// Scope holds the names that the types of a schema declare in one Go package.
type Scope struct {
	owners map[string]owner
}

// owner is what a name stands for.
type owner struct {
	what string
	pos  token.Position
}

// Declare takes a name for what a schema declares at pos: "the record org.usgs.Quake". If it is taken, that is a diagnostic with both, and hint says how one of them gets another name.
func (s *Scope) Declare(name, what string, pos token.Position, hint string, diags *diag.List) {
	if first, ok := s.owners[name]; ok {
		d := diags.Addf(pos, diag.Name, "%s is called %s in Go, as %s is", what, name, first.what)
		d.Hint = hint
		d.Related = []diag.Related{{Pos: first.pos, Message: "the other one"}}
		return
	}
	if s.owners == nil {
		s.owners = make(map[string]owner)
	}
	s.owners[name] = owner{what, pos}
}

// Names returns all names, sorted.
func (s *Scope) Names() []string { return slices.Sorted(maps.Keys(s.owners)) }
