// Package emit turns the intermediate representation into Go source: serializers, writers and a reader for each record.
//
// [File] makes one output file. It knows the API of the runtime and nothing of where the records came from, and it reads nothing but its arguments:
//
//	src, err := emit.File(pkg, pkg.Files[0], emit.Options{Version: "v1.2.0"})
//	var list diag.List
//	if errors.As(err, &list) {
//		// a generated name is taken: list says which, where, and by what
//	}
//
// The shape of the output and the reasons for it are in gen/DESIGN.md. How the package is cut:
//
//	emit.go plan.go          one run: names, which file declares which helper
//	file.go imports.go       one file: header, imports, rendering
//	version.go shape.go      compile-time checks at its top
//	serializer.go doc_table.go schema.go
//	writer.go key.go reader.go
//	fn.go struct.go          the body of a function that writes or reads a struct
//	kind_*.go                what it writes and reads for a family of types
//	facts.go                 sizes and other properties of types
//
// Functions of this package are safe for concurrent use as long as nobody changes the representation.
package emit
