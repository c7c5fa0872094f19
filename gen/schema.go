package gen

import (
	"cmp"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rwgen/rwgen/gen/frontend/schema"
)

// Language is that of a schema file.
type Language string

// The languages. A descriptor set is what protoc and buf write, which has all imports in it.
const (
	Avro        Language = "avro"        // .avsc, and .avpr for protocols
	Proto       Language = "proto"       // .proto
	Descriptors Language = "descriptors" // .binpb, .pb, .desc, .protoset
)

// Languages returns all languages.
func Languages() []Language { return []Language{Avro, Proto, Descriptors} }

// languageOf returns the language that the extension of a file says, "" if it says none.
func languageOf(name string) Language {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".avsc", ".avpr":
		return Avro
	case ".proto":
		return Proto
	case ".binpb", ".pb", ".desc", ".protoset":
		return Descriptors
	}
	return ""
}

// Schemas are schema files with what is to be generated from them. Files of one language that refer to one another belong into the same Schemas.
type Schemas struct {
	// Files are names and patterns of [path/filepath.Match], relative to [Options].Dir, with slashes; an element ** stands for any number of directories. "-" is [Options].Stdin. Names
	// in diagnostics and in generated files are relative too. Their order does not matter.
	Files []string
	// Language is that of all Files; empty for what the extension of each says, which must be the same then.
	Language Language
	// Roots are directories in which imports are looked for.
	Roots []string
	// Packages, Records and the format as for the frontends; directories may be relative to [Options].Dir. Without Packages, all types go to Dir. An empty Path is found out from the next go.mod
	// above the directory; an empty Name is that of the Go files in the directory, or else made of the last element of the path.
	Packages []schema.Package
	Records  []schema.Record
	Format   string // default "native"
	// With names what is generated for all records of these files besides what they ask for, as [Options].With.
	With []string
	// Pos is where they stand in a configuration.
	Pos token.Position
}

// ParseNamespace returns the fields of a [schema.Package] for a namespace as configurations write it: "org.usgs" stands for itself, "org.usgs.*" for that and all below, and "*"
// for all.
func ParseNamespace(text string) (namespace string, subspaces bool) {
	if text == "*" {
		return "", true
	}
	return strings.CutSuffix(text, ".*")
}

// isSchemaName reports whether the name of a source is that of a schema file: every source that is no Go file is one.
func isSchemaName(source string) bool { return source != "" && !strings.HasSuffix(source, ".go") }

// sortedNames returns names sorted and each once.
func sortedNames(names []string) []string {
	names = slices.Clone(names)
	slices.SortFunc(names, cmp.Compare[string])
	return slices.Compact(names)
}
