package gen

import (
	"go/token"

	"github.com/rwgen/rwgen/gen/frontend/schema"
)

// Language is that of a schema file.
type Language string

// The languages. A descriptor set is what protoc and buf write, which has all imports in it.
const (
	Avro        Language = "avro"        // .avsc, and .avpr for protocols
	Proto       Language = "proto"       // .proto
	Descriptors Language = "descriptors" // .binpb, .pb, .desc
)

// Schemas are schema files with what is to be generated from them. Files of one language that refer to one another belong into the same Schemas.
type Schemas struct {
	// Files are names and patterns of [path/filepath.Match], relative to [Options].Dir; "-" is [Options].Stdin. Names in diagnostics and in generated files are relative too.
	Files []string
	// Language is that of all Files; empty for what the extension of each says.
	Language Language
	// Roots are directories in which imports are looked for.
	Roots []string
	// Packages, Records and the format as for the frontends; directories may be relative to [Options].Dir. An empty Path is found out from the next go.mod above the directory, an empty Name from the
	// last element of Dir.
	Packages []schema.Package
	Records  []schema.Record
	Format   string // default "native"
	// Pos is where they stand in a configuration.
	Pos token.Position
}
