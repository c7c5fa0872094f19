package schema

import (
	"go/token"
	"io/fs"

	"github.com/rwgen/rwgen/gen/diag"
	"github.com/rwgen/rwgen/gen/ir"
)

// Config is what a frontend for schema files is asked for. It is the same for all languages.
type Config struct {
	// Files are the schema files, in the order in which they are to be read. All are read, whether or not their types are asked for, and they may refer to one another.
	Files []File
	// Roots are directories in which imports are looked for, after that of the file that imports. They are given as file systems, so that nothing else is read.
	Roots []fs.FS
	// Packages say where the types of a namespace (or of a protobuf package) go. A namespace without an entry goes where the one with the longest prefix goes that has
	// Subspaces; it is a diagnostic if there is none, or if two namespaces would go to one package that both declare a name.
	Packages []Package
	// Records are the types that are records. If there are none, all types are records that no other type of Files refers to.
	Records []Record
	// With is generated for all records besides what they ask for.
	With ir.With
	// Format is that of records that have none of their own.
	Format ir.Format
}

// File is one schema file.
type File struct {
	Name    string // as diagnostics have it
	Content []byte
}

// Package is a Go package for the types of a namespace.
type Package struct {
	Namespace string // "" is the one without a name
	Subspaces bool   // namespaces that begin with Namespace and a dot, or all if that is "", go there too unless they have an entry
	Dir       string // absolute
	Path      string // import path
	Name      string // package clause
	// Pos is where the entry stands in a configuration, for diagnostics.
	Pos token.Position
}

// Record is a type of a schema that is a record.
type Record struct {
	// Name is the full name in the schema, "org.usgs.Quake", or the last part of it if that is unique among Files.
	Name    string
	Writers []string // "ByPlace key=Place", as in //rwgen:writer
	// WriterPos are the positions of Writers, as far as they are known: that of the record stands for others.
	WriterPos []token.Position
	With      ir.With
	// Format is that of the record; nil for the one of [Config].
	Format *ir.Format
	// SingleObject asks for Avro's single-object encoding.
	SingleObject bool
	Pos          token.Position
}

// Load is the function of a frontend. Packages are complete and sorted by import path; they are nil if there are diagnostics.
// It does not touch the disk other than through [Config.Roots], needs no Go tool chain, and never panics, whatever Files hold.
type Load func(Config) ([]*ir.Package, diag.List)
