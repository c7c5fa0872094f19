// Package emit turns the intermediate representation into Go source: serializers, writers and a reader for each record.
//
// [File] makes one output file. It knows the API of the runtime and nothing of where the records came from, and it reads nothing but its arguments:
//
//	src, err := emit.NewPackage(pkg).File(pkg.Files[0], emit.Options{Version: "v1.2.0"})
//	var list diag.List
//	if errors.As(err, &list) {
//		// a generated name is taken: list says which, where, and by what
//	}
//
// The shape of the output and the reasons for it are in gen/DESIGN.md. How the package is cut:
//
//	emit.go plan.go          a run: what stands in the file, under which names, and which file declares what
//	file.go imports.go       jennifer's file, the names of imports, formatting
//	version.go shape.go      compile-time checks at the top
//	serializer.go schema.go doc_table.go comment.go
//	writer.go selection.go keyed.go key.go  writers, and how they choose channels
//	fast.go slow.go          the methods and functions that write records
//	eventtime.go             and what they make of event times
//	reader.go
//	fn.go place.go struct.go the body of a function that counts, writes or reads a struct
//	value.go size.go kind_*.go  what it does for each family of types
//	bounds.go detach.go      what tags demand, and the copies of views
//	facts.go types.go        properties of types, and their Go expressions
//
// Functions of this package are safe for concurrent use as long as nobody changes the representation.
package emit
